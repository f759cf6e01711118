import { isDeepStrictEqual } from 'node:util';
import { type Colour, newSignature } from '@platen/print/sections';
import type { Loaded } from './loaded.ts';
import { finished, foundBy, writePart } from './parts.ts';
import { prepareForPrint } from './prepare.ts';
import type { PrintOrder } from './process.ts';
import { MAX_PASSES, type PageNumbers, type Placed, placed, referencesScript } from './references.ts';
import {
  MAX_TABLE_PASSES,
  nextBreaks,
  predictedBreaks,
  type TableBreaks,
  type Tables,
  tablesOf,
} from './tables.ts';
import { tablesScript } from './tables-script.ts';

/** Prints a document again where only a printing tells how it has to be: its tables, and its references to pages. */

/** The sheet of a document, as WebKit is given it. */
export type OwnSheet = Pick<PrintOrder, 'sheet' | 'room'>;

/** What is written into a document that is printed again. */
interface Further {
  references?: { known: PageNumbers; marks: Colour | null };
  tables?: { breaks: TableBreaks; marks: Colour | null };
}

/** Loads and prints a document again. @returns the PDF, and the tables that were found */
async function printAgain(
  { process, folder, document, order, references }: Loaded,
  own: OwnSheet,
  { references: { known, marks } = { known: {}, marks: null }, tables }: Further,
): Promise<{ pdf: Buffer; tables: Tables | null }> {
  const { html, files, options } = document;
  const part = await writePart(folder, 'again', html);
  const settle = prepareForPrint(files, options, {
    ...(references === null ? {} : { references: referencesScript(known, marks) }),
    ...(tables === undefined
      ? {}
      : { tables: tablesScript(tables.breaks, String(own.room.height), tables.marks) }),
  });
  const reopened = await process.print({ ...part, ...order, ...own, asks: true, settle, keep: true });
  const found = tables === undefined ? null : tablesOf(foundBy(reopened).tables);
  const pdf = await finished(reopened.ok ? await process.goOn(own) : reopened, part);
  return { pdf, tables: found };
}

/** Returns the rows that begin a page, if that is known before a document is printed; null if it is not. */
export function predicted({ tables, order }: Loaded, own: OwnSheet): TableBreaks | null {
  if (tables === null) return [];
  // Otherwise they were measured on another sheet.
  const isMeasured = isDeepStrictEqual({ sheet: order.sheet, room: order.room }, own);
  return isMeasured ? predictedBreaks(tables, own.room.height) : null;
}

/**
 * Prints a document as it is delivered: its tables divided between rows, its page references filled in, and without marks.
 *
 * @param first the document as it is loaded, its tables divided by `known`
 * @param known null if the rows that begin a page are not known
 */
export async function settled(
  loaded: Loaded,
  first: Buffer,
  own: OwnSheet,
  known: TableBreaks | null,
): Promise<{ body: Buffer; places: Placed | null; breaks: TableBreaks }> {
  const { signature } = loaded;
  const breaks = known ?? (await breaksOfTables(loaded, own));
  const isDivided = breaks.some((rows) => rows.length > 0);
  const tables = isDivided ? { tables: { breaks, marks: null } } : {};
  if (signature !== null) {
    const isFinal = known !== null || !isDivided;
    return { ...(await withReferences(loaded, isFinal ? first : null, own, tables, signature)), breaks };
  }
  const body = known === null && isDivided ? (await printAgain(loaded, own, tables)).pdf : first;
  return { body, places: null, breaks };
}

/** Finds the rows that begin a page, by printings with marks. */
async function breaksOfTables(loaded: Loaded, own: OwnSheet): Promise<TableBreaks> {
  const marks = newSignature();
  let breaks: TableBreaks = [];
  for (let pass = 1; pass <= MAX_TABLE_PASSES; pass += 1) {
    const { pdf, tables } = await printAgain(loaded, own, { tables: { breaks, marks } });
    if (tables === null) return [];
    const next = await nextBreaks(pdf, marks, tables, breaks, own.room.height);
    breaks = next.breaks;
    if (next.isSettled) break;
  }
  return breaks;
}

/**
 * Prints a document with page references until they do not change any more.
 *
 * @param first the document with its marks and its tables as they are delivered; null if it has not been printed so
 */
async function withReferences(
  loaded: Loaded,
  first: Buffer | null,
  own: OwnSheet,
  tables: Further,
  signature: Colour,
): Promise<{ body: Buffer; places: Placed | null }> {
  const { references, document } = loaded;
  const { firstPageNumber } = document.options;
  const again = async (known: PageNumbers, marks: Colour | null): Promise<Buffer> =>
    (await printAgain(loaded, own, { ...tables, references: { known, marks } })).pdf;
  if (references === null) return { body: await again({}, null), places: null };
  const marked = first ?? (await again({}, signature));
  let places = await placed(marked, signature, references, firstPageNumber);
  for (let pass = 1; references.places.length > 0 && pass < MAX_PASSES; pass += 1) {
    const { numbers } = places;
    places = await placed(await again(numbers, signature), signature, references, firstPageNumber);
    if (references.places.every((place) => places.numbers[place] === numbers[place])) break;
  }
  return { body: await again(places.numbers, null), places };
}
