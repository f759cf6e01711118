import type { Platen, RenderOptions } from '@platen/client';
import { decodeHtml } from '@platen/core/text';
import { cookiesOf, credentials, headersOf } from './credentials.ts';
import { failures, pageStatuses } from './failures.ts';
import type { Form } from './form.ts';
import { withAssets, withBase, withMarkdown } from './html.ts';
import { fetchNamed, type OutsideAccess } from './outside.ts';
import { RequestError } from './request-error.ts';
import { type OutputFile, pdfNamed } from './result.ts';
import { pagesOf } from './steps.ts';

/** The routes `/forms/chromium/…` convert HTML, markdown and web pages to PDF or to an image. */

/** Fields without an effect: Platen always waits for the network, and every PDF is tagged. */
const FULFILLED = [
  'skipNetworkIdleEvent',
  'skipNetworkAlmostIdleEvent',
  'generateTaggedPdf',
  'splitMode',
  'splitSpan',
  'splitUnify',
];

/** Standard paper sizes in centimetres, by their names in Platen. */
const PAPERS: Readonly<Record<string, readonly [number, number]>> = {
  Letter: [21.59, 27.94],
  Legal: [21.59, 35.56],
  Tabloid: [27.94, 43.18],
  A0: [84.1, 118.9],
  A1: [59.4, 84.1],
  A2: [42, 59.4],
  A3: [29.7, 42],
  A4: [21, 29.7],
  A5: [14.8, 21],
  A6: [10.5, 14.8],
};
/** Maximum bytes of a web page's HTML. */
const MAX_PAGE = 16 * 1024 * 1024;
/** Clients give paper sizes in inches with two decimals, so a size may differ by the rounding error. */
const TOLERANCE_CM = 0.06;

export async function htmlToPdf(platen: Platen, form: Form, isMarkdown: boolean): Promise<OutputFile> {
  const source = await htmlOf(form, isMarkdown);
  return pdfNamed(nameOf(form), await rendering(platen, form, source, 'pdf', pdfOptions(form)).bytes());
}

export async function urlToPdf(platen: Platen, form: Form): Promise<OutputFile> {
  const url = addressOf(form);
  const { header, footer } = furniture(form);
  const options = {
    ...pdfOptions(form),
    ...(header === undefined ? {} : { header_file: await header.text() }),
    ...(footer === undefined ? {} : { footer_file: await footer.text() }),
  };
  const document = await platen.url(url, options);
  for (const warning of document.warnings) form.warn(warning);
  return pdfNamed(nameOf(form), await document.bytes());
}

/** Returns the name of a PDF; parts of it are named after it. */
function nameOf({ outputName = 'index' }: Form): string {
  return `${outputName.replace(/\.pdf$/i, '')}.pdf`;
}

/** Returns the address of a page. @throws RequestError if it is missing, or is none of the web */
function addressOf(form: Form): string {
  const url = form.text('url');
  if (url === undefined) throw new RequestError(400, "Invalid form data: form field 'url' is required");
  if (!/^https?:/i.test(url))
    throw new RequestError(400, `url must be an http or https address (got '${url}')`);
  return url;
}

/**
 * Converts HTML or markdown to an image.
 *
 * @throws PlatenError `unsupported_output_format` if the service cannot make images
 */
export async function htmlToImage(platen: Platen, form: Form, isMarkdown: boolean): Promise<OutputFile> {
  return await imageOf(platen, form, await htmlOf(form, isMarkdown));
}

/**
 * Takes a screenshot of a web page. Its HTML and its resources are loaded from its address.
 *
 * @throws RequestError
 */
