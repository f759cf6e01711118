import * as z from 'zod';
import { pdfDocText } from '@platen/pdf/values';
import { catalogOf, endOf, objectAt, offsetOf } from './printed-objects.ts';

/**
 * Titles of the outline as the document has them. Chromium makes them of the glyphs of a heading: lines and blocks run
 * together, shadowed and stroked text stands as often as it is drawn, text from right to left is in the order of the
 * page, and soft hyphens stay.
 */

/** Body of a function that returns the texts of the headings of a loaded document, in order. */
const HEADINGS = `
  const texts = [];
  for (const heading of document.querySelectorAll('h1,h2,h3,h4,h5,h6,[role=heading]'))
    if (heading.getClientRects().length > 0) texts.push(heading.innerText);
  return texts;`;

const headingsSchema = z.array(z.string()).catch([]);

/** Characters that a reader does not see. */
const UNSEEN = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;
/** Maximum number of headings without an entry between two that have one. */
const LOOKAHEAD = 50;
/** Maximum number of letters of a title that are sorted. */
const LONGEST = 2_000;

interface Entry {
  title: string;
  /** Offsets of the written title. */
  start: number;
  end: number;
}

/** The beginning of an entry as Chromium writes it, and its title. */
const TITLED = /^(\d+ 0 obj\n<<\/Title )(<[\dA-F]*>|\((?:[^\\()]|\\[^])*\))/;

/**
 * Returns a printed document with the titles of its headings.
 *
 * @param pdf as Chromium writes it: see printed-objects.ts
 * @param evaluate runs the body of a function in the document, which is still loaded
 */
export async function withTitles(pdf: Buffer, evaluate: (body: string) => Promise<unknown>): Promise<Buffer> {
  const entries = outlineOf(pdf);
  if (entries.length === 0) return pdf;
  const titles = titlesOf(entries, headingsSchema.parse(await evaluate(HEADINGS)));
  return titles.size === 0 ? pdf : rewritten(pdf, titles);
}

/** Returns the titles that differ from those of the entries, which are in the order of the headings. */
function titlesOf(entries: readonly Entry[], headings: readonly string[]): Map<Entry, string> {
  const titles = new Map<Entry, string>();
  const texts = headings.map((heading) => heading.replace(UNSEEN, '').replace(/\s+/g, ' ').trim());
  const letters = texts.map(lettersOf);
  let at = 0;
  for (const entry of entries) {
    const own = lettersOf(entry.title);
    const found = letters.slice(at, at + LOOKAHEAD).findIndex((other) => isSame(own, other));
    const text = texts[at + found];
    if (found === -1 || text === undefined) continue;
    at += found + 1;
    if (text !== entry.title) titles.set(entry, text);
  }
  return titles;
}

function lettersOf(text: string): string {
  return text
    .normalize('NFKC')
    .replace(UNSEEN, '')
    .replace(/[\s\u2010-]/g, '');
}

/** Returns whether a title has the letters of a text: once or several times, or in another order. */
function isSame(title: string, text: string): boolean {
  if (title === '' || text === '' || title.length % text.length > 0) return false;
  if (title === text) return true;
  return title.length <= LONGEST && sorted(title) === sorted(text.repeat(title.length / text.length));
}

function sorted(text: string): string {
  return [...text].sort().join('');
}

/** Returns the entries of the outline in order. */
function outlineOf(pdf: Buffer): Entry[] {
  const { table } = endOf(pdf);
  const seen = new Set<number>();
  const found: Entry[] = [];
  const visit = (list: string): void => {
    for (let at = referenceIn(list, 'First'); at !== null && !seen.has(at);) {
      seen.add(at);
      const text = objectAt(pdf, table, at);
      const [whole, before = '', written = ''] = TITLED.exec(text) ?? [];
      const offset = offsetOf(pdf, table, at);
      if (whole === undefined || offset === null) return;
      const start = offset + before.length;
      found.push({ title: textOf(written), start, end: start + written.length });
      visit(text);
      at = referenceIn(text, 'Next');
    }
  };
  const root = referenceIn(catalogOf(pdf), 'Outlines');
  if (root !== null) visit(objectAt(pdf, table, root));
  return found;
}

/** Returns the text of a string (ISO 32000-2, 7.3.4 and 7.9.2.2), as Chromium writes strings. */
function textOf(written: string): string {
  if (written.startsWith('<')) {
    const bytes = Buffer.from(written.slice(1, -1), 'hex');
    return bytes.subarray(2).swap16().toString('utf16le');
  }
  const unescaped = written
    .slice(1, -1)
    .replace(/\\(?:([0-7]{1,3})|([^]))/g, (_, octal: string | undefined, other = '') =>
      octal === undefined ? String(other) : String.fromCharCode(Number.parseInt(octal, 8)),
    );
  return pdfDocText(unescaped);
}

function referenceIn(text: string, name: string): number | null {
  const number = new RegExp(`\\n/${name} (\\d+) 0 R`).exec(text)?.[1];
  return number === undefined ? null : Number(number);
}

/** Returns the document with other titles, and a cross-reference table for it. */
function rewritten(pdf: Buffer, titles: ReadonlyMap<Entry, string>): Buffer {
  const pieces: Buffer[] = [];
  const moves: { from: number; by: number }[] = [];
  let [done, by] = [0, 0];
  for (const [{ start, end }, title] of [...titles].sort(([a], [b]) => a.start - b.start)) {
    const text = Buffer.from(`<FEFF${Buffer.from(title, 'utf16le').swap16().toString('hex').toUpperCase()}>`);
    pieces.push(pdf.subarray(done, start), text);
    by += text.length - (end - start);
    moves.push({ from: end, by });
    done = end;
  }
  const { table } = endOf(pdf);
  pieces.push(pdf.subarray(done, table));
  const shifted = (offset: number): number => {
    let [low, high] = [0, moves.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((moves[middle]?.from ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return offset + (moves[low - 1]?.by ?? 0);
  };
  const end = pdf
    .toString('latin1', table)
    .replace(
      /^(\d{10}) (\d{5}) n/gm,
      (_, offset: string, generation: string) =>
        `${String(shifted(Number(offset))).padStart(10, '0')} ${generation} n`,
    )
    .replace(/startxref\n\d+/, `startxref\n${shifted(table)}`);
  return Buffer.concat([...pieces, Buffer.from(end, 'latin1')]);
}
