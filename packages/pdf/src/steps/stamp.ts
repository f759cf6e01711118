import { readFile } from 'node:fs/promises';
import type { MessagePort } from 'node:worker_threads';
import { pdfNumbers } from '../content/write.ts';
import { isPlatenError, PlatenError } from '@platen/core/errors';
import { openPdf, type PdfFile } from '../model/index.ts';
import type { TextSetter } from '../text/index.ts';
import type { PdfDict } from '../model/values.ts';
import { placement, viewOf } from './geometry.ts';
import { formOfDrawing, formOfImage } from './image-form.ts';
import { formsOfHtml } from './html-forms.ts';
import { pageImporter } from './import-page.ts';
import { type OpenPage, pagesFor } from './page-spans.ts';
import { addForm, type Form, type Layer, paint } from './paint.ts';
import type { LetterheadStep, OwnFont, PageNumbersStep, StampStep } from './types.ts';

/** Stamps, watermarks, page numbers and letterheads: content over and under pages. */

/** In points. */
const STAMP_SIZE = 24;
const NUMBER_SIZE = 10;
const BLACK = '#000000';
/** Line spacing, relative to the text size. */
const LEADING = 1.2;

/** A text, with the name of its field for errors. */
interface Text {
  text: string;
  font?: string | undefined;
  ownFont?: OwnFont | undefined;
  size: number;
  color: string;
}

/** The context of a stamp besides its options. */
interface StampContext {
  place: string;
  where: Layer['where'];
  texts: () => TextSetter;
  printer: MessagePort | undefined;
}

/** Puts a text, an image, html or a page of another PDF over or under pages. */
export async function stamp(
  file: PdfFile,
  options: StampStep,
  { place, where, texts, printer }: StampContext,
): Promise<void> {
  const { html, angle, scale, opacity } = options;
  const pages = pagesFor(file, options.pages, place);
  const formFor =
    html === undefined
      ? inTurn(await formsOf(file, options, { place, texts, printer }), pages)
      : await formsOfHtml(file, html, pages, { field: `${place}.html`, printer });
  for (const page of pages) {
    const form = formFor(page);
    const matrix = placement(viewOf(file, page.dict), { box: form.box, angle, scale }, options);
    paint(file, page, { form, matrix, opacity }, { where, subtype: '/Watermark' });
  }
}

/** The first form on the first page, and so on; the last one on all further pages. */
function inTurn(forms: readonly [Form, ...Form[]], pages: readonly OpenPage[]): (page: OpenPage) => Form {
  const [first] = forms;
  const byPage = new Map(pages.map((page, index) => [page, forms[index] ?? forms.at(-1)]));
  return (page) => byPage.get(page) ?? first;
}

async function formsOf(
  file: PdfFile,
  { text, image, resolution, pdf, pdfPages, font, ownFont, size = STAMP_SIZE, color = BLACK }: StampStep,
  { place, texts, printer }: Omit<StampContext, 'where'>,
): Promise<[Form, ...Form[]]> {
  if (text !== undefined)
    return [await formOfText(file, { text, font, ownFont, size, color }, place, texts())];
  if (image !== undefined) {
    const field = `${place}.image`;
    const drawn = printer && (await formOfDrawing(file, image, { field, printer }));
    return [drawn ?? (await formOfImage(file, image, field, { resolution }))];
  }
  return await formsOfFile(file, pdf ?? '', `${place}.pdf`, pdfPages);
}

