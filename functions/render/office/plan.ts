import type { OfficeFormat } from '../../shared/formats/office.ts';
import type { TemplatingEngine } from '../fill/index.ts';
import type { FilledPart } from './decode.ts';
import type { FormatTable } from './formats/table.ts';
import { ownedParts } from './ooxml/clone.ts';
import { exposeLinks } from './ooxml/links.ts';
import type { OfficePackage } from './package.ts';
import { type Program, ProgramWriter } from './program.ts';
import { readPart, type TemplatePart } from './template.ts';
import { aroundUnits, loneTags, takeUnitTags } from './units.ts';
import type { Element } from './xml/tree.ts';

/** What is to be filled: the parts of a package that hold tags, in the order in which the interpreter sees them. */

export interface Plan {
  parts: readonly PlannedPart[];
  program: Program;
  /** Slides or sheets may be there several times, or not at all. */
  repeats: boolean;
}

export interface PlannedPart extends TemplatePart {
  /** The slide or sheet it belongs to; null for parts of the whole document. */
  unit: string | null;
}

/** How a format whose slides or sheets are parts of their own is planned. */
export interface UnitFormat {
  /** Paths of the slides or sheets, in order. */
  mains: readonly string[];
  level: 'slide' | 'sheet';
  /** Tags of the slides or sheets may stand in another part. */
  mayHoldTags?: boolean;
  /** Changes a part before its tags are looked for. */
  prepare?: (root: Element, path: string) => void;
  /** Takes the place of the name of a sheet. */
  extra?: (main: string) => TemplatePart | null;
}

/** @throws TemplateFault, PlatenError */
export function planParts(
  file: OfficePackage,
  format: OfficeFormat,
  table: FormatTable,
  engine: TemplatingEngine,
  units: UnitFormat | null,
  prepare?: (root: Element) => void,
): Plan {
  const isOoxml = !format.startsWith('od');
  const read = (path: string, force = false): TemplatePart | null =>
    readPart(file, path, table, {
      force,
      mayHold: (units?.mayHoldTags ?? false) && (units?.mains.includes(path) ?? false),
      prepare: (root) => {
        if (isOoxml) exposeLinks(root, path, file);
        prepare?.(root);
        units?.prepare?.(root, path);
      },
    });
  const writer = new ProgramWriter(engine, table);
  const parts: PlannedPart[] = [];
  const write = (part: TemplatePart | null, unit: string | null): void => {
    if (part !== null) writer.writePart(parts.push({ ...part, unit }) - 1, part.root);
  };
  const { owned, repeats } = writeUnits(file, table, units, read, writer, write);
  for (const path of file.paths()) if (table.parts.test(path) && !owned.has(path)) write(read(path), null);
  return { parts, program: writer.finish(), repeats };
}

function writeUnits(
  file: OfficePackage,
  table: FormatTable,
  units: UnitFormat | null,
  read: (path: string, force?: boolean) => TemplatePart | null,
  writer: ProgramWriter,
  write: (part: TemplatePart | null, unit: string | null) => void,
): { owned: ReadonlySet<string>; repeats: boolean } {
  const owned = new Set<string>();
  if (units === null) return { owned, repeats: false };
  const read1 = units.mains.map((main) => {
    const part = read(main);
    const tags = part === null ? [] : takeUnitTags(part.root, units.level, table);
    const lone = part === null || tags.length > 0 ? null : loneTags(part.root, table);
    return { main, part, tags: lone ?? tags, isLone: lone !== null };
  });
  const repeats = read1.some(({ tags }) => tags.length > 0);
  const around = aroundUnits(read1);
  read1.forEach(({ main, part, isLone }, i) => {
    for (const tag of around[i]?.before ?? []) writer.writeTag(tag);
    const dependents = ownedParts(file, main);
    for (const path of dependents) owned.add(path);
    if (!isLone) {
      // In a document whose slides are repeated, each has to be seen, with tags or without.
      write(part ?? (repeats ? read(main, true) : null), main);
      write(units.extra?.(main) ?? null, main);
      for (const path of dependents.slice(1)) if (table.parts.test(path)) write(read(path), main);
    }
    for (const tag of around[i]?.after ?? []) writer.writeTag(tag);
  });
  return { owned, repeats };
}

/** The filled parts of one slide or sheet, for one time that it is there. */
export interface UnitInstance {
  unit: string;
  parts: { part: PlannedPart; root: Element }[];
}

/** Sorts filled parts: those of the document, and those of each time a slide or sheet is there. */
export function groupFilled(
  plan: Plan,
  filled: readonly FilledPart[],
): { common: { part: PlannedPart; root: Element }[]; instances: UnitInstance[] } {
  const common: { part: PlannedPart; root: Element }[] = [];
  const instances: UnitInstance[] = [];
  for (const { number, root } of filled) {
    const part = plan.parts[number];
    if (part === undefined) continue;
    if (part.unit === null) {
      common.push({ part, root });
      continue;
    }
    const last = instances.at(-1);
    // A part that is there already belongs to the next pass.
    if (last?.unit !== part.unit || last.parts.some((one) => one.part === part))
      instances.push({ unit: part.unit, parts: [] });
    instances.at(-1)?.parts.push({ part, root });
  }
  return { common, instances };
}
