import { isPlatenError } from '@platen/core/errors';
import { type Letter, lettersOf } from '../glyphs/letters.ts';
import { pdfiumGlyphs } from '../glyphs/pdfium.ts';
import type { Glyph, GlyphReader } from '../glyphs/reader.ts';
import { boundsOf } from '../glyphs/shown.ts';
import type { PageText as PdfiumText } from '../pdfium/text.ts';
import { inverse, viewOf } from '../steps/geometry.ts';
import { contentOf } from '../steps/page-content.ts';
import type { PdfDict } from '../values.ts';
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
  const letters = lettersOf(inOrder(identified(glyphs, byPdfium), order), true);
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

/** The glyphs with the characters that PDFium knows for those of unknown ones. */
function identified(glyphs: readonly Glyph[], byPdfium: () => PdfiumText | undefined): readonly Glyph[] {
  if (glyphs.every(({ text }) => text !== undefined)) return glyphs;
  const known = new Map<string, string>();
  for (const { quad, text } of pdfiumGlyphs(byPdfium())) {
    if (text !== undefined && text.trim() !== '') known.set(placeOf(quad), text);
  }
  return glyphs.map((glyph) =>
    glyph.text === undefined ? { ...glyph, text: known.get(placeOf(glyph.quad)) } : glyph,
  );
}

/** Both readers place the start of a glyph within a point; boxes of fonts differ in height. */
function placeOf(quad: Glyph['quad']): string {
  const { x, y, height } = boundsOf(quad);
  return `${Math.round(x)} ${Math.round((y + height / 2) / 6)}`;
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
