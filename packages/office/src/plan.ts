import type { OfficeFormat } from './format.ts';
import type { TemplatingEngine } from '@platen/templating';
import type { FilledPart } from './decode.ts';
import { type FormatTable, isFilled } from './formats/table.ts';
import type { ChartBook } from './ooxml/chart-books.ts';
import { isChart, ownedParts } from './ooxml/clone.ts';
import { isObjectContent, objectContent } from './odf/objects.ts';
import { exposeLinks } from './ooxml/links.ts';
import type { OfficePackage } from './package.ts';
import { type Program, ProgramWriter } from './program.ts';
import { readPart, type TemplatePart } from './template.ts';
import { aroundUnits, unpairedTags, takeUnitTags } from './units.ts';
import type { Element } from './xml/tree.ts';

/** The parts of a package that contain tags, in the order in which the interpreter sees them. */

export interface Plan {
  parts: readonly PlannedPart[];
  program: Program;
  /** Slides or sheets may occur several times, or not at all. */
  repeats: boolean;
}

export interface PlannedPart extends TemplatePart {
  /** The slide, sheet or chart in a text to which it belongs; null for parts of the whole document. */
  unit: string | null;
  /** The part whose elements refer to it, when it is filled at these elements. */
  host: string | null;
  /**
   * For a part of a workbook inside the document: the workbook, its chart, and the part's plan within the
   * workbook.
   */
  inner: { book: ChartBook; chart: string; part: PlannedPart } | null;
}

/** The plan of a format whose slides or sheets are separate parts. */
export interface UnitFormat {
  /** Paths of the slides or sheets, in order. */
  mains: readonly string[];
  level: 'slide' | 'sheet';
  /** Another part may contain the tags of slides or sheets. */
  mayHoldTags?: boolean;
  /** Changes a part before its tags are searched. */
  prepare?: (root: Element, path: string) => void;
  /** Returns the sheet name of a part; null for any other part. */
  nameOf?: (path: string) => string | null;
  /** Returns the part that represents a sheet's name. */
  extra?: (main: string) => TemplatePart | null;
}

/** The input of a plan. */
export interface PlanSource {
  file: OfficePackage;
  format: OfficeFormat;
  table: FormatTable;
  units: UnitFormat | null;
  prepare?: ((root: Element) => void) | undefined;
  books: readonly PlannedBook[];
}

/** A workbook inside the document, filled along with the charts that show it. */
export interface PlannedBook {
  book: ChartBook;
  table: FormatTable;
  units: UnitFormat;
  /** Changes a chart before its tags are searched. */
  prepareChart: (root: Element) => void;
}

/** @throws TemplateFault, PlatenError */
export function planParts(source: PlanSource, engine: TemplatingEngine): Plan {
  const { file, format, table, units, prepare } = source;
  const isOoxml = !format.startsWith('od');
  const books = source.books.flatMap((book) => {
    const parts = partsOfBook(book);
    return parts.length === 0 ? [] : [{ ...book, parts }];
  });
  const bookOf = (path: string): (typeof books)[number] | undefined =>
    books.find(({ book }) => book.charts.has(path));
  const read = (path: string, force = false): TemplatePart | null => {
    const book = bookOf(path);
    return readPart(file, path, table, {
      name: path,
      sheet: units?.nameOf?.(path) ?? null,
      force: force || book !== undefined,
      mayHold: (units?.mayHoldTags ?? false) && (units?.mains.includes(path) ?? false),
      prepare: (root) => {
        if (isOoxml) exposeLinks(root, path, file);
        prepare?.(root);
        units?.prepare?.(root, path);
        book?.prepareChart(root);
      },
    });
  };
  const parts: PlannedPart[] = [];
  let host = '';
  const write = (part: TemplatePart | null, unit: string | null, within: string | null = null): void => {
    if (part === null) return;
    const outer = host;
    host = part.path;
    writer.writePart(parts.push({ ...part, unit, host: within, inner: null }) - 1, part.root, table);
    host = outer;
    const book = bookOf(part.path);
    // A workbook of several charts is filled with the first one.
    if (book === undefined || parts.some((one) => isOfOther(one, book.book, part.path))) return;
    for (const own of book.parts) {
      const inner = { book: book.book, chart: part.path, part: own };
      const entry = { ...own, path: nameInBook(book.book, own.path), unit, host: within, inner };
      writer.writePart(parts.push(entry) - 1, own.root, book.table);
    }
  };
  const charts = units === null ? new ChartPlaces(file, table, (path) => read(path)) : null;
  const writer = new ProgramWriter(
    engine,
    charts && {
      has: (element) => charts.at(element, host) !== null,
      write: (element) => {
        const part = charts.at(element, host);
        charts.placed.add(part?.path ?? '');
        write(part, part?.path ?? null, host);
      },
    },
  );
  const { owned, repeats } = writeUnits(file, table, units, read, writer, write);
  const isAlone = (path: string): boolean =>
    !owned.has(path) && charts?.placed.has(path) !== true && isFilled(file, path, table);
  // Charts come after the parts that may refer to them, wherever the program that saved the file puts them.
  const isLater = (path: string): boolean => isChart(file, path) || isObjectContent(path);
  const paths = file.paths().toSorted((a, b) => Number(isLater(a)) - Number(isLater(b)));
  for (const path of paths) if (isAlone(path)) write(read(path), null);
  return { parts, program: writer.finish(), repeats };
}

