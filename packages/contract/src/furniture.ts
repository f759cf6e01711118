import { textOfBase64 } from '@platen/core/base64';
import { isPlatenError, PlatenError } from '@platen/core/errors';
import { parsePageRange } from '@platen/pdf/page-range';
import { PAGE_NAMES } from '@platen/print/by-page';
import type { FurnitureText } from '@platen/print/page/compose';

/** Headers and footers as they are given: one text, or an object of texts by the pages that have them (I-50). */

/** Entries of one header or footer: more than anybody tells apart. */
const MOST_ENTRIES = 100;

/** By the name of pages, or a range of them: html or plain text, or the base64 of it; nothing: these pages have none. */
export type FurnitureEntries = Readonly<Record<string, string | null>>;

/**
 * A header or footer, by the pages that have it.
 *
 * @param given a text, which may be an object as JSON, or the object
 * @param field that an error names
 * @throws PlatenError `invalid_field` for an object that is none of texts by pages
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

/** @throws PlatenError `invalid_field` for a header or footer that comes both as a file and as an object */
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

/** An object as JSON; null for a text of its own. */
function entriesOf(text: string): FurnitureEntries | null {
  if (!/^\s*\{\s*"/.test(text)) return null;
  try {
    return JSON.parse(text) as FurnitureEntries;
  } catch (error) {
    // It begins as a placeholder may.
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Html or plain text as it is, or as the base64 of its bytes. */
export function decoded(text: string): string {
  return textOfBase64(text) ?? text;
}

/** What is wrong with an object of headers or footers, behind its name; null: nothing. */
export function furnitureFault(entries: Readonly<Record<string, unknown>>): string | null {
  const names = Object.keys(entries);
  if (names.length === 0) return 'names no pages';
  if (names.length > MOST_ENTRIES) return `has more than ${MOST_ENTRIES} entries`;
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
