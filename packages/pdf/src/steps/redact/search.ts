import { onPage } from '@platen/core/thread-side';
import type { Letter } from '../../glyphs/letters.ts';
import { type Glyph, GlyphReader, type Shown } from '../../glyphs/reader.ts';
import { readingsOf } from '../../glyphs/readings.ts';
import { boundsOf, type Quad } from '../../glyphs/shown.ts';
import { openPdf, type PdfFile } from '../../model/index.ts';
import { PdfiumDocument } from '../../pdfium/document.ts';
import type { PageText, TextChar } from '../../pdfium/text.ts';
import { isDict, type Ref } from '../../model/values.ts';
import { flattenAnnotations } from '../flatten.ts';
import { type Box, inverse, product, viewOf } from '../geometry.ts';
import { contentOf } from '../page-content.ts';
import { areasByPdfium, glyphsAcross, glyphsOfWords, hasText } from './find.ts';
import type { WordFinder } from './words.ts';

/** Searches the pages of a document with two readers that do not share their mistakes. */

/** The words of a page. */
export interface PageHits {
  /** The numbers of their glyphs (glyphs/reader.ts). */
  glyphs: ReadonlySet<number>;
  /** The areas of these glyphs, and of those that PDFium found, in the page's own coordinates. */
  quads: Quad[];
}

/** Pages whose words cannot be found, by their numbers. */
export interface Unreadable {
  /** Pages that show pictures and no text. */
  pictures: number[];
  /** Pages with characters that neither reader knows. */
  unknown: number[];
}

export interface Search {
  /** By page object. */
  hits: Map<Ref, PageHits>;
  unreadable: Unreadable;
}

/**
 * @param gone the areas of glyphs that were removed before, by page
 * @throws PlatenError as `PdfiumDocument.open`; `pdf_too_complex`
 */
export async function searchPages(
  file: PdfFile,
  pdfium: WebAssembly.Module,
  words: WordFinder,
  gone: ReadonlyMap<Ref, readonly Quad[]>,
): Promise<Search> {
  const bytes = await flatCopy(file);
  const copy = await openPdf(bytes);
  const reader = new GlyphReader(copy);
  const document = await PdfiumDocument.open(pdfium, { bytes });
  const search: Search = { hits: new Map(), unreadable: { pictures: [], unknown: [] } };
  const add = (ref: Ref, glyphs: ReadonlySet<Glyph>, areas: readonly Quad[]): void => {
    if (glyphs.size === 0 && areas.length === 0) return;
    const known = search.hits.get(ref);
    search.hits.set(ref, {
      glyphs: new Set([...(known?.glyphs ?? []), ...Array.from(glyphs, (glyph) => glyph.index)]),
      quads: [...(known?.quads ?? []), ...Array.from(glyphs, ({ quad }) => quad), ...areas],
    });
  };
  let last: { ref: Ref; readings: Letter[][] } | undefined;
  try {
    for (const [index, ref] of file.pages().entries()) {
      const page = copy.pageDict(index);
      const resources = copy.dict(page['/Resources']);
      const { shown, readings } = onPage(index + 1, () => {
        const shown = reader.read({ data: contentOf(copy, page), resources });
        return { shown, readings: readingsOf(shown.glyphs) };
      });
      const text = document.text(index + 1);
      classify(search.unreadable, index + 1, shown, text);
      const walls = gone.get(ref) ?? [];
      const view = viewOf(copy, page);
      const toView = inverse(view.toPage);
      const toPage = product([view.width, 0, 0, view.height, 0, 0], view.toPage);
      const seen = walls.map((quad) => mapped(quad, toView));
      const areas = text === undefined ? [] : areasByPdfium(text, words, seen);
      add(
        ref,
        glyphsOfWords(readings, words, walls),
        areas.map((quad) => mapped(quad, toPage)),
      );
      if (last !== undefined) {
        const { before, after } = glyphsAcross(last.readings, readings, words);
        add(last.ref, before, []);
        add(ref, after, []);
      }
      last = { ref, readings };
    }
  } finally {
    document.close();
  }
  return search;
}

/**
 * The first page of which PDFium still reads a character whose centre lies in an area; undefined if there is none.
 *
 * @param areasOf in the coordinates of each page
 * @returns the number of the page
 * @throws PlatenError as `PdfiumDocument.open`
 */
