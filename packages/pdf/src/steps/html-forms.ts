import type { MessagePort } from 'node:worker_threads';
import { PlatenError } from '@platen/core/errors';
import { openPdf, type PdfFile } from '../model/index.ts';
import { textOf } from '../model/values.ts';
import { viewOf } from './geometry.ts';
import { type HtmlSheet, printedHtml } from './html-printing.ts';
import { pageImporter } from './import-page.ts';
import type { OpenPage } from './page-spans.ts';
import type { Form } from './paint.ts';

/** Most sheets, limited by the size of a message between functions. */
const MAX_SHEETS = 20_000;
/** Classes of elements whose text differs by page. */
const NUMBERS = /pageNumber|totalPages/;

/**
 * Prints html for pages, once for all pages with the same text.
 *
 * @returns the form XObject of each page
 * @throws PlatenError as `printedHtml`
 */
export async function formsOfHtml(
  file: PdfFile,
  html: string,
  pages: readonly OpenPage[],
  { field, printer }: { field: string; printer: MessagePort | undefined },
): Promise<(page: OpenPage) => Form> {
  const totalPages = file.pages().length;
  const isNumbered = NUMBERS.test(html);
  const sheets = new Map<string, HtmlSheet>();
  const keys = new Map<number, string>();
  for (const { number, dict } of pages) {
    const { width, height } = viewOf(file, dict);
    const key = JSON.stringify([isNumbered ? number : 0, width, height]);
    keys.set(number, key);
    if (!sheets.has(key)) sheets.set(key, { pageNumber: number, totalPages, width, height });
  }
  if (sheets.size > MAX_SHEETS) {
    const message = `html can be printed for at most ${MAX_SHEETS} different pages, and the document has more`;
    throw new PlatenError('pdf_too_complex', `\`${field}\`: ${message}.`, { faults: [{ field, message }] });
  }
  const forms = sheets.size === 0 ? new Map<string, Form>() : await printedForms();
  return ({ number }) => {
    const form = forms.get(keys.get(number) ?? '');
    if (form === undefined) throw new Error(`no html was printed for page ${number}`);
    return form;
  };

  // A document without pages needs no print, and a browser always prints at least one page.
  async function printedForms(): Promise<Map<string, Form>> {
    const title = textOf(file.resolve(file.dict(file.trailer['/Info'])['/Title'])).trim();
    const pdf = await printedHtml(printer, { html, title, sheets: [...sheets.values()] }, field);
    const source = await openPdf(pdf);
    const printed = source.pageDicts();
    if (printed.length !== sheets.size)
      throw new Error(`${printed.length} pages of html were printed, and not ${sheets.size}`);
    const importPage = pageImporter(file, source);
    return new Map([...sheets.keys()].map((key, index) => [key, importPage(printed[index] ?? {})]));
  }
}
