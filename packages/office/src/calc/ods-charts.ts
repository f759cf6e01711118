import { objectContent, ObjectCopies } from '../odf/objects.ts';
import type { OfficePackage } from '../package.ts';
import type { XmlDocument } from '../xml/parse.ts';
import { all, closest, copyElement, type Element, remove } from '../xml/tree.ts';

/** Charts of an OpenDocument spreadsheet: embedded documents that refer to its cells. */

const TABLE: ReadonlySet<string> = new Set(['table:table']);
const FRAME: ReadonlySet<string> = new Set(['draw:frame']);

/** A chart of a filled spreadsheet. */
export interface OdsChart {
  path: string;
  /** Its filled content; changes have to be written back. */
  document: XmlDocument;
  /** The sheet that shows it. */
  table: Element | null;
}

/**
 * Removes a chart's copy of its cells (ODF 1.3 part 3, 11.15): the copy contains tags that belong to the
 * sheet, and the program that opens the file recreates it.
 */
export function dropCopiedCells(root: Element): void {
  if (!showsCells(root)) return;
  for (const table of all(root, 'table:table')) if (table.get('table:name') === 'local-table') remove(table);
}

/** Returns whether a chart refers to a sheet; another one shows cells of its own. */
function showsCells(root: Element): boolean {
  const areas = all(root, 'chart:series').flatMap((one) => one.get('chart:values-cell-range-address') ?? []);
  return areas.length > 0 && !areas.some((area) => area.startsWith('local-table.'));
}

/**
 * Returns the charts that a filled spreadsheet shows, whose cells may have moved. Each copy of a sheet gets its
 * own; beside rows that a loop repeats, a chart with the same text in all passes stays one, as in xlsx.
 *
 * @param filled the parts that contained tags, by path
 */
export function chartsOf(
  file: OfficePackage,
  content: Element,
  filled: ReadonlyMap<string, Element>,
): OdsChart[] {
  const charts: OdsChart[] = [];
  const copies = new ObjectCopies(file);
  /** The sheets that show each chart, with its texts there, by its template. */
  const shown = new Map<Element | string, Map<Element | null, Set<string | undefined>>>();
  for (const object of all(content, 'draw:object')) {
    const path = objectContent(object, file);
    if (path === null) continue;
    const own = filled.get(path);
    const text = own?.textContent();
    const table = closest(object, TABLE);
    const template = own?.source ?? path;
    const known = shown.get(template) ?? new Map<Element | null, Set<string | undefined>>();
    const texts = known.get(table) ?? new Set();
    if (texts.has(text)) {
      remove(closest(object, FRAME) ?? object);
      if (own !== undefined) copies.drop(path);
      continue;
    }
    const { prolog, root } = file.xml(path);
    if (!showsCells(root)) continue;
    const place = known.size === 0 || own !== undefined ? path : (copies.copy(object).get(path) ?? path);
    shown.set(template, known.set(table, texts.add(text)));
    // Like a filled part, the copy records its source.
    const chart = own ?? copyElement(root);
    dropCopiedCells(chart);
    charts.push({ path: place, document: { prolog, root: chart }, table });
  }
  return charts;
}