export async function pageWithText(
  file: PdfFile,
  pdfium: WebAssembly.Module,
  areasOf: ReadonlyMap<Ref, readonly Box[]>,
): Promise<number | undefined> {
  const document = await PdfiumDocument.open(pdfium, { bytes: await file.save() });
  try {
    for (const [index, ref] of file.pages().entries()) {
      const areas = areasOf.get(ref);
      const text = areas === undefined ? undefined : document.text(index + 1);
      if (areas === undefined || text === undefined) continue;
      const view = viewOf(file, file.pageDict(index));
      const toPage = product([view.width, 0, 0, view.height, 0, 0], view.toPage);
      const isLeft = text.chars.some(
        (char) => /\S/u.test(char.text) && areas.some((area) => holds(area, centreOf(char, text), toPage)),
      );
      if (isLeft) return index + 1;
    }
    return undefined;
  } finally {
    document.close();
  }
}

/** The centre of a character in fractions of the page as displayed, from the lower left corner. */
function centreOf(
  { left, right, top, bottom }: TextChar,
  { width, height }: PageText,
): readonly [number, number] {
  return [(left + right) / 2 / width, 1 - (top + bottom) / 2 / height];
}

function holds(
  { x, y, width, height }: Box,
  [across, up]: readonly [number, number],
  [a, b, c, d, e, f]: ReturnType<typeof product>,
): boolean {
  const [atX, atY] = [a * across + c * up + e, b * across + d * up + f];
  return atX > x && atX < x + width && atY > y && atY < y + height;
}

/** The document with flattened annotations, whose glyphs follow those of their pages. */
async function flatCopy(file: PdfFile): Promise<Uint8Array> {
  const copy = await openPdf(await file.save());
  flattenAnnotations(copy, (_subtype, appearance) => appearance !== undefined);
  return await copy.save();
}

function mapped({ x, y, along, up }: Quad, [a, b, c, d, e, f]: ReturnType<typeof product>): Quad {
  const turned = ([dx, dy]: readonly [number, number]): readonly [number, number] => [
    a * dx + c * dy,
    b * dx + d * dy,
  ];
  return { x: a * x + c * y + e, y: b * x + d * y + f, along: turned(along), up: turned(up) };
}

function classify(
  { pictures, unknown }: Unreadable,
  number: number,
  { glyphs, hasPictures }: Shown,
  text: PageText | undefined,
): void {
  const read = text?.chars.filter((char) => /\S/u.test(char.text)).length ?? 0;
  if (read === 0 && hasPictures && !hasText(glyphs)) pictures.push(number);
  const drawn = glyphs.filter((glyph) => glyph.text === undefined || /\S/u.test(glyph.text)).length;
  // PDFium may know the characters, and does not tell which ones.
  if (read < drawn && glyphs.some((glyph) => glyph.text === undefined)) unknown.push(number);
}

/** Content that is not part of a page: patterns, masks, glyphs, and forms that no page shows. */
export function searchContent(
  file: PdfFile,
  contents: Iterable<Ref>,
  words: WordFinder,
): Map<Ref, ReadonlySet<number>> {
  const reader = new GlyphReader(file);
  const hits = new Map<Ref, ReadonlySet<number>>();
  for (const ref of contents) {
    const stream = file.streamData(ref);
    if (stream === undefined || stream.filters.length > 0) continue;
    const resources = file.resolve(file.dict(ref)['/Resources']);
    if (!isDict(resources)) continue;
    const { glyphs: shown } = reader.read({ data: Buffer.from(stream.data), resources });
    const glyphs = glyphsOfWords(readingsOf(shown), words);
    if (glyphs.size > 0) hits.set(ref, new Set(Array.from(glyphs, (glyph) => glyph.index)));
  }
  return hits;
}

/** The operators of a path around areas; adjacent ones of an upright line are one box. */
export function outline(quads: readonly Quad[]): { boxes: Box[]; others: Quad[] } {
  const isUpright = ({ along, up }: Quad): boolean =>
    (along[1] === 0 && up[0] === 0) || (along[0] === 0 && up[1] === 0);
  return {
    boxes: mergedBoxes(quads.filter(isUpright).map(boundsOf)),
    others: quads.filter((quad) => !isUpright(quad)),
  };
}

/** Merges adjacent boxes of a line. */
function mergedBoxes(boxes: readonly Box[]): Box[] {
  const sorted = [...boxes].sort((a, b) => a.y - b.y || a.x - b.x);
  const merged: Box[] = [];
  for (const box of sorted) {
    const last = merged.at(-1);
    const isNext =
      last !== undefined &&
      Math.abs(last.y - box.y) < 0.1 * box.height &&
      Math.abs(last.height - box.height) < 0.1 * box.height &&
      box.x - (last.x + last.width) < 0.4 * box.height;
    if (isNext) last.width = Math.max(last.width, box.x + box.width - last.x);
    else merged.push({ ...box });
  }
  return merged;
}