/** The text of page numbers: `{page}` and `{pages}`, with `{page:6}` as six digits. */
export async function numberPages(
  file: PdfFile,
  { format = '{page} / {pages}', position = 'bottom-center', first = 1, pages }: PageNumbersStep,
  place: string,
  texts: () => TextSetter,
): Promise<void> {
  const chosen = pagesFor(file, pages, place);
  const last = first + chosen.length - 1;
  for (const [index, page] of chosen.entries()) {
    const values: Readonly<Record<string, number>> = { page: first + index, pages: last };
    const text = format.replace(/\{(pages?)(?::0?(\d{1,2}))?\}/g, (_, name: string, digits = '0') =>
      String(values[name]).padStart(Number(digits), '0'),
    );
    const form = await formOfText(file, { text, size: NUMBER_SIZE, color: BLACK }, place, texts());
    const matrix = placement(viewOf(file, page.dict), { box: form.box }, { position });
    paint(file, page, { form, matrix }, { where: 'over', subtype: '/PageNum' });
  }
}

/** Puts a page with a letterhead under every page, and another one under the first page if it is given. */
export async function putLetterhead(
  file: PdfFile,
  { pdf, first }: LetterheadStep,
  place: string,
): Promise<void> {
  const [rest] = await formsOfFile(file, pdf, `${place}.pdf`);
  const [start] = first === undefined ? [rest] : await formsOfFile(file, first, `${place}.first`);
  for (const page of pagesFor(file, undefined, place)) {
    const form = page.number === 1 ? start : rest;
    const view = viewOf(file, page.dict);
    const scale = Math.min(view.width / form.box.width, view.height / form.box.height);
    const matrix = placement(view, { box: form.box, scale }, { position: 'center' });
    paint(file, page, { form, matrix }, { where: 'under', subtype: '/Header' });
  }
}

/** The first page of a PDF, or each page. @throws PlatenError those of the engine, naming the part */
async function formsOfFile(
  file: PdfFile,
  path: string,
  field: string,
  which: StampStep['pdfPages'] = 'first',
): Promise<[Form, ...Form[]]> {
  try {
    const source = await openPdf(await readFile(path));
    const [first, ...further] = source.pageDicts();
    if (first === undefined) throw new PlatenError('pdf_damaged', 'The PDF has no pages.');
    const importPage = pageImporter(file, source);
    return [importPage(first), ...(which === 'each' ? further : []).map(importPage)];
  } catch (error) {
    if (!isPlatenError(error)) throw error;
    throw new PlatenError(error.code, `\`${field}\`: ${error.message}`, {
      faults: [{ field, message: error.message }],
      cause: error,
    });
  }
}

async function formOfText(
  file: PdfFile,
  { text, font, ownFont, size, color }: Text,
  place: string,
  texts: TextSetter,
): Promise<Form> {
  const style = ownFont === undefined ? texts.style(font, `${place}.font`) : texts.ownStyle(ownFont);
  const lines = [];
  for (const line of text.split(/\r\n|\r|\n/))
    lines.push(await texts.line(line, style, size, `${place}.text`));
  const width = Math.max(...lines.map((line) => line.width));
  const leading = size * LEADING;
  const above = Math.max(size * 0.8, lines[0]?.ascent ?? 0);
  const below = Math.max(size * 0.2, lines.at(-1)?.descent ?? 0);
  const height = above + leading * (lines.length - 1) + below;
  const fonts: PdfDict = {};
  const operators = [colourOperator(color)];
  for (const [index, line] of lines.entries()) {
    for (const [name, ref] of line.fonts) fonts[`/${name}`] = ref;
    const baseline = height - above - index * leading;
    operators.push(`q 1 0 0 1 ${pdfNumbers((width - line.width) / 2, baseline)} cm`, line.operators, 'Q');
  }
  // A text of spaces has no width, and a box must have one.
  const box = { x: 0, y: 0, width: Math.max(width, 1), height };
  return addForm(file, box, operators.join('\n'), { '/Font': fonts });
}

/**
 * Sets the fill colour to `#rrggbb`. Greys use the grey operator, which PDF/A with CMYK also permits (6.2.4.3).
 */
function colourOperator(color: string): string {
  const channels = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255);
  const [grey = 0] = channels;
  return channels.every((one) => one === grey) ? `${pdfNumbers(grey)} g` : `${pdfNumbers(...channels)} rg`;
}
