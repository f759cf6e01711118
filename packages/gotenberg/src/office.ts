import type { Platen, RenderOptions } from '@platen/client';
import type { Form, SentFile } from './form.ts';
import { joined } from './joined.ts';
import { csvWorkbook, textPage } from './plain.ts';
import { RequestError } from './request-error.ts';
import { type OutputFile, pdfNamed, stem } from './result.ts';
import { pagesOf } from './steps.ts';
import { viewOf } from './view.ts';

/** The route `/forms/libreoffice/convert` converts documents and images to PDF, separately or merged. */

/** Formats that the service converts with an office engine. */
const OFFICE: ReadonlySet<string> = new Set(['docx', 'odt', 'xlsx', 'ods', 'pptx', 'odp']);
const OOXML: ReadonlySet<string> = new Set(['docx', 'xlsx', 'pptx']);
const HTML: ReadonlySet<string> = new Set(['html', 'htm', 'xhtml']);
/** Image formats; each image becomes one page. */
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

/** Formats that only this package accepts, because the interface does not. */
const OLDER = [
  ...(['rtf', 'doc', 'dot', 'xls', 'xlt', 'ppt', 'pot', 'pps'] as const),
  ...(['docm', 'dotx', 'dotm', 'xlsm', 'xltx', 'xltm', 'xlsb'] as const),
  ...(['pptm', 'potx', 'potm', 'ppsx', 'ppsm'] as const),
  ...(['fodt', 'fods', 'fodp', 'ott', 'ots', 'otp', 'sxw', 'sxc', 'sxi'] as const),
];
export type OlderFormat = (typeof OLDER)[number];
/** Formats of the interface, whose documents are read in the same way if they have a password. */
export type ProtectedFormat = 'docx' | 'odt' | 'xlsx' | 'ods' | 'pptx' | 'odp';

/**
 * Converts a document of such a format, or one with a password, to OpenDocument, without access to the files and
 * addresses that the document references.
 *
 * @param password null or absent for a document without one
 * @throws `PlatenError` of `@platen/core`; `engine_unavailable` if this access cannot be prevented
 */
export type ReadOlder = (
  document: Uint8Array,
  from: OlderFormat | ProtectedFormat,
  password?: string | null,
) => Promise<{ bytes: Uint8Array<ArrayBuffer>; as: 'odt' | 'ods' | 'odp' }>;

/** LibreOffice's page setup for text: margins of 2 cm without headers and footers. */
const PAGE = {
  margin_top: 2,
  margin_bottom: 2,
  margin_left: 2,
  margin_right: 2,
  display_header_footer: false,
} as const;

/**
 * Converts the files of a form to PDF.
 *
 * @param readOlder null if older formats cannot be converted
 * @throws RequestError, PlatenError
 */
export async function officeToPdf(
  platen: Platen,
  form: Form,
  readOlder: ReadOlder | null,
): Promise<OutputFile[]> {
  if (form.files.length === 0) throw new RequestError(400, 'Invalid form data: no form file found');
  const password = form.text('password') ?? null;
  const pages = form.text('nativePageRanges');
  const options = pages === undefined ? {} : { page_range: pagesOf(pages) };
  const view = viewOf(form);
  const isMerged = form.flag('merge') === true;
  const made: OutputFile[] = [];
  for (const file of form.files) {
    // Names keep the extension as in Gotenberg: report.docx and report.xlsx differ.
    const name = /\.pdf$/i.test(file.name) ? file.name : `${file.name}.pdf`;
    // Merged documents open at a page of the first one.
    const { page: _page, ...later } = view ?? {};
    const isFurther = isMerged && made.length > 0;
    const all = view === undefined ? options : { ...options, view: isFurther ? later : view };
    made.push(pdfNamed(name, await converted(platen, form, await current(file, password, readOlder), all)));
  }
  if (!isMerged || made.length < 2) return made;
  return await joined(platen, form, made);
}

/**
 * Returns a document in a format that the interface accepts, converted if necessary.
 *
 * @throws RequestError, PlatenError
 */
