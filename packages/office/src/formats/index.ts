import { listed } from '@platen/core/listed';
import { MANIFEST, type OfficeFormat } from '../format.ts';
import type { Decoded } from '../decode.ts';
import { updateReferences } from '../calc/ods.ts';
import { finishOdsCells } from '../calc/ods-cells.ts';
import { chartsOf, dropCopiedCells } from '../calc/ods-charts.ts';
import { recordRows } from '../calc/ods-sheet.ts';
import { finishDocx } from '../docx/finish.ts';
import { RemovedBookmarks } from '../docx/lost-references.ts';
import { NoteCopies } from '../docx/notes.ts';
import type { Subdocument } from '../docx/subdocument.ts';
import { guardFields, guardIndexBodies } from '../indexes.ts';
import type { OfficePackage } from '../package.ts';
import type { PictureRegistry } from '../pictures/registry.ts';
import { ObjectCopies } from '../odf/objects.ts';
import { finishOdf } from '../odf/finish.ts';
import { namePages } from '../odf/pages.ts';
import { foldSpaces } from '../odf/spaces.ts';
import { openChartBooks } from '../ooxml/chart-books.ts';
import { cloneParts, ownedParts } from '../ooxml/clone.ts';
import { relativeTarget } from '../ooxml/relationships.ts';
import { expandRepeated } from '../odf/tables.ts';
import { type FilledInstance, groupFilled, type Plan, type PlannedBook, type UnitFormat } from '../plan.ts';
import { finishPptx } from '../pptx/finish.ts';
import { tokensOf } from '../paragraphs.ts';
import { hasTag } from '../templated.ts';
import type { TemplatePart } from '../template.ts';
import { finishXlsx, namePath } from '../xlsx/finish.ts';
import { removeCachedPoints } from '../xlsx/charts.ts';
import { copyWorkbook, prepareSheet, recordColumns, stringsMayHoldTags } from '../xlsx/prepare.ts';
import { placeLinks } from '../xlsx/links.ts';
import { sheetEntries } from '../xlsx/workbook.ts';
import { Element } from '../xml/tree.ts';
import { TABLES } from './table.ts';
import { dropLinks, MAX_NAMED } from '../pptx/slide-links.ts';
import { arrangeSlides, slidePaths } from '../pptx/slides.ts';
import { TooLongTables } from '../pptx/tables.ts';

/** The steps that differ between formats. */

/** A document whose template has run. */
export interface Finishing {
  file: OfficePackage;
  plan: Plan;
  decoded: Decoded;
  registry: PictureRegistry;
  /** Called with a sentence about something that the author should check. */
  warn: (text: string) => void;
  /** Whether another function reads the document, and no caller gets it. */
  isPassedOn: boolean;
  /** Charts outside of a workbook that show its cells. */
  charts: readonly Element[];
  /** Receives the filled workbooks inside the document, which are written back when it is packed. */
  books: { path: string; file: OfficePackage }[];
  /** Documents to insert into this one, by name. */
  subdocuments: ReadonlyMap<string, Subdocument>;
}

/** Functions that write the filled parts into the package. */
export const finishers: Readonly<Record<OfficeFormat, (finishing: Finishing) => void>> = {
  docx: (finishing) => {
    const notes = new NoteCopies(finishing.file);
    const removed = new RemovedBookmarks();
    finishParts((root, path) => finishDocx(root, path, finishing, notes, removed))(finishing);
    notes.write();
    removed.free(finishing.file, finishing.warn);
  },
  pptx: finishSlides,
  xlsx: finishXlsx,
  odt: finishParts((root, _path, finishing) => finishOdf(root, 'odt', finishing)),
  ods: (finishing) => {
    const { file, decoded } = finishing;
    const filled = new Map<string, Element>();
    finishParts((root, path) => {
      filled.set(path, root);
      finishOdsCells(root, file);
      finishOdf(root, 'ods', finishing);
      if (path !== 'content.xml') return;
      const charts = chartsOf(file, root, filled);
      updateReferences(root, charts, decoded, file).forEach(finishing.warn);
      for (const { path: chart, document } of charts) file.setXml(chart, document);
    })(finishing);
  },
  odp: finishParts((root, _path, finishing) => finishOdf(root, 'odp', finishing)),
};

/** Returns the slides or sheets of a format in which they are separate parts. */
export function unitsOf(file: OfficePackage, format: OfficeFormat): UnitFormat | null {
  if (format === 'pptx') return { mains: slidePaths(file), level: 'slide' };
  return format === 'xlsx' ? sheetsOf(file) : null;
}

/** Returns the workbooks inside the document that are filled with it. */
export async function booksOf(file: OfficePackage, format: OfficeFormat): Promise<PlannedBook[]> {
  if (format !== 'docx' && format !== 'pptx') return [];
  return (await openChartBooks(file)).map((book) => ({
    book,
    table: TABLES.xlsx,
    units: sheetsOf(book.file),
    prepareChart: removeCachedPoints,
  }));
}

function sheetsOf(file: OfficePackage): UnitFormat {
  const entries = sheetEntries(file);
  const nameOf = (main: string): string | null => entries.find(({ path }) => path === main)?.name ?? null;
  return {
    mains: entries.map(({ path }) => path),
    level: 'sheet',
    mayHoldTags: stringsMayHoldTags(file),
    prepare: (root, path) => {
      prepareSheet(root, path, file);
      placeLinks(root);
      recordColumns(root, file);
      removeCachedPoints(root);
    },
    nameOf,
    extra: (main) => sheetName(main, nameOf(main) ?? ''),
  };
}

