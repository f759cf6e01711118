import { randomInt } from 'node:crypto';
import { ContentOperations, contentOf } from '@platen/pdf/content';
import { type PdfFile, openPdf, isRef, type PdfDict, type PdfValue, type Ref } from '@platen/pdf/model';
import * as z from 'zod';

/**
 * Determines the heading under which each page begins. No engine reports on which page an element is, so
 * marks of a unique colour are printed into a copy of the document, and located in it.
 */

/**
 * A colour that is not a grey, as its channels; documents do not contain it by chance before a second colour of
 * ours.
 */
type Colour = readonly [red: number, green: number, blue: number];

/** Maximum number of headings of a document that are distinguished. */
const MAX_HEADINGS = 100_000;

/** Returns a colour that announces that the next colour is a mark. */
export function newSignature(): Colour {
  return [randomInt(0, 100), randomInt(128, 256), randomInt(0, 100)];
}

/** The number that the colour of a mark encodes, of which it has 21 bits; null for another colour. */
function markOf([red, green, blue]: Colour): number | null {
  return red < 0x80 || green > 0x7f || blue > 0x7f ? null : ((red & 0x7f) << 14) | (green << 7) | blue;
}

/** Statements that define `mark(number)`, which creates an element that is a mark. */
function markElements(signature: Colour): string {
  return `
  const colours = (mark) => [${JSON.stringify(signature)}, [128 | (mark >> 14), (mark >> 7) & 127, mark & 127]];
  const styled = (element, declarations) => {
    for (const [name, value] of Object.entries(declarations)) element.style.setProperty(name, value, 'important');
    return element;
  };
  const mark = (number) => {
    const place = styled(document.createElement('platen-mark'), {
      all: 'initial', position: 'absolute', display: 'block', width: '1px', height: '1px', 'z-index': '2147483647',
    });
    for (const colour of colours(number)) {
      place.append(styled(document.createElement('platen-mark'), {
        all: 'initial', display: 'block', position: 'absolute', width: '1px', height: '1px',
        background: 'rgb(' + colour + ')', '-webkit-print-color-adjust': 'exact', 'print-color-adjust': 'exact',
      }));
    }
    return place;
  };`;
}

/**
 * Statements that insert marks into a loaded document: two for each heading, at the end of the content before it,
 * and at its start. They store the texts of the headings in `titles`.
 */
export function marksScript(signature: Colour): string {
  return `${markElements(signature)}
  const titles = [];
  const isHeading = (node) => node instanceof Element && node.matches('h1,h2,h3,h4,h5,h6,[role=heading]');
  const isShown = (node) => (node instanceof Text ? node.parentElement : node)?.getClientRects().length > 0;
  const isContent = (node) =>
    node instanceof Text ? node.data.trim() !== '' : node.matches('img,svg,canvas,video,hr,input');
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  const found = [];
  let last = null;
  while (nodes.nextNode() && found.length < ${MAX_HEADINGS}) {
    const node = nodes.currentNode;
    if (isHeading(node) && isShown(node)) {
      const title = node.innerText.replace(/\\s+/g, ' ').trim();
      if (title !== '') found.push({ heading: node, before: last, title });
    }
    if (isContent(node) && isShown(node)) last = node;
  }
  for (const [index, { heading, before, title }] of found.entries()) {
    titles.push(title);
    heading.prepend(mark(2 * index + 1));
    if (before !== null) before.after(mark(2 * index + 2));
  }`;
}

const titlesSchema = z.array(z.string());

/** Returns the titles that `marksScript` left; none if the document's scripts have made them invalid. */
export function titlesOf(returned: unknown): string[] {
  return titlesSchema.safeParse(returned).data ?? [];
}

/**
 * The heading under which each page begins: the last one above it, or the one that it begins with.
 *
 * @param marked the document printed with its marks
 * @returns a text for each page, `''` where there is none yet
 */
