import type { Decoded } from '../decode.ts';
import type { OfficePackage } from '../package.ts';
import type { Plan } from '../plan.ts';
import type { XmlDocument } from '../xml/parse.ts';
import { all, copyElement, type Element, remove } from '../xml/tree.ts';

/** Charts of an OpenDocument spreadsheet: embedded documents that refer to its cells. */

const CHART = /^[^/]+\/content\.xml$/;

/**
 * Removes a chart's copy of its cells (ODF 1.3 part 3, 11.15): the copy contains tags that belong to the
 * sheet, and the program that opens the file recreates it.
 */
export function dropCopiedCells(root: Element): void {
  const areas = all(root, 'chart:series').flatMap((one) => one.get('chart:values-cell-range-address') ?? []);
  // A chart that does not refer to a sheet shows its own cells.
  if (areas.length === 0 || areas.some((area) => area.startsWith('local-table.'))) return;
  for (const table of all(root, 'table:table')) if (table.get('table:name') === 'local-table') remove(table);
}

/**
 * Returns the charts whose cells may have moved, filled or not.
 *
 * @returns document by path; changes to `root` have to be written back
 */
export function chartsOf(file: OfficePackage, plan: Plan, decoded: Decoded): Map<string, XmlDocument> {
  const filled = new Map(
    decoded.parts.flatMap(({ number, root }) => {
      const part = plan.parts[number];
      return part === undefined ? [] : [[part.path, { prolog: part.prolog, root }] as const];
    }),
  );
  const charts = new Map<string, XmlDocument>();
  for (const path of file.paths().filter((one) => CHART.test(one))) {
    const { prolog, root } = filled.get(path) ?? file.xml(path);
    if (all(root, 'chart:series').length === 0) continue;
    const own = filled.get(path)?.root ?? copyElement(root);
    dropCopiedCells(own);
    charts.set(path, { prolog, root: own });
  }
  return charts;
}