/** Returns the name of a sheet as a part to fill; null when it contains no tag. @throws TemplateFault */
function sheetName(main: string, name: string): TemplatePart | null {
  tokensOf(name, { part: main, paragraph: 0 });
  if (!hasTag(name)) return null;
  const root = new Element('name', 'name', [{ name: 'name', tag: 'name', value: name }]);
  return { path: namePath(main), prolog: '', root };
}

/** Returns the function that changes every part before its tags are searched. */
export function preparing(format: OfficeFormat): ((root: Element) => void) | undefined {
  if (format === 'docx') return guardFields;
  if (!format.startsWith('od')) return undefined;
  return (root) => {
    if (format !== 'ods') foldSpaces(root);
    guardIndexBodies(root);
    expandRepeated(root);
    if (format === 'ods') {
      recordRows(root);
      dropCopiedCells(root);
    }
    if (format === 'odp') namePages(root);
  };
}

function finishParts(
  finish: (root: Element, path: string, finishing: Finishing) => void,
): (finishing: Finishing) => void {
  return (finishing) => {
    const { file, plan, decoded } = finishing;
    const { common, instances } = groupFilled(plan, decoded.parts);
    const put = ({ part, root }: FilledInstance, path: string): void => {
      finish(root, path, finishing);
      file.setXml(path, { prolog: part.prolog, root });
    };
    const seen = new Set<string>();
    const objects = file.has(MANIFEST) ? new ObjectCopies(file) : null;
    for (const { unit, parts } of instances) {
      // When a loop repeats charts, each copy of the referring element needs its own copy of the chart.
      const names = seen.has(unit) ? copyChart(file, unit, objects, parts[0]?.anchor ?? null) : undefined;
      seen.add(unit);
      for (const one of finishBooks(parts, finishing, names)) {
        const path = names?.get(one.part.path) ?? one.part.path;
        put(one, path);
        const { host } = one.part;
        if (names !== undefined && host !== null && objects === null)
          one.anchor?.set('r:id', file.relationships(host).add('chart', relativeTarget(host, path)));
      }
    }
    for (const one of finishBooks(common, finishing)) put(one, one.part.path);
    for (const { unit, host } of objects === null ? plan.parts : [])
      if (unit !== null && host !== null && !seen.has(unit)) drop(file, unit, host);
  };
}

/** Copies a chart for a further pass of its loop. @returns new path by old path */
function copyChart(
  file: OfficePackage,
  chart: string,
  objects: ObjectCopies | null,
  anchor: Element | null,
): ReadonlyMap<string, string> | undefined {
  if (objects === null) return cloneParts(file, ownedParts(file, chart));
  return anchor === null ? undefined : objects.copy(anchor);
}

/** Removes a chart that a loop without passes would have shown. */
function drop(file: OfficePackage, chart: string, host: string): void {
  const relations = file.relationships(host);
  for (const { id, path } of relations.list()) if (path === chart) relations.delete(id);
  for (const part of ownedParts(file, chart)) file.delete(part);
}

function finishSlides(finishing: Finishing): void {
  const { file, plan, decoded, registry, warn } = finishing;
  const { common, instances } = groupFilled(plan, decoded.parts);
  for (const { part, root } of common) {
    finishPptx(root, part.path, file, registry);
    file.setXml(part.path, { prolog: part.prolog, root });
  }
  const order = instances.map(({ unit }) => unit);
  const { names, removed } = plan.repeats
    ? arrangeSlides(file, order)
    : { names: [], removed: new Map<string, number>() };
  const tooLong = new TooLongTables(file);
  instances.forEach(({ unit, parts }, i) => {
    for (const { part, root } of finishBooks(parts, finishing, names[i])) {
      const path = names[i]?.get(part.path) ?? part.path;
      finishPptx(root, path, file, registry);
      tooLong.find(root, () => (plan.repeats ? i : slidePaths(file).indexOf(unit)) + 1);
      file.setXml(path, { prolog: part.prolog, root });
    }
  });
  // In print, LibreOffice tells it of the rows as they are laid out.
  if (!finishing.isPassedOn) tooLong.tell(warn);
  if (removed.size === 0) return;
  const lost = [...dropLinks(file, (path) => removed.has(path))].map((path) => removed.get(path) ?? 0);
  const numbers = lost.toSorted((a, b) => a - b).map((number) => `slide ${number}`);
  if (numbers.length > 0)
    warn(`Links to slides that were removed are gone: ${listed(numbers, MAX_NAMED)} of the template.`);
}

/**
 * Fills the workbooks of charts and updates the charts.
 *
 * @param filled parts of a document, or of one slide with its own parts
 * @param names new paths of a slide's parts
 * @returns the parts that do not belong to a workbook
 */
function finishBooks(
  filled: readonly FilledInstance[],
  finishing: Finishing,
  names?: ReadonlyMap<string, string>,
): FilledInstance[] {
  const { plan, decoded, registry, books, warn, isPassedOn } = finishing;
  const inBooks = Map.groupBy(filled, ({ part }) => part.inner?.book);
  for (const [book, own] of inBooks) {
    if (book === undefined) continue;
    const file = copyWorkbook(book.file);
    const parts = own.flatMap(({ part }) => (part.inner === null ? [] : [part.inner.part]));
    finishXlsx({
      file,
      plan: { ...plan, parts, repeats: false },
      decoded: { ...decoded, parts: own.map(({ root }, number) => ({ number, root, anchor: null })) },
      registry,
      warn,
      isPassedOn,
      charts: filled.flatMap(({ part, root }) => (book.charts.has(part.path) ? [root] : [])),
      books: [],
      subdocuments: new Map(),
    });
    books.push({ path: names?.get(book.path) ?? book.path, file });
  }
  return inBooks.get(undefined) ?? [];
}