export async function sectionsOf(
  marked: Uint8Array,
  signature: Colour,
  titles: readonly string[],
): Promise<string[]> {
  const { places, total } = await placesOfMarks(marked, signature);
  return textsOfPages(
    titles.map((title, index) => ({ title, at: 2 * index + 1, before: 2 * index + 2 })),
    places,
    total,
  );
}

/** Pages, from 0, of the marks by number; and the number of pages. */
async function placesOfMarks(
  marked: Uint8Array,
  signature: Colour,
): Promise<{ places: Map<number, number>; total: number }> {
  const file = await openPdf(marked);
  const pages = file.pageDicts();
  const places = new Map<number, number>();
  const marks = new Marks(file, signature);
  for (const [page, dict] of pages.entries()) {
    for (const mark of marks.onPage(dict)) if (!places.has(mark)) places.set(mark, page);
  }
  return { places, total: pages.length };
}

/**
 * Returns the text that applies at the beginning of each page: the last one before it, or the one at its
 * start.
 *
 * @param titles in the order of the document; `at` is the mark where one begins, `before` where the content
 * before it ends
 */
function textsOfPages(
  titles: readonly { title: string; at: number; before: number }[],
  places: ReadonlyMap<number, number>,
  total: number,
): string[] {
  const begun = new Map<number, string>();
  for (const { title, at, before: end } of titles) {
    const page = places.get(at);
    if (page === undefined) continue;
    const before = places.get(end);
    begun.set(before === undefined || before < page ? page : page + 1, title);
  }
  let section = '';
  return Array.from({ length: total }, (_, page) => (section = begun.get(page) ?? section));
}

/** Operators that set the fill colour. */
const FILLS = new Set(['rg', 'sc', 'scn']);
/** Maximum depth of nested forms. */
const MAX_DEPTH = 8;

/** Finds marks in the content of a document. */
class Marks {
  readonly #file: PdfFile;
  readonly #signature: Colour;
  readonly #ofForms = new Map<Ref, readonly number[]>();

  constructor(file: PdfFile, signature: Colour) {
    this.#file = file;
    this.#signature = signature;
  }

  /** The marks on a page, also those in forms that it draws. */
  onPage(page: PdfDict): readonly number[] {
    return [...this.#inContent(contentOf(this.#file, page)), ...this.#inForms(page['/Resources'], 0)];
  }

  #inContent(content: Uint8Array): number[] {
    const marks: number[] = [];
    let isNext = false;
    const operations = new ContentOperations(content);
    while (operations.next()) {
      const { operator, start, operatorStart, bytes } = operations;
      if (!FILLS.has(operator)) continue;
      const operands = bytes.toString('latin1', start, operatorStart).trim().split(/\s+/);
      const [red = 0, green = 0, blue = 0] = operands.map((channel) => Math.round(Number(channel) * 255));
      const isSignature = [red, green, blue].every((channel, index) => channel === this.#signature[index]);
      const mark = isNext && !isSignature ? markOf([red, green, blue]) : null;
      if (mark !== null) marks.push(mark);
      isNext = isSignature;
    }
    return marks;
  }

  #inForms(resources: PdfValue | undefined, depth: number): readonly number[] {
    const refs = Object.values(this.#file.dict(this.#file.dict(resources)['/XObject'])).filter(isRef);
    return depth > MAX_DEPTH ? [] : refs.flatMap((ref) => this.#inForm(ref, depth));
  }

  #inForm(ref: Ref, depth: number): readonly number[] {
    const known = this.#ofForms.get(ref);
    if (known !== undefined) return known;
    // A form that draws itself is read once.
    this.#ofForms.set(ref, []);
    const dict = this.#file.dict(ref);
    if (dict['/Subtype'] !== '/Form') return [];
    const data = this.#file.streamData(ref)?.data ?? new Uint8Array();
    const marks = [...this.#inContent(data), ...this.#inForms(dict['/Resources'], depth + 1)];
    this.#ofForms.set(ref, marks);
    return marks;
  }
}
