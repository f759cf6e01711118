import * as z from 'zod';
import { pdfDocText } from '@platen/pdf/model';
import { FOOTNOTE_PARTS } from '../contents/css.ts';
import { FOOTNOTE_AREA } from '../contents/footnotes.ts';
import { BOOKMARK } from '../contents/script.ts';
import { TEXTS_WHERE } from '../in-document.ts';
import { TYPED } from '../tags/described.ts';
import { catalogOf, endOf, hexString, objectAt, offsetOf, rewritten } from './printed-objects.ts';

/**
 * The outline as the document has it. Chromium makes its titles of the glyphs of a heading: lines and blocks run
 * together, shadowed and stroked text stands as often as it is drawn, text from right to left is in the order of the
 * page, and soft hyphens stay. It lists all headings, open, whatever the styles say of bookmarks.
 */

/** Body of a function that returns the headings of a loaded document, in order. */
const HEADINGS = `${TEXTS_WHERE}
  const headings = [];
  // The notes of a page may stand in a heading, and the calls of notes.
  const titleOf = (heading, text) => {
    const areas = [...heading.querySelectorAll('${FOOTNOTE_AREA},${FOOTNOTE_PARTS.call}')];
    if (areas.length === 0) return text;
    const looks = areas.map(({ style }) => [style.getPropertyValue('display'), style.getPropertyPriority('display')]);
    for (const { style } of areas) style.setProperty('display', 'none', 'important');
    const title = heading.innerText;
    for (const [index, { style }] of areas.entries()) style.setProperty('display', ...looks[index]);
    return title;
  };
  for (const heading of elementsOf(document)) {
    if (!heading.matches('h1,h2,h3,h4,h5,h6,[role=heading]') || heading.getClientRects().length === 0) continue;
    const text = heading.innerText;
    headings.push({
      text,
      title: titleOf(heading, text),
      label: heading.getAttribute('${BOOKMARK.label}'),
      isLeft: heading.hasAttribute('${BOOKMARK.left}'),
      isClosed: heading.hasAttribute('${BOOKMARK.closed}'),
    });
  }
  return headings;`;

const headingsSchema = z
  .array(
    z.object({
      text: z.string(),
      title: z.string(),
      label: z.string().nullable(),
      isLeft: z.boolean(),
      isClosed: z.boolean(),
    }),
  )
  .catch([]);
type Heading = z.infer<typeof headingsSchema>[number];

/** Characters that only matter where lines break. Joiners and directional marks belong to the text: they decide how it looks. */
const BREAKS = /[\u00ad\u200b\u2060\ufeff]/g;
/** Characters that a reader does not see. */
const UNSEEN = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;
/** Maximum number of headings without an entry between two that have one. */
const LOOKAHEAD = 50;
/** Maximum number of letters of a title that are sorted. */
const LONGEST = 2_000;

/** The outline, or an entry with others below it, as Chromium wrote it. */
interface List {
  /** Number of its object. */
  number: number;
  /** Offsets of its dictionary. */
  start: number;
  end: number;
  kids: Entry[];
}

interface Entry extends List {
  title: string;
  /** The title as it is written. */
  written: string;
  /** Its destination and its tag. */
  rest: string;
  isClosed: boolean;
}

/** The beginning of an entry as Chromium writes it, and its title. */
const TITLED = /^\d+ 0 obj\n<<\/Title (<[\dA-F]*>|\((?:[^\\()]|\\[^])*\))/;
/** The entries of a dictionary that connect it with others. */
const CONNECTION = /\n\/(?:Parent|Prev|Next|First|Last|Count) -?\d+(?: 0 R)?/g;

/**
 * Returns a printed document with the outline that its headings and its styles ask for.
 *
 * @param pdf as Chromium writes it: see printed-objects.ts
 * @param evaluate runs the body of a function in the document, which is still loaded
 */
export async function withOutline(
  pdf: Buffer,
  evaluate: (body: string) => Promise<unknown>,
): Promise<Buffer> {
  const outline = outlineOf(pdf);
  if (outline === null) return pdf;
  const entries = inOrder(outline.kids);
  if (entries.length === 0) return pdf;
  const left = take(entries, headingsSchema.parse(await evaluate(HEADINGS)));
  const listed = { ...outline, kids: without(outline.kids, left) };
  const texts = new Map<number, string>([...left].map(({ number }) => [number, 'null']));
  const [first, last] = [listed.kids[0], listed.kids.at(-1)];
  texts.set(
    outline.number,
    `<</Type /Outlines${link('First', first)}${link('Last', last)}\n/Count ${write(listed, texts)}>>`,
  );
  const changes = [outline, ...entries]
    .map(({ number, start, end }) => ({ start, end, text: texts.get(number) ?? '' }))
    .filter(({ start, end, text }) => text !== pdf.toString('latin1', start, end));
  return changes.length === 0 ? pdf : rewritten(pdf, changes);
}

