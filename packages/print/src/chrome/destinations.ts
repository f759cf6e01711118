import { createHash } from 'node:crypto';
import { pageGeometry, openPdf, destinationArray, isRef, nameText } from '@platen/pdf/model';
import { catalogOf, endOf, objectAt, offsetOf } from './printed-objects.ts';

/**
 * Locates elements on pages. Chromium writes a named destination into the PDF for each element that is the target
 * of a link in the document; the link need not be visible.
 */

/** Prefix of the ids that are given to elements without one. */
export const MARK = 'platen-mark-';

/**
 * Statements that define `markOf(element)`: it makes a printed document report the position of an element, and
 * returns the name under which it does. The links are in the head, where nothing is shown and no selector of a
 * document applies.
 */
export const MARKS = `
  const marksBefore = document.head.querySelectorAll('a[href^="#"]').length;
  let marked = marksBefore;
  const markOf = (element) => {
    if (element.id === '') element.id = '${MARK}' + ++marked;
    const link = document.createElement('a');
    link.href = '#' + encodeURIComponent(element.id);
    document.head.append(link);
    return element.id;
  };`;

/** The position where an element begins. */
export interface Destination {
  /** 1-based. */
  page: number;
  /** Points from the upper edge of the sheet. */
  top: number;
}

/** The positions of a printed document's destinations by name, and the heights of its pages in points. */
export async function destinationsOf(
  pdf: Uint8Array,
): Promise<{ places: Map<string, Destination>; heights: number[] }> {
  const file = await openPdf(pdf);
  const heights = file.pages().map((ref) => pageGeometry(file, ref).top);
  const pages = new Map(
    file.pages().map((ref, index) => [ref, { page: index + 1, height: heights[index] ?? 0 }]),
  );
  const found = new Map<string, Destination>();
  for (const [name, value] of Object.entries(file.dict(file.catalog['/Dests']))) {
    const [ref, , , y] = destinationArray(file, value);
    const place = isRef(ref) ? pages.get(ref) : undefined;
    if (place === undefined) continue;
    const destination = { page: place.page, top: place.height - (typeof y === 'number' ? y : place.height) };
    const written = nameText(name);
    found.set(written, destination);
    found.set(decoded(written), destination);
  }
  return { places: found, heights };
}

/** The 1-based pages of a printed document's destinations, by name. */
export async function destinationPages(pdf: Uint8Array): Promise<Map<string, number>> {
  const { places } = await destinationsOf(pdf);
  return new Map(Array.from(places, ([name, { page }]) => [name, page]));
}

/** Names are written as in links, with escapes. */
export function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/**
 * Removes the destinations that only marks referred to from a PDF. They are replaced in place by as many bytes, so
 * that the cross-reference table stays valid.
 */
export function dropMarks(pdf: Buffer): void {
  const start = `/${MARK}`;
  for (let at = pdf.indexOf(start); at !== -1; at = pdf.indexOf(start, at)) {
    const entry = /^\/[\w-]+ \[[^\][]*\]/.exec(pdf.toString('latin1', at, at + 200));
    if (entry === null) return;
    pdf.write(' '.repeat(entry[0].length), at, 'latin1');
  }
}

/** Maximum bytes of a name (ISO 32000-1, annex C); PDF/A requires it. */
const MOST_BYTES = 127;

/**
 * Gives destinations with longer names others, in place as above, and the links to them: Chromium names them by the
 * fragment of a URL, which has six bytes for each Cyrillic letter.
 */
export function shortenNames(pdf: Buffer): void {
  const { table } = endOf(pdf);
  const number = Number(/\/Dests (\d+) 0 R/.exec(catalogOf(pdf))?.[1]);
  const start = offsetOf(pdf, table, number);
  if (start === null) return;
  const shorter = new Map<string, string>();
  for (const { 1: name = '', index } of objectAt(pdf, table, number).matchAll(/\/([^\s/[\]()<>]+) \[/g)) {
    if (name.replaceAll(/#[\dA-F]{2}/gi, '#').length <= MOST_BYTES) continue;
    const short = createHash('sha256').update(name).digest('hex');
    shorter.set(name, short);
    pdf.write(`/${short}`.padEnd(name.length + 1), start + index, 'latin1');
  }
  if (shorter.size === 0) return;
  for (let at = pdf.indexOf(LINK); at !== -1; at = pdf.indexOf(LINK, at + 1)) {
    const from = at + LINK.length;
    let end = from;
    while (end < pdf.length && (pdf[end] ?? 0) > SPACE && pdf[end] !== SLASH && pdf[end] !== GREATER) end++;
    const short = shorter.get(pdf.toString('latin1', from, end));
    if (short !== undefined) pdf.write(short.padEnd(end - from), from, 'latin1');
  }
}

const LINK = '/Dest /';
const [SPACE, SLASH, GREATER] = [0x20, 0x2f, 0x3e];
