import type { Platen, RenderOptions } from '@platen/client';
import type { Form, SentFile } from './form.ts';
import { joined } from './joined.ts';
import { csvWorkbook, textPage } from './plain.ts';
import { Refused } from './refused.ts';
import { type Made, pdfNamed, stem } from './result.ts';
import { pagesOf } from './steps.ts';

/** `/forms/libreoffice/convert`: documents and images to PDF, each for itself or merged. */

/** What the office engine of the service reads. */
const OFFICE: ReadonlySet<string> = new Set(['docx', 'odt', 'xlsx', 'ods', 'pptx', 'odp']);
const HTML: ReadonlySet<string> = new Set(['html', 'htm', 'xhtml']);
/** Images have a page each. */
const IMAGES: ReadonlySet<string> = new Set([
  'png',
  'jpg',
  'jpeg',
  'gif',
  'bmp',
  'tif',
  'tiff',
  'webp',
  'svg',
  'eps',
  'psd',
]);

/** As LibreOffice has pages of text: margins of 2 cm, and nothing in them. */
const PAGE = {
  margin_top: 2,
  margin_bottom: 2,
  margin_left: 2,
  margin_right: 2,
  display_header_footer: false,
} as const;

/** @throws Refused, PlatenError */
export async function officeToPdf(platen: Platen, form: Form): Promise<Made[]> {
  if (form.files.length === 0) throw new Refused(400, 'Invalid form data: no form file found');
  if (form.text('password') !== undefined)
    throw new Refused(400, 'Documents with a password are not opened: send them without it');
  const pages = form.text('nativePageRanges');
  const options = pages === undefined ? {} : { page_range: pagesOf(pages) };
  const made: Made[] = [];
  for (const file of form.files) {
    // Several keep their whole names, as Gotenberg has it: report.docx and report.xlsx are two documents.
    const isPdf = /\.pdf$/i.test(file.name);
    const name = form.files.length > 1 && !isPdf ? file.name : stem(file.name);
    made.push(pdfNamed(`${name}.pdf`, await converted(platen, form, file, options)));
  }
  if (form.flag('merge') !== true || made.length < 2) return made;
  return await joined(platen, form, made);
}

async function converted(
  platen: Platen,
  form: Form,
  { name, content }: SentFile,
  options: RenderOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  const ending = name.split('.').at(-1)?.toLowerCase() ?? '';
  if (ending === 'pdf') return new Uint8Array(await content.arrayBuffer());
  if (IMAGES.has(ending)) return await platen.image({ content, name }).bytes();
  if (!OFFICE.has(ending) && !HTML.has(ending) && ending !== 'txt' && ending !== 'csv') {
    const known = [...OFFICE, ...HTML, ...IMAGES, 'csv', 'txt', 'pdf'].join(', ');
    throw new Refused(400, `Invalid form data: ${name} is of no format that is read here: ${known}`);
  }
  const isPage = HTML.has(ending) || ending === 'txt';
  const landscape = form.flag('landscape');
  const more = isPage ? { ...options, ...PAGE, landscape: landscape ?? false } : options;
  if (landscape === true && !isPage) form.warn('landscape is ignored: an office document has its own pages');
  const document = await platen.render(await templateOf(ending, { content, name }), {}, { options: more });
  for (const warning of document.warnings) form.warn(warning);
  return await document.bytes();
}

async function templateOf(ending: string, file: SentFile) {
  // What looks like a placeholder is the document's own.
  const data = { name: stem(file.name), templating_engine: 'none' as const };
  if (ending === 'csv')
    return { file: { content: await csvWorkbook(file), name: `${stem(file.name)}.xlsx` }, data };
  if (ending === 'txt')
    return { file: { content: await textPage(file), name: `${stem(file.name)}.html` }, data };
  return { file: { content: file.content, name: file.name }, data };
}