async function current(
  file: SentFile,
  password: string | null,
  readOlder: ReadOlder | null,
): Promise<SentFile> {
  const ending = endingOf(file.name);
  const isProtected = password !== null && OFFICE.has(ending);
  if (!isOlder(ending) && !isProtected) return file;
  if (readOlder === null)
    throw new RequestError(400, `Invalid form data: ${file.name} requires LibreOffice on the same machine`);
  const document = new Uint8Array(await file.content.arrayBuffer());
  // An encrypted document of OOXML is no ZIP ([MS-OFFCRYPTO] 1.3.3).
  if (isProtected && OOXML.has(ending) && document[0] === 0x50)
    throw new RequestError(400, `${file.name} has no password: remove the field 'password'`);
  const from = ending as OlderFormat | ProtectedFormat;
  const { bytes, as } = await readOlder(document, from, password);
  const name = `${stem(file.name)}.${as}`;
  return { name, content: new File([bytes], name) };
}

function isOlder(ending: string): ending is OlderFormat {
  return (OLDER as readonly string[]).includes(ending);
}

function endingOf(name: string): string {
  return name.split('.').at(-1)?.toLowerCase() ?? '';
}

async function converted(
  platen: Platen,
  form: Form,
  { name, content }: SentFile,
  options: RenderOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  const ending = endingOf(name);
  const { view } = options;
  if (ending === 'pdf') {
    if (view !== undefined) form.warn(`${name} is a PDF, whose view stays as it is`);
    return new Uint8Array(await content.arrayBuffer());
  }
  if (IMAGES.has(ending)) {
    if (form.flag('landscape') === true) form.warn(`${name} is an image, which 'landscape' does not turn`);
    return await platen.image({ content, name }, view && { view }).bytes();
  }
  if (!OFFICE.has(ending) && !HTML.has(ending) && ending !== 'txt' && ending !== 'csv') {
    const known = [...OFFICE, ...OLDER, ...HTML, ...IMAGES, 'csv', 'txt', 'pdf'].join(', ');
    throw new RequestError(400, `Invalid form data: ${name} is of no format that is read here: ${known}`);
  }
  const isPage = HTML.has(ending) || ending === 'txt';
  // Programs write html under names of office documents, which the service detects.
  const isPackage = ending === 'csv' || (await content.slice(0, 2).text()) === 'PK';
  const outline = form.flag('exportBookmarks') ?? true;
  const own = isPage
    ? { ...PAGE, landscape: form.flag('landscape') ?? false }
    : {
        form_fields: form.flag('exportFormFields') ?? true,
        ...(isPackage && { office: officeOptions(form, ending) }),
      };
  const more = { ...options, outline, ...own };
  const document = await platen.render(await templateOf(ending, { content, name }), {}, { options: more });
  for (const warning of document.warnings) form.warn(warning);
  return await document.bytes();
}

/** Returns the options for the pages of an office document, with LibreOffice's defaults in Gotenberg. */
function officeOptions(form: Form, ending: string): NonNullable<RenderOptions['office']> {
  const isText = ending === 'docx' || ending === 'odt';
  const skipsEmptyPages = form.flag('skipEmptyPages') ?? false;
  const updatesIndexes = form.flag('updateIndexes') ?? true;
  return {
    landscape: form.flag('landscape') ?? false,
    single_page_sheets: form.flag('singlePageSheets') ?? false,
    comments: form.flag('exportNotes') ?? false,
    notes_pages: form.flag('exportNotesPages') ?? false,
    hidden_slides: form.flag('exportHiddenSlides') ?? false,
    empty_pages: isText && !skipsEmptyPages,
    keep_indexes: isText && !updatesIndexes,
  };
}

async function templateOf(ending: string, file: SentFile) {
  // The document is not a template, so text that looks like a placeholder stays unchanged.
  const data = { name: stem(file.name), templating_engine: 'none' as const };
  if (ending === 'csv')
    return { file: { content: await csvWorkbook(file), name: `${stem(file.name)}.xlsx` }, data };
  if (ending === 'txt')
    return { file: { content: await textPage(file), name: `${stem(file.name)}.html` }, data };
  return { file: { content: file.content, name: file.name }, data };
}
