import { type Colour, placesOfMarks } from '@platen/print/sections';
import * as z from 'zod';

/**
 * Tables over several pages. WebKit cuts their rows at the end of a page, has no breaks between rows, and repeats
 * no header. So the rows that the end of a page meets are found, by positions in the loaded document or by marks in a copy
 * of it (sections.ts), and the table is divided before them: by a row whose cell has a forced break in it, with copies of
 * header and footer beside it (tables-script.ts).
 */

/** Most printings with marks: each settles the first table that has not been, and those that do not depend on it. */
export const MAX_TABLE_PASSES = 8;

const tablesSchema = z.array(
  z.object({
    /** Whether a forced break separates it from the table before it, so that it does not move with that one. */
    isFree: z.boolean(),
    /** Whether its position depends only on the heights of the content above it: no break is forced or avoided. */
    isStill: z.boolean(),
    /** CSS pixels from the beginning of the document, without division into pages. */
    top: z.number(),
    bottom: z.number(),
    /** CSS pixels between rows, and at the beginning of a page. */
    spacing: z.number(),
    /** CSS pixels of the header and the footer that are repeated, each with a spacing. */
    head: z.number(),
    foot: z.number(),
    /** The number of the mark at the beginning of the header. */
    mark: z.number(),
    /**
     * Rows that no cell connects, from the beginning to the end: the number of the first row, and the height with a
     * spacing.
     */
    units: z.array(
      z.object({
        row: z.number(),
        height: z.number(),
        /** The same as for the table. */
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

/** The rows of each table, by their numbers, that begin a page. */
export type TableBreaks = readonly (readonly number[])[];

/**
 * Returns the rows that begin a page, by the positions of the tables in the undivided document: those of tables that end
 * on the first page, of the first one that does not, and of those that end on the page where that one ends.
 *
 * @param height of the text on a page, in CSS pixels
 * @returns null if a table is somewhere else, where printings have to tell
 */
export function predictedBreaks(tables: Tables, height: number): TableBreaks | null {
  const breaks: (readonly number[])[] = [];
  // Content at `start` is `below` CSS pixels under the beginning of its page.
  let [start, below] = [0, 0];
  for (const table of tables) {
    if (below + table.bottom - start <= height - SPARE) {
      breaks.push([]);
      continue;
    }
    const isFirst = breaks.every((rows) => rows.length === 0);
    if (!isFirst || !table.isStill || hasHighRow(table, height)) return null;
    const isBeyond = (bottom: number): number => (bottom + table.spacing > height - SPARE ? 1 : 0);
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
    // It will move in the next printing.
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
function roomOf({ head, foot, spacing }: Tables[number], height: number): number {
  return height - spacing - head - foot - SPARE;
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