export async function urlToImage(
  platen: Platen,
  form: Form,
  { downloads }: OutsideAccess,
): Promise<OutputFile> {
  const url = addressOf(form);
  const page = await fetchNamed(downloads, url, {
    credentials: credentials(form),
    maxBytes: MAX_PAGE,
    fails: pageStatuses(form),
  });
  const type = page.headers['content-type'] ?? '';
  if (!/^(text\/html|application\/xhtml\+xml)/i.test(type))
    throw new RequestError(400, `${url} is no html: ${type}`);
  const decoded = decodeHtml(page.bytes);
  if ('fault' in decoded) throw new RequestError(400, `${url} cannot be read: ${decoded.fault}`);
  return await imageOf(platen, form, withBase(decoded.text, page.url));
}

async function imageOf(platen: Platen, form: Form, source: string): Promise<OutputFile> {
  const format = form.text('format') ?? 'png';
  const width = form.number('width') ?? 800;
  const height = form.number('height') ?? 600;
  const quality = form.number('quality');
  const selector = form.text('selector');
  const scale = form.number('deviceScaleFactor');
  // Reading the field prevents a warning: images always have the same encoding, which is fast.
  form.flag('optimizeForSpeed');
  const options = {
    ...behaviour(form),
    viewport: { width, height },
    full_page: form.flag('clip') !== true,
    ...(selector === undefined ? {} : { selector }),
    ...(scale === undefined ? {} : { device_scale: scale }),
    ...(form.flag('omitBackground') === true ? { transparent: true } : {}),
    ...(quality === undefined || format === 'png' ? {} : { quality }),
  };
  const bytes = await rendering(platen, form, source, format, options).bytes();
  return { name: `index.${format}`, type: `image/${format}`, bytes };
}

async function htmlOf(form: Form, isMarkdown: boolean): Promise<string> {
  const index = await form.file('index.html').content.text();
  return await withAssets(isMarkdown ? await withMarkdown(index, form.files) : index, assetsOf(form));
}

function assetsOf(form: Form) {
  return form.files.filter(({ name }) => !['index.html', 'header.html', 'footer.html'].includes(name));
}

function furniture(form: Form): { header: File | undefined; footer: File | undefined } {
  const named = (wanted: string) => form.files.find(({ name }) => name === wanted)?.content;
  return { header: named('header.html'), footer: named('footer.html') };
}

function rendering(platen: Platen, form: Form, html: string, format: string, options: RenderOptions) {
  const { header, footer } = furniture(form);
  const template = {
    file: { content: html, name: 'index.html' },
    ...(header === undefined ? {} : { header }),
    ...(footer === undefined ? {} : { footer }),
    // The document is not a template, so text that looks like a placeholder stays unchanged.
    data: { name: 'index', format: 'html' as const, templating_engine: 'none' as const },
  };
  const work = platen.render(template, {}, { format, options });
  return {
    bytes: async () => {
      const document = await work;
      for (const warning of document.warnings) form.warn(warning);
      return await document.bytes();
    },
  };
}

/** Returns the PDF options of a form as render options. @throws RequestError */
export function pdfOptions(form: Form): RenderOptions {
  for (const name of FULFILLED) form.text(name);
  const printBackground = form.flag('printBackground') ?? false;
  // Chromium paints no background of its own into a PDF, so there is nothing to omit.
  if (form.flag('omitBackground') === true && !printBackground)
    throw new RequestError(400, 'omitBackground requires printBackground set to true');
  const { header, footer } = furniture(form);
  const pages = form.text('nativePageRanges');
  const scale = form.number('scale');
  const options: Record<string, unknown> = {
    ...sheet(form),
    margin_top: form.length('marginTop') ?? 0.99,
    margin_bottom: form.length('marginBottom') ?? 0.99,
    margin_left: form.length('marginLeft') ?? 0.99,
    margin_right: form.length('marginRight') ?? 0.99,
    print_background: printBackground,
    css_page: form.flag('preferCssPageSize') ?? false,
    outline: form.flag('generateDocumentOutline') ?? false,
    display_header_footer: header !== undefined || footer !== undefined,
    // If the form has only a header or only a footer, the default of the other one is disabled.
    ...(header === undefined ? { title_header_enabled: false, date_header_enabled: false } : {}),
    ...(footer === undefined ? { page_number_footer_enabled: false } : {}),
    ...(pages === undefined ? {} : { page_range: pagesOf(pages) }),
    ...(scale === undefined ? {} : { scale }),
    ...behaviour(form),
  };
  return options;
}

