import { type Colour, markElements, placesOfMarks } from '@platen/print/sections';
import { inches, paperInches, type PaperSize } from '@platen/print/paper';
import { PIXELS_OF_INCH } from '@platen/print/page-rules';
import type { SheetOptions } from '@platen/print/sheet-options';
import * as z from 'zod';

/**
 * Tables over several pages. WebKit cuts their rows at the end of a page, has no breaks between rows, and repeats
 * no header. So rows that the end of a page meets are found by marks in a copy of the document (sections.ts), and the
 * table is divided before them: by a row whose cell has a forced break in it, with copies of header and footer beside it.
 */

/** Most printings with marks: each settles the first table that has not been, and those that do not depend on it. */
export const MAX_TABLE_PASSES = 8;

/** Rows that are looked at. */
const MAX_ROWS = 20_000;

const tablesSchema = z.array(
  z.object({
    /** Whether a forced break separates it from the table before it, so that it does not move with that one. */
    isFree: z.boolean(),
    /** Whether nothing but the heights of what is above it decides where it is: no break is forced or avoided. */
    isStill: z.boolean(),
    /** CSS pixels from the beginning of the document, as if it were not divided into pages. */
    top: z.number(),
    bottom: z.number(),
    /** CSS pixels of the header and the footer that are repeated. */
    head: z.number(),
    foot: z.number(),
    /** The number of the mark at the beginning of the header. */
    mark: z.number(),
    /** Rows that no cell connects, from the beginning to the end: the number of the first row, and the height. */
    units: z.array(
      z.object({
        row: z.number(),
        height: z.number(),
        /** As that of the table. */
        bottom: z.number(),
        /** The number of the mark at its end. */
        to: z.number(),
      }),
    ),
  }),
);
export type Tables = z.infer<typeof tablesSchema>;

/** Returns null if no table may meet the end of a page, or if the document's scripts have made the result invalid. */
export function tablesOf(found: unknown): Tables | null {
  const tables = tablesSchema.safeParse(found).data ?? [];
  return tables.some(({ units }) => units.length > 0) ? tables : null;
}

