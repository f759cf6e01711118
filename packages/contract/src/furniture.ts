import { textOfBase64 } from '@platen/core/text';
import { isPlatenError, PlatenError } from '@platen/core/errors';
import { parsePageRange } from '@platen/pdf/options';
import { PAGE_NAMES } from '@platen/print';
import type { FurnitureText } from '@platen/print/page';

/**
 * Headers and footers as clients send them: one text, or an object of texts by the pages that show them
 * (I-50).
 */

/** Maximum entries of one header or footer. */
const MAX_ENTRIES = 100;

/**
 * Entries by a name of pages or a page range: HTML or plain text, or its base64; null or an empty text leaves
 * these pages without one.
 */
export type FurnitureEntries = Readonly<Record<string, string | null>>;

/**
 * Returns the texts of a header or footer with the pages that show them.
 *
 * @param given a text, which may be a JSON object, or the object itself
 * @param field name of the field for errors
 * @throws PlatenError `invalid_field` for an object that does not map pages to texts
 */
export function furnitureTexts(given: string | FurnitureEntries, field: string): FurnitureText[] {
  const entries = typeof given === 'string' ? entriesOf(given) : given;
  if (entries === null) return [{ pages: 'default', text: given as string }];
  const fault = furnitureFault(entries);
  if (fault !== null) {
    const message = `${field} ${fault}`;
    throw new PlatenError('invalid_field', `${message}.`, { faults: [{ field, message }] });
  }
  return Object.entries(entries).map(([pages, text]) => ({ pages, text: decoded(text ?? '') }));
}

/**
 * @throws PlatenError `invalid_field` for a header or footer that is given both as a file and as an object
 */
export function refuseTwice(
  name: 'header' | 'footer',
  file: unknown,
  entries: FurnitureEntries | undefined,
): void {
  if (file === null || entries === undefined) return;
  const field = `template_data.${name}_file`;
  const message = `${field} and ${name}_data are both given`;
  throw new PlatenError('invalid_field', `${message}.`, { faults: [{ field, message }] });
}

/** Parses an object in JSON; returns null for any other text. */
function entriesOf(text: string): FurnitureEntries | null {
  if (!/^\s*\{\s*"/.test(text)) return null;
  try {
    return JSON.parse(text) as FurnitureEntries;
  } catch (error) {
    // The text may begin with a placeholder, which also starts with a brace.
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Returns HTML or plain text, decoded when it is base64. */
export function decoded(text: string): string {
  return textOfBase64(text) ?? text;
}

/**
 * Returns the fault in an object of headers or footers, as the words that follow its name; null when it is
 * valid.
 */
export function furnitureFault(entries: Readonly<Record<string, unknown>>): string | null {
  const names = Object.keys(entries);
  if (names.length === 0) return 'names no pages';
  if (names.length > MAX_ENTRIES) return `has more than ${MAX_ENTRIES} entries`;
  for (const name of names) {
    const wrong = nameFault(name);
    if (wrong !== null) return `has an entry ${JSON.stringify(name.slice(0, 40))}, but ${wrong}`;
    const text = entries[name];
    if (text !== null && typeof text !== 'string') return `has no text for ${name}`;
  }
  return null;
}

function nameFault(name: string): string | null {
  if (PAGE_NAMES.some((known) => known === name)) return null;
  try {
    parsePageRange(name);
    return null;
  } catch (error) {
    if (!isPlatenError(error)) throw error;
    return `pages are ${PAGE_NAMES.join(', ')}, or a range such as 2-3`;
  }
}