function isOfOther({ inner }: PlannedPart, book: ChartBook, chart: string): boolean {
  return inner?.book === book && inner.chart !== chart;
}

/** Charts that contain tags, by the elements of a text that refer to them. */
class ChartPlaces {
  readonly placed = new Set<string>();
  private readonly known = new Map<string, TemplatePart | null>();
  private readonly file: OfficePackage;
  private readonly table: FormatTable;
  private readonly read: (path: string) => TemplatePart | null;

  constructor(file: OfficePackage, table: FormatTable, read: (path: string) => TemplatePart | null) {
    this.file = file;
    this.table = table;
    this.read = read;
  }

  /** @param host part that contains the element */
  at(element: Element, host: string): TemplatePart | null {
    if (host === '') return null;
    const path =
      element.tag === 'c:chart'
        ? this.file.relationships(host).find(element.get('r:id') ?? '')?.path
        : objectContent(element, this.file);
    if (path == null || !this.file.has(path) || !isFilled(this.file, path, this.table)) return null;
    let part = this.known.get(path);
    if (part === undefined) this.known.set(path, (part = this.read(path)));
    return part;
  }
}

/**
 * Returns the parts with tags of a workbook inside the document. The number of its sheets does not change.
 */
function partsOfBook({ book, table, units }: PlannedBook): PlannedPart[] {
  const { file } = book;
  return units.mains.flatMap((main) =>
    ownedParts(file, main)
      .filter((path) => path === main || isFilled(file, path, table))
      .flatMap((path) => {
        const part = readPart(file, path, table, {
          name: nameInBook(book, path),
          sheet: units.nameOf?.(path) ?? null,
          force: false,
          mayHold: path === main && units.mayHoldTags === true,
          prepare: (root) => units.prepare?.(root, path),
        });
        return part === null ? [] : [{ ...part, unit: main, host: null, inner: null }];
      }),
  );
}

function nameInBook({ path }: ChartBook, part: string): string {
  return `${path}/${part}`;
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
    const lone = part === null || tags.length > 0 ? null : unpairedTags(part.root, table);
    return { main, part, tags: lone ?? tags, isLone: lone !== null };
  });
  const repeats = read1.some(({ tags }) => tags.length > 0);
  const around = aroundUnits(read1);
  read1.forEach(({ main, part, isLone }, i) => {
    for (const tag of around[i]?.before ?? []) writer.writeTag(tag);
    const dependents = ownedParts(file, main);
    for (const path of dependents) owned.add(path);
    if (!isLone) {
      // When slides are repeated, the program contains every slide, even one without tags.
      write(part ?? (repeats ? read(main, true) : null), main);
      write(units.extra?.(main) ?? null, main);
      for (const path of dependents.slice(1)) if (isFilled(file, path, table)) write(read(path), main);
    }
    for (const tag of around[i]?.after ?? []) writer.writeTag(tag);
  });
  return { owned, repeats };
}

/** The filled parts of one occurrence of a slide, sheet or chart in a text. */
export interface UnitInstance {
  unit: string;
  parts: FilledInstance[];
}

/** A filled part. */
export interface FilledInstance {
  part: PlannedPart;
  root: Element;
  /** The element that refers to it, if it was filled there. */
  anchor: Element | null;
}

/**
 * Groups filled parts: those of the document, and those of each occurrence of a slide, sheet or chart in a
 * text.
 */
export function groupFilled(
  plan: Plan,
  filled: readonly FilledPart[],
): { common: FilledInstance[]; instances: UnitInstance[] } {
  const common: FilledInstance[] = [];
  const instances: UnitInstance[] = [];
  for (const { number, root, anchor } of filled) {
    const part = plan.parts[number];
    if (part === undefined) continue;
    if (part.unit === null) {
      common.push({ part, root, anchor });
      continue;
    }
    const last = instances.at(-1);
    // A part that already occurred belongs to the next pass.
    if (last?.unit !== part.unit || last.parts.some((one) => one.part === part))
      instances.push({ unit: part.unit, parts: [] });
    instances.at(-1)?.parts.push({ part, root, anchor });
  }
  return { common, instances };
}