/** Returns the paper size and the orientation; the default is Letter. */
function sheet(form: Form): Record<string, unknown> {
  const width = form.length('paperWidth') ?? 21.59;
  const height = form.length('paperHeight') ?? 27.94;
  const landscape = form.flag('landscape') ?? false;
  if (form.flag('singlePage') === true)
    return { paper_width: landscape ? height : width, paper_height: 'content' };
  const fits = (a: number, b: number) => Math.abs(a - b) <= TOLERANCE_CM;
  for (const [name, [w, h]] of Object.entries(PAPERS)) {
    if (fits(width, w) && fits(height, h)) return { paper_format: name, landscape };
    if (fits(width, h) && fits(height, w)) return { paper_format: name, landscape: !landscape };
  }
  return landscape
    ? { paper_width: height, paper_height: width }
    : { paper_width: width, paper_height: height };
}

/**
 * Returns the options that configure the browser: conditions to wait for, media, cookies, headers and
 * failures.
 */
function behaviour(form: Form): Record<string, unknown> {
  const delay = form.text('waitDelay');
  const expression = expressionOf(form);
  const selector = form.text('waitForSelector');
  const media = mediaOf(form);
  const cookies = cookiesOf(form);
  const headers = headersOf(form);
  const wait = {
    ...(delay === undefined ? {} : { milliseconds: milliseconds(delay) }),
    ...(expression === undefined ? {} : { expression }),
    ...(selector === undefined ? {} : { selector }),
  };
  const fails = failures(form);
  return {
    ...(Object.keys(wait).length === 0 ? {} : { wait_for: wait }),
    ...(media === undefined ? {} : { media }),
    ...(cookies.length === 0 ? {} : { cookies }),
    ...(headers.length === 0 ? {} : { headers }),
    ...(fails.length === 0 ? {} : { fail_on: fails }),
    ...(form.runsScripts ? {} : { javascript: false }),
  };
}

/** Returns the media type and features. @throws RequestError */
function mediaOf(form: Form): RenderOptions['media'] {
  const type = form.text('emulatedMediaType') as 'print' | 'screen' | undefined;
  const given = form.json('emulatedMediaFeatures');
  if (given === undefined) return type;
  if (given === null || typeof given !== 'object' || Array.isArray(given))
    throw new RequestError(
      400,
      "Invalid form data: form field 'emulatedMediaFeatures' must be a JSON object",
    );
  const features = given as Record<string, string>;
  return { ...(type === undefined ? {} : { type }), features };
}

/** Returns the JavaScript condition to wait for: the form's expression, the window's status, or both. */
function expressionOf(form: Form): string | undefined {
  const given = form.text('waitForExpression');
  if (given === 'undefined')
    throw new RequestError(400, 'waitForExpression is undefined, which never becomes true');
  const status = form.text('waitWindowStatus');
  const wanted = [
    ...(given === undefined ? [] : [`(${given})`]),
    ...(status === undefined ? [] : [`window.status === ${JSON.stringify(status)}`]),
  ];
  return wanted.length === 0 ? undefined : wanted.join(' && ');
}

/** Parses a duration in Go's notation: `1.5s`, `500ms`, `1m`. @throws RequestError */
function milliseconds(duration: string): number {
  const [, digits = '', unit = ''] = /^(\d{1,9}(?:\.\d{1,9})?)(ms|s|m)$/.exec(duration) ?? [];
  const factor = { ms: 1, s: 1_000, m: 60_000 }[unit];
  if (factor === undefined)
    throw new RequestError(400, `waitDelay must be a duration such as 2s (got '${duration}')`);
  return Math.round(Number(digits) * factor);
}