/** Gives entries the titles and states of their headings. @returns those that the document does not list */
function take(entries: readonly Entry[], headings: readonly Heading[]): Set<Entry> {
  const left = new Set<Entry>();
  const letters = headings.map(({ text }) => lettersOf(text));
  let at = 0;
  for (const entry of entries) {
    const own = lettersOf(entry.title);
    const isTyped = own.includes(TYPED);
    const found = headings
      .slice(at, at + LOOKAHEAD)
      .findIndex(({ title }, next) =>
        isTyped ? isWithin(lettersOf(title), own) : isSame(own, letters[at + next] ?? ''),
      );
    const heading = headings[at + found];
    if (found === -1 || heading === undefined) continue;
    const title = spaced(heading.label ?? heading.title);
    at += found + 1;
    if (title !== entry.title) entry.written = hexString(title);
    entry.isClosed = heading.isClosed;
    if (heading.isLeft) left.add(entry);
  }
  return left;
}

function spaced(text: string): string {
  return text.replace(BREAKS, '').replace(/\s+/g, ' ').trim();
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

/** Returns whether a title has all letters of a text in their order, with those of labels and notes between them. */
function isWithin(text: string, title: string): boolean {
  let at = 0;
  for (const letter of title) if (text.startsWith(letter, at)) at += letter.length;
  return text !== '' && at === text.length;
}

function sorted(text: string): string {
  return [...text].sort().join('');
}

function inOrder(entries: readonly Entry[]): Entry[] {
  return entries.flatMap((entry) => [entry, ...inOrder(entry.kids)]);
}

/** Returns entries without some, whose own entries take their places. */
function without(entries: readonly Entry[], left: ReadonlySet<Entry>): Entry[] {
  return entries.flatMap((entry) => {
    const kids = without(entry.kids, left);
    if (left.has(entry)) return kids;
    entry.kids = kids;
    return [entry];
  });
}

/** Writes the dictionaries of the entries of a list (ISO 32000-2, 12.3.3). @returns the number of visible ones */
function write({ number, kids }: List, texts: Map<number, string>): number {
  let count = 0;
  for (const [at, kid] of kids.entries()) {
    const below = write(kid, texts);
    const beside = link('Prev', kids[at - 1]) + link('Next', kids[at + 1]);
    const ends = link('First', kid.kids[0]) + link('Last', kid.kids.at(-1));
    const counted = kid.kids.length === 0 ? '' : `\n/Count ${kid.isClosed ? -below : below}`;
    const [destination = '', tag = ''] = kid.rest.split(/(?=\n\/SE )/);
    texts.set(
      kid.number,
      `<</Title ${kid.written}${destination}\n/Parent ${number} 0 R${tag}${beside}${ends}${counted}>>`,
    );
    count += 1 + (kid.isClosed ? 0 : below);
  }
  return count;
}

function link(name: string, other: Entry | undefined): string {
  return other === undefined ? '' : `\n/${name} ${other.number} 0 R`;
}

/** Returns the outline with its entries; null if there is none. */
function outlineOf(pdf: Buffer): List | null {
  const { table } = endOf(pdf);
  const seen = new Set<number>();
  const read = (number: number): { text: string; place: Omit<List, 'kids'> } | null => {
    const text = objectAt(pdf, table, number);
    const offset = offsetOf(pdf, table, number);
    const [from, to] = [text.indexOf('<<'), text.lastIndexOf('>>') + 2];
    if (offset === null || from === -1 || to < from) return null;
    return { text, place: { number, start: offset + from, end: offset + to } };
  };
  const kidsOf = (list: string): Entry[] => {
    const kids: Entry[] = [];
    for (let at = referenceIn(list, 'First'); at !== null && !seen.has(at);) {
      seen.add(at);
      const found = read(at);
      const [whole, written = ''] = TITLED.exec(found?.text ?? '') ?? [];
      if (found === null || whole === undefined) break;
      const { text, place } = found;
      const rest = text.slice(whole.length, text.lastIndexOf('>>')).replace(CONNECTION, '');
      const title = textOf(written);
      kids.push({ ...place, title, written, rest, kids: kidsOf(text), isClosed: false });
      at = referenceIn(text, 'Next');
    }
    return kids;
  };
  const root = referenceIn(catalogOf(pdf), 'Outlines');
  const outline = root === null ? null : read(root);
  return outline === null ? null : { ...outline.place, kids: kidsOf(outline.text) };
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
