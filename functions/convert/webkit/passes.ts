import { isDeepStrictEqual } from 'node:util';
import { type Colour, newSignature, placesOfMarks } from '@platen/print/sections';
import type { Sheet } from '@platen/print/sheet';
import type { Loaded } from './loaded.ts';
import { columnsScript } from './columns-script.ts';
import { finished, foundBy, leftInOneColumn, writePart } from './parts.ts';
import { pagesOf } from './picked.ts';
import { prepareForPrint } from './prepare.ts';
import type { PrintAnswer, PrintOrder } from './process.ts';
import {
  type KnownPages,
  MAX_PASSES,
  NOTHING_KNOWN,
  pagesMadeBlank,
  type Placed,
  placed,
  type References,
  referencesScript,
  segmentsOf,
} from './references.ts';
import {
  compose,
  type ComposedPage,
  composedPlaces,
  isSameRoom,
  type MarkedPages,
  MAX_ROOMS,
  type PageSheets,
  type Segment,
} from './rooms.ts';
import { sheetSetup } from './sheet.ts';
import {
  MAX_TABLE_PASSES,
  nextBreaks,
  predictedBreaks,
  type TableBreaks,
  type Tables,
  tablesOf,
} from './tables.ts';
import { tablesScript } from './tables-script.ts';

/**
 * Prints a document again if only a printing can determine its layout: its tables, its references to pages, and its
 * pages with another area for text.
 */

/** The sheet of a document, as WebKit gets it. */
export type OwnSheet = Pick<PrintOrder, 'sheet' | 'room'>;

/** An area for text that some pages share. */
export interface Room {
  sheet: Sheet;
  own: OwnSheet;
  /** The rows of tables that begin a page. */
  breaks: TableBreaks;
}

/** The final PDF of a document. */
export interface Layout {
  /** The first one belongs to pages without a rule of their own. */
  rooms: readonly Room[];
  known: KnownPages;
  /** The pages, chosen from the printings for the areas; null: all pages of the first one. */
  pages: readonly ComposedPage[] | null;
}

/** The values that are written into a document before it is printed again. */
interface Further {
  references?: { known: KnownPages; marks: Colour | null };
  tables?: { breaks: TableBreaks; marks: Colour | null };
  /** Statements that leave the titles of headings in `titles`. */
  titles?: string;
}

/** Loads and prints a document again. @returns the PDF, and the facts that were read from the document */
async function printAgain(
  loaded: Loaded,
  own: OwnSheet,
  { references: { known, marks } = { known: NOTHING_KNOWN, marks: null }, tables, titles }: Further,
): Promise<{ pdf: Buffer; found: ReturnType<typeof foundBy> }> {
  const { process, folder, document, mentions, order, references } = loaded;
  const { html, options } = document;
  const part = writePart(folder, 'again', html);
  const settle = prepareForPrint(document, mentions, options, {
    ...(titles === undefined ? {} : { titles }),
    ...(references === null ? {} : { references: referencesScript(known, marks) }),
    ...(tables === undefined
      ? {}
      : { tables: tablesScript(tables.breaks, String(own.room.height), tables.marks) }),
  });
  const reopened = await process.print({ ...part, ...order, ...own, asks: true, settle, keep: true });
  const pdf = finished(reopened.ok ? await printOnSheet(loaded, own) : reopened, part);
  return { pdf, found: foundBy(reopened) };
}

const ONE_COLUMN = 'webkit prints one column (columns): rendering_engine chrome does not';

/**
 * Prints the loaded document on its sheet.
 *
 * @param arrange statements that change it before; its columns become boxes after that
 * @param keep whether another order for it follows
 */
export async function printOnSheet(
  { process, hasColumns, warnings }: Loaded,
  own: OwnSheet,
  { arrange = '', keep = true }: { arrange?: string; keep?: boolean } = {},
): Promise<PrintAnswer> {
  const all = hasColumns ? `{${arrange}}${columnsScript(own.room.height)}` : arrange;
  const answer = await process.goOn({ ...own, ...(all === '' ? {} : { arrange: all }), keep });
  if (hasColumns && leftInOneColumn(answer) > 0) warnings.add(ONE_COLUMN);
  return answer;
}

/** Prints the final form of a document once more with marks at its headings. @returns the PDF, and the titles found */
export async function printWithTitles(
  loaded: Loaded,
  { rooms, known, pages }: Layout,
  titles: string,
): Promise<{ pdf: Uint8Array; titles: unknown }> {
  let found: unknown = null;
  const pdfs: Buffer[] = [];
  for (const { own, breaks } of rooms) {
    const printed = await printAgain(loaded, own, {
      titles,
      references: { known, marks: null },
      tables: { breaks, marks: null },
    });
    pdfs.push(printed.pdf);
    found = printed.found.titles;
  }
  return { pdf: pages === null ? (pdfs[0] ?? new Uint8Array()) : await pagesOf(pdfs, pages), titles: found };
}

/** Returns the rows that begin a page if they can be determined before printing; otherwise null. */
export function predicted({ tables, order }: Loaded, own: OwnSheet): TableBreaks | null {
  if (tables === null) return [];
  // Otherwise the rows were measured on another sheet.
  const isMeasured = isDeepStrictEqual({ sheet: order.sheet, room: order.room }, own);
  return isMeasured ? predictedBreaks(tables, own.room.height) : null;
}