/** Returns whether a document may have tables. */
export function mayHaveTables(html: string): boolean {
  return /<table\b|createElement\(\s*["']table/i.test(html);
}

/**
 * Returns an expression for `tablesScript`: a height that a document does not have whose pages are known to be one, before
 * it has the width of its sheet.
 *
 * @param room of the sheet that the document has been loaded for, in CSS pixels
 */
export function leastHeight(
  { paper, landscape, margins, scale }: Pick<SheetOptions, 'paper' | 'landscape' | 'margins' | 'scale'>,
  room: PaperSize,
): string {
  const { width, height } = paperInches(paper, landscape);
  const given = {
    width: width * PIXELS_OF_INCH,
    height: height * PIXELS_OF_INCH,
    ...Object.fromEntries(
      Object.entries(margins).map(([side, length]) => [side, inches(length) * PIXELS_OF_INCH]),
    ),
  };
  return `(() => {
    if (rules === null && heights === null) return ${room.height};
    const given = ${JSON.stringify(given)};
    const room = (axis, ...sides) =>
      sides.reduce((rest, side) => rest - (rules?.margins[side] ?? given[side]), rules?.size?.[axis] ?? given[axis]) / ${scale};
    // Narrower text is longer, and headers may take some of the room.
    return 0.7 * room('height', 'top', 'bottom') * Math.min(1, room('width', 'left', 'right') / ${room.width});
  })()`;
}

/** The rows of each table, by their numbers, that begin a page. */
export type TableBreaks = readonly (readonly number[])[];

/**
 * Statements that divide the tables of a loaded document, and leave their rows in `tables`.
 *
 * @param height expression of the height of the text on a page, in CSS pixels; a document that is not higher has no marks
 * @param signature colour of the marks; null for no marks
 */
export function tablesScript(breaks: TableBreaks, height: string, signature: Colour | null): string {
  return `
  let tables = null;
  if (document.querySelector('table') !== null && document.documentElement.scrollHeight > ${height}) {
    const breaks = ${JSON.stringify(breaks)};
    ${signature === null ? 'const mark = null;' : markElements(signature)}
    ${BODY}
  }`;
}

const BODY = `
    const forced = /^(?:always|page|left|right|recto|verso)$/;
    // WebKit does not divide what is in these.
    const isDivided = (table) => {
      for (let at = table; at !== null && at !== document.documentElement; at = at.parentElement) {
        const { display, position, float } = getComputedStyle(at);
        if (!(at === table ? /^table$/ : /^(?:block|flow-root|list-item|table.*)$/).test(display)) return false;
        if (/^(?:absolute|fixed)$/.test(position) || float !== 'none') return false;
      }
      return true;
    };
    // Whether it is where its position in the undivided document says, if no break is forced before it.
    const isStill = (table) => {
      for (let at = table; at !== null; at = at.parentElement) {
        const { breakInside, columnCount, columnWidth, transform, writingMode } = getComputedStyle(at);
        const said = [breakInside, columnCount, columnWidth].every((value) => value === 'auto');
        if (!said || transform !== 'none' || writingMode !== 'horizontal-tb') return false;
      }
      return true;
    };
    const shownRows = (section) => [...section?.rows ?? []].filter((row) => row.getClientRects().length > 0);
    const heightOf = (section) => section?.getBoundingClientRect().height ?? 0;
    const unitsOf = (bodies) => bodies.flatMap((body) => {
      const units = [];
      let covered = 0;
      for (const row of shownRows(body)) {
        if (covered <= 0) units.push([]);
        units.at(-1).push(row);
        covered = Math.max(covered, ...[...row.cells].map(({ rowSpan }) => rowSpan || Infinity)) - 1;
      }
      return units;
    });
    // Where a document is divided anyway, a table does not move with those before.
    const steps = [];
    const all = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT);
    while (all.nextNode() && steps.length < ${MAX_ROWS}) {
      const element = all.currentNode;
      if (element.localName === 'table') steps.push(element);
      if (/^(?:tr|t[dh]|span|a|b|i|br|col)$/.test(element.localName)) continue;
      const { breakBefore, breakAfter } = getComputedStyle(element);
      if (forced.test(breakBefore) && element.localName !== 'table') steps.push(null);
      if (forced.test(breakAfter)) steps.push(null);
    }
    const found = [];
    let rowsLeft = ${MAX_ROWS};
    for (const [index, table] of steps.entries()) {
      if (table === null || !isDivided(table)) continue;
      const bodies = [...table.tBodies];
      const units = unitsOf(bodies);
      if (units.length < 2 || (rowsLeft -= units.length) < 0) continue;
      found.push({ table, bodies, units, rows: bodies.flatMap((body) => [...body.rows]), isFree: index === 0 || steps[index - 1] === null });
    }
    let last = 0;
    const markAt = (row, edge) => {
      const cell = [...row?.cells ?? []].find(({ rowSpan }) => rowSpan === 1) ?? row?.cells[0];
      last += 1;
      if (mark === null || cell === undefined) return last;
      if (getComputedStyle(cell).position === 'static') cell.style.setProperty('position', 'relative', 'important');
      const own = mark(last);
      own.style.setProperty('left', '0', 'important');
      own.style.setProperty(edge, '0', 'important');
      cell.append(own);
      return last;
    };
    const numberOf = new Map(found.flatMap(({ rows }) => rows.map((row, number) => [row, number])));
    const hasBreaks = steps.includes(null) || steps.length >= ${MAX_ROWS};
    const yOf = (element, edge) => element.getBoundingClientRect()[edge] + scrollY;
    tables = found.map(({ table, units, isFree }) => ({
      isFree,
      isStill: !hasBreaks && isStill(table),
      top: yOf(table, 'top'),
      bottom: yOf(table, 'bottom'),
      head: heightOf(table.tHead),
      foot: heightOf(table.tFoot),
      units: units.map((unit) => ({
        row: numberOf.get(unit[0]),
        height: yOf(unit.at(-1), 'bottom') - yOf(unit[0], 'top'),
        bottom: yOf(unit.at(-1), 'bottom'),
      })),
    }));
    for (const [index, { table, units }] of found.entries()) {
      tables[index].mark = markAt(table.tHead?.rows[0] ?? units[0][0], 'top');
      for (const [at, unit] of units.entries())
        tables[index].units[at].to = markAt(unit.at(-1), 'bottom');
    }
    const said = (element, declarations) => {
      for (const [name, value] of Object.entries(declarations)) element.style.setProperty(name, value, 'important');
      return element;
    };
    const hidden = () => said(document.createElement('tr'), { display: 'none' });
    const copyOf = (section) => {
      const copy = said(section.cloneNode(true), { display: 'table-row-group' });
      for (const element of [copy, ...copy.querySelectorAll('[id]')]) element.removeAttribute('id');
      for (const own of copy.querySelectorAll('platen-mark')) own.remove();
      return copy;
    };
    const nothing = { display: 'block', height: '0', margin: '0', padding: '0', border: '0' };
    const gapOf = (table, row) => {
      const { borderCollapse } = getComputedStyle(table);
      const gap = document.createElement('tbody');
      const cell = said(gap.insertRow().insertCell(), {
        padding: '0', height: '0', 'line-height': '0', 'font-size': '0', background: 'none', 'box-shadow': 'none',
        border: '0', 'border-left-style': 'hidden', 'border-right-style': 'hidden',
      });
      said(gap.rows[0], { background: 'none', height: '0', border: '0' });
      said(gap, { background: 'none', border: '0' });
      cell.colSpan = [...row.cells].reduce((sum, { colSpan }) => sum + colSpan, 0);
      // Half of a shared border is above the row that it belongs to.
      const next = table.tHead?.rows[0] ?? row;
      const above = borderCollapse === 'collapse' ? Math.max(0, ...[...next.cells].map((one) => parseFloat(getComputedStyle(one).borderTopWidth) || 0)) : 0;
      cell.append(said(document.createElement('div'), nothing));
      cell.append(said(document.createElement('div'), { ...nothing, height: Math.ceil(above / 2) + 'px', 'break-before': 'page' }));
      return gap;
    };
    for (const [index, { table, rows }] of found.entries()) {
      // From the end, where rows are still in their places.
      for (const number of [...breaks[index] ?? []].reverse()) {
        const row = rows[number];
        if (row === undefined) continue;
        if (number === 0) {
          said(table, { 'break-before': 'page' });
          continue;
        }
        const body = row.parentNode;
        let rest = body;
        const before = [...body.rows].indexOf(row);
        if (before > 0) {
          rest = body.cloneNode(false);
          rest.removeAttribute('id');
          // So that selectors such as nth-child() and last-child choose the same rows.
          for (let count = (before % 12) + 12; count > 0; count -= 1) rest.append(hidden());
          for (let next = row; next !== null; ) {
            const moved = next;
            next = next.nextElementSibling;
            rest.append(moved);
          }
          body.append(hidden());
          body.after(rest);
        }
        const gap = gapOf(table, row);
        rest.before(...(table.tFoot === null ? [] : [copyOf(table.tFoot)]), gap, ...(table.tHead === null ? [] : [copyOf(table.tHead)]));
      }
    }`;

/**
 * Returns the rows that begin a page, by the positions of the tables in the undivided document: those of tables that end
 * on the first page, of the first one that does not, and of those that end on the page where that one ends.
 *
 * @param height of the text on a page, in CSS pixels
 * @returns null if a table is somewhere else, where printings have to tell
 */
export function predictedBreaks(tables: Tables, height: number): TableBreaks | null {
  const breaks: (readonly number[])[] = [];
  // What is at `start` is `below` the beginning of its page.
  let [start, below] = [0, 0];
  for (const table of tables) {
    if (below + table.bottom - start <= height - SPARE) {
      breaks.push([]);
      continue;
    }
    const isFirst = breaks.every((rows) => rows.length === 0);
    if (!isFirst || !table.isStill || hasHighRow(table, height)) return null;
    const isBeyond = (bottom: number): number => (bottom > height - SPARE ? 1 : 0);
    const places = new Map(table.units.map(({ to, bottom }) => [to, isBeyond(bottom)]));
    const rows = breaksOf(table, [], places.set(table.mark, 0), height);
    const last = table.units.find(({ row }) => row === rows.at(-1));
    if (last === undefined) return null;
    breaks.push(rows);
    // A table that begins a page has its own header there, and not a copy.
    [start, below] = last.row === 0 ? [table.top, 0] : [last.bottom - last.height, table.head];
  }
  return breaks;
}

function hasHighRow(table: Tables[number], height: number): boolean {
  return table.units.some((unit) => unit.height > roomOf(table, height));
}

/**
 * Returns the rows that begin a page in the next printing.
 *
 * @param marked the document printed with `breaks` and with its marks
 * @param height of the text on a page, in CSS pixels
 * @returns the breaks, and whether no row is cut with them. The heights of the rows tell that, except for a table that
 *   moves with one before it, and for one with rows that are higher than a page: those have to be printed to be known.
 */
export async function nextBreaks(
  marked: Uint8Array,
  signature: Colour,
  tables: Tables,
  breaks: TableBreaks,
  height: number,
): Promise<{ breaks: TableBreaks; isSettled: boolean }> {
  const { places } = await placesOfMarks(marked, signature);
  let hasMoved = false;
  let isSettled = true;
  const next = tables.map((table, index): readonly number[] => {
    if (table.isFree) hasMoved = false;
    const known = breaks[index] ?? [];
    // It will be somewhere else.
    if (hasMoved) {
      isSettled = false;
      return known.length === 0 ? known : [];
    }
    const wanted = breaksOf(table, known, places, height);
    hasMoved = wanted.length !== known.length || wanted.some((row, at) => row !== known[at]);
    if (hasMoved && hasHighRow(table, height)) isSettled = false;
    return wanted;
  });
  return { breaks: next, isSettled };
}

/** Pixels that a page may have less than measured: rows are rounded. */
const SPARE = 3;

/** Returns the height that the rows of a table have on a page, beside its header and footer. */
function roomOf({ head, foot }: Tables[number], height: number): number {
  return height - head - foot - SPARE;
}

function breaksOf(
  table: Tables[number],
  known: readonly number[],
  places: ReadonlyMap<number, number>,
  height: number,
): readonly number[] {
  const { units, foot, mark } = table;
  const room = roomOf(table, height);
  let page = places.get(mark);
  const cut = units.findIndex(({ row, to, height: own }) => {
    const end = places.get(to);
    if (end === undefined) return false;
    const isNew = known.includes(row);
    const meets = !isNew && page !== undefined && end > page;
    page = end;
    // A row that is higher than a page is divided on any page.
    return meets && own <= room;
  });
  if (cut === -1) return known;
  const rows = known.filter((row) => row < (units[cut]?.row ?? 0));
  const first = begins(units, cut, foot, known);
  rows.push(units[first]?.row ?? 0);
  let used = 0;
  for (const unit of units.slice(first)) {
    if (used > 0 && used + unit.height > room) {
      if (unit.height <= room || used > room / 2) {
        rows.push(unit.row);
        used = 0;
      }
    }
    used = used + unit.height > room ? (used + unit.height) % room : used + unit.height;
  }
  return rows;
}

/** The unit before which the footer has room. */
function begins(units: Tables[number]['units'], cut: number, foot: number, known: readonly number[]): number {
  let at = cut;
  for (let room = 0; at > 1 && room < foot && !known.includes(units[at - 1]?.row ?? 0); at -= 1)
    room += units[at - 1]?.height ?? 0;
  return at;
}
