import { isPlatenError } from '@platen/core/errors';
import { type Letter, lettersOf } from '../glyphs/letters.ts';
import { pdfiumGlyphs } from '../glyphs/pdfium.ts';
import type { Glyph, GlyphReader } from '../glyphs/reader.ts';
import { boundsOf } from '../glyphs/shown.ts';
import type { PageText as PdfiumText } from '../pdfium/text.ts';
import { inverse, meet, viewOf } from '../steps/geometry.ts';
import { contentOf } from '../steps/page-content.ts';
import type { PdfDict } from '../model/values.ts';
import type { MarkOrder } from './tag-order.ts';
import { textLines, type TextLine } from './text-lines.ts';

/** A word with its place on the page, in points from the top left. */
export interface Word {
  text: string;
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface PageText {
  /** In points. */
  width: number;
  height: number;
  lines: TextLine[];
}

/**
 * Reads a page: in the order of the tags, if there are any, followed by untagged text; otherwise in the order of
 * the content.
 *
 * @param page with its inherited entries
 * @param byPdfium returns the text of the page as PDFium reads it, which knows more encodings
 */
export function readPage(
  reader: GlyphReader,
  page: PdfDict,
  order: MarkOrder | undefined,
  byPdfium: () => PdfiumText | undefined,
): PageText {
  const { file } = reader;
  const view = viewOf(file, page);
  const { width, height } = view;
  const glyphs = shownGlyphs(reader, page) ?? pdfiumGlyphs(byPdfium());
  const seen = glyphs.filter(({ quad }) => meet(boundsOf(quad), { x: 0, y: 0, width, height }));
  const letters = lettersOf(inOrder(identified(seen, byPdfium), order), true);
  return { width, height, lines: textLines(letters) };
}

/** Undefined for content that is damaged. */
function shownGlyphs(reader: GlyphReader, page: PdfDict): Glyph[] | undefined {
  const { file } = reader;
  try {
    const resources = file.dict(page['/Resources']);
    const matrix = inverse(viewOf(file, page).toPage);
    return reader.read({ data: contentOf(file, page), resources, matrix }).glyphs;
  } catch (error) {
    if (isPlatenError(error) && error.code === 'pdf_damaged') return undefined;
    throw error;
  }
}

/** Maximum distances, in points, between the places of a glyph by both readers, whose boxes of fonts differ in height. */
const [BESIDE, ABOVE] = [1.5, 6];

/** The glyphs with the characters that PDFium knows for those of unknown ones. */
function identified(glyphs: readonly Glyph[], byPdfium: () => PdfiumText | undefined): readonly Glyph[] {
  const cells = new Map<string, Glyph[]>();
  for (const glyph of glyphs.filter(({ text }) => text === undefined)) {
    const cell = cellOf(...placeOf(glyph));
    const others = cells.get(cell);
    if (others === undefined) cells.set(cell, [glyph]);
    else others.push(glyph);
  }
  if (cells.size === 0) return glyphs;
  const texts = new Map<Glyph, string>();
  for (const known of pdfiumGlyphs(byPdfium())) {
    const glyph = nearest(cells, known);
    if (glyph !== undefined && known.text !== undefined && known.text.trim() !== '')
      texts.set(glyph, known.text);
  }
  return glyphs.map((glyph) => ({ ...glyph, text: glyph.text ?? texts.get(glyph) }));
}

const cellOf = (x: number, y: number): string => `${Math.floor(x / BESIDE)} ${Math.floor(y / ABOVE)}`;

/** The left side and the middle of a glyph. */
function placeOf({ quad }: Glyph): [x: number, y: number] {
  const { x, y, height } = boundsOf(quad);
  return [x, y + height / 2];
}

function nearest(cells: ReadonlyMap<string, readonly Glyph[]>, known: Glyph): Glyph | undefined {
  const [x, y] = placeOf(known);
  const around = [-BESIDE, 0, BESIDE].flatMap((dx) =>
    [-ABOVE, 0, ABOVE].flatMap((dy) => cells.get(cellOf(x + dx, y + dy)) ?? []),
  );
  const distance = (glyph: Glyph): number => {
    const [left, middle] = placeOf(glyph);
    if (Math.abs(left - x) >= BESIDE || Math.abs(middle - y) >= ABOVE) return Infinity;
    // Of glyphs in the same place, the one without a width is a blank.
    return Math.hypot(left - x, (middle - y) / 2) + (boundsOf(glyph.quad).width < 0.1 ? 1 : 0);
  };
  const [best] = around.map((glyph) => ({ glyph, by: distance(glyph) })).toSorted((a, b) => a.by - b.by);
  return best === undefined || best.by === Infinity ? undefined : best.glyph;
}

function inOrder(glyphs: readonly Glyph[], order: MarkOrder | undefined): readonly Glyph[] {
  if (order === undefined) return glyphs;
  const place = ({ mark }: Glyph): number => order.get(mark) ?? order.size;
  // Glyphs of the same content keep their order.
  return glyphs.toSorted((a, b) => place(a) - place(b));
}

/** Ligatures and presentation forms, which stand for letters (Unicode, Alphabetic Presentation Forms). */
const FORMS = /[\ufb00-\ufdff\ufe70-\ufefc]/gu;

function textOf(letters: readonly Letter[]): string {
  return letters
    .map(({ text }) => text)
    .join('')
    .replace(FORMS, (form) => form.normalize('NFKC'))
    .normalize('NFC');
}

/** A page as text, without hyphens that are not visible. */
export function plainText({ lines }: PageText): string {
  return lines
    .map((line) =>
      textOf(line)
        .replace(/\u00ad$/u, '-')
        .replaceAll('\u00ad', '')
        .trim(),
    )
    .filter((line) => line !== '')
    .join('\n');
}

/** The words, separated by white space. */
export function wordsOf({ lines, height }: PageText): Word[] {
  return lines.flatMap((line) => {
    const words: Word[] = [];
    let from = 0;
    for (let at = 0; at <= line.length; at++) {
      if (at < line.length && /\S/u.test(line[at]?.text ?? '')) continue;
      if (at > from) words.push(wordOf(line.slice(from, at), height));
      from = at + 1;
    }
    return words;
  });
}

function wordOf(letters: readonly Letter[], height: number): Word {
  const boxes = letters.flatMap(({ glyphs }) => glyphs.map(({ quad }) => boundsOf(quad)));
  const least = (numbers: number[]): number => numbers.reduce((a, b) => Math.min(a, b), Infinity);
  return {
    text: textOf(letters).replaceAll('\u00ad', ''),
    left: least(boxes.map(({ x }) => x)),
    top: height + least(boxes.map((box) => -box.y - box.height)),
    right: -least(boxes.map(({ x, width }) => -x - width)),
    bottom: height - least(boxes.map(({ y }) => y)),
  };
}