/** The final printing of a document. */
export interface Settled {
  body: Uint8Array;
  layout: Layout;
  /** The pages of its references; null if it has none. */
  placed: Placed | null;
}

/** The sheets of a document's pages, and the area for text that most of them have. */
export interface Sheets {
  sheets: PageSheets;
  sheet: Sheet;
  own: OwnSheet;
}

/**
 * Prints the final form of a document: its tables divided between rows, its page references filled in, and without
 * marks.
 *
 * @param first the document as it is loaded, its tables divided by `known`
 * @param known null if the rows that begin a page are not known
 */
export async function settled(
  loaded: Loaded,
  first: Buffer,
  { sheets, sheet, own }: Sheets,
  known: TableBreaks | null,
): Promise<Settled> {
  const { signature, references } = loaded;
  const breaks = known ?? (await breaksOfTables(loaded, own));
  const room = { sheet, own, breaks };
  const isFinal = known !== null || !isDivided(breaks);
  const layout = { rooms: [room], known: NOTHING_KNOWN, pages: null };
  if (signature === null || references === null) {
    // A document with marks is printed again without them.
    const isDelivered = isFinal && signature === null;
    const body = isDelivered ? first : (await printAgain(loaded, own, tablesIn(room))).pdf;
    return { body, layout, placed: null };
  }
  return await withReferences(loaded, { references, signature }, { room, sheets }, isFinal ? first : null);
}

/** Returns whether a row of a table begins a page. */
export function isDivided(breaks: TableBreaks): boolean {
  return breaks.some((rows) => rows.length > 0);
}

function tablesIn({ breaks }: Room): Further {
  return isDivided(breaks) ? { tables: { breaks, marks: null } } : {};
}

const MAY_BE_CUT =
  'webkit may cut rows of tables where a page ends, in documents with many tables over several pages: rendering_engine chrome does not';

/** Determines the rows that begin a page, by printings with marks. */
async function breaksOfTables(loaded: Loaded, own: OwnSheet): Promise<TableBreaks> {
  const marks = newSignature();
  let breaks: TableBreaks = [];
  for (let pass = 1; pass <= MAX_TABLE_PASSES; pass += 1) {
    const { pdf, found } = await printAgain(loaded, own, { tables: { breaks, marks } });
    const tables: Tables | null = tablesOf(found.tables);
    if (tables === null) return [];
    const next = await nextBreaks(pdf, marks, tables, breaks, own.room.height);
    breaks = next.breaks;
    if (next.isSettled) return breaks;
  }
  loaded.warnings.add(MAY_BE_CUT);
  return breaks;
}

/** Returns one area for each that pages of the document may have; that of most pages comes first. */
async function roomsOf(
  loaded: Loaded,
  segments: readonly Segment[],
  { room, sheets }: { room: Room; sheets: PageSheets },
): Promise<Room[]> {
  const others = sheets
    .ofRooms(segments.map(({ name }) => name))
    .filter((sheet) => !isSameRoom(sheet, room.sheet));
  if (others.length >= MAX_ROOMS) return [room];
  const rooms = [room];
  for (const sheet of others) {
    const { factor: _, ...own } = sheetSetup(sheet, loaded.document.options.scale);
    rooms.push({ sheet, own, breaks: loaded.tables === null ? [] : await breaksOfTables(loaded, own) });
  }
  return rooms;
}

/**
 * Prints a document with page references until they no longer change.
 *
 * @param first the document with its marks and its final tables; null if it was not printed that way
 */
async function withReferences(
  loaded: Loaded,
  { references, signature }: { references: References; signature: Colour },
  given: { room: Room; sheets: PageSheets },
  first: Buffer | null,
): Promise<Settled> {
  const { firstPageNumber } = loaded.document.options;
  const segments = segmentsOf(references);
  let rooms = await roomsOf(loaded, segments, given);
  const again = async (room: Room, known: KnownPages, marks: Colour | null): Promise<Buffer> =>
    (await printAgain(loaded, room.own, { ...tablesIn(room), references: { known, marks } })).pdf;
  let known = NOTHING_KNOWN;
  for (let pass = 1; ; pass += 1) {
    const printings: MarkedPages[] = [];
    for (const [index, room] of rooms.entries()) {
      const isPrinted = pass === 1 && index === 0 && first !== null;
      const marks = await placesOfMarks(isPrinted ? first : await again(room, known, signature), signature);
      printings.push({ ...marks, blank: pagesMadeBlank(known.blanks, marks.places) });
    }
    const pages =
      rooms.length === 1
        ? null
        : compose(
            segments,
            rooms.map(({ sheet }) => sheet),
            printings,
            given.sheets,
          );
    if (pages === null) rooms = rooms.slice(0, 1);
    const [all] = printings;
    const seen = pages === null ? all : { places: composedPlaces(pages, printings), total: pages.length };
    if (seen === undefined) throw new Error('a document without a printing');
    const now = placed(seen, references, known.blanks, firstPageNumber);
    if (pass < MAX_PASSES && !isDeepStrictEqual(now.known, known)) {
      known = now.known;
      continue;
    }
    // The pages were chosen including these blank pages.
    const final = { numbers: now.known.numbers, blanks: known.blanks };
    const pdfs: Buffer[] = [];
    for (const room of rooms) pdfs.push(await again(room, final, null));
    const [body = Buffer.alloc(0)] = pdfs;
    return {
      body: pages === null ? body : await pagesOf(pdfs, pages),
      layout: { rooms, known: final, pages },
      placed: now,
    };
  }
}
