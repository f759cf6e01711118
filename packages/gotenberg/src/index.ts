import { Platen } from '@platen/client';
import { safeName } from '@platen/core/file-name';
import { htmlToImage, htmlToPdf, urlToImage, urlToPdf } from './chromium.ts';
import { bookmarksOf } from './bookmarks.ts';
import { changed, embedding, invoices, merged, metadataOf, pdfsOf, infoAsJson } from './engines.ts';
import { Form } from './form.ts';
import { officeToPdf, type ReadOlder } from './office.ts';
import { download, type OutsideAccess, createOutside, type OutsidePolicy } from './outside.ts';
import { RequestError, requestErrorOf } from './request-error.ts';
import { finished, type OutputFile, packed, stem } from './result.ts';
import { optimization, STEP_FILES } from './steps.ts';
import { callBack, webhookOf } from './webhook.ts';

/** Implements Gotenberg's routes (I-58) with Platen; docs/gotenberg.md lists the supported fields. */

export type { OlderFormat, ReadOlder } from './office.ts';
export type { OutsidePolicy } from './outside.ts';
export { listen, type Listening } from './server.ts';

export interface GotenbergOptions {
  /** URL of the service. */
  url: string;
  /**
   * Token for requests without `Authorization`; if null, they are refused. Set it only for an address that
   * can be reached from this machine alone: see `mayGoWithout`.
   */
  token: string | null;
  /** Maximum bytes of a request, including the files fetched for it. Default 256 MiB. */
  maxBytes?: number;
  /**
   * Addresses that may be called for `downloadFrom`, screenshots of web pages and webhooks. Default: public
   * ones.
   */
  outside?: OutsidePolicy;
  /** Converts documents of older formats (rtf, doc, xls, ppt), which are refused if this is absent. */
  readOlder?: ReadOlder;
  /** Receives the work for a webhook that continues after the response; the promise rejects for defects. */
  background?: (work: Promise<void>) => void;
}

/** Makes documents from a form. */
type Route = (
  platen: Platen,
  form: Form,
  outside: OutsideAccess,
  readOlder: ReadOlder | null,
) => Promise<readonly OutputFile[]>;

const one =
  (make: (platen: Platen, form: Form, outside: OutsideAccess) => Promise<OutputFile>): Route =>
  async (platen, form, outside) => [await make(platen, form, outside)];
/** Wraps a route so that the options for finished PDFs are applied to its results. */
const pdf =
  (make: Route): Route =>
  async (platen, form, outside, readOlder) =>
    await finished(platen, form, await make(platen, form, outside, readOlder));
const image = (isMarkdown: boolean): Route => one((platen, form) => htmlToImage(platen, form, isMarkdown));

const ROUTES: Readonly<Record<string, Route>> = {
  'chromium/convert/html': pdf(one((platen, form) => htmlToPdf(platen, form, false))),
  'chromium/convert/markdown': pdf(one((platen, form) => htmlToPdf(platen, form, true))),
  'chromium/convert/url': pdf(one(urlToPdf)),
  'chromium/screenshot/html': image(false),
  'chromium/screenshot/markdown': image(true),
  'chromium/screenshot/url': one(urlToImage),
  'libreoffice/convert': pdf((platen, form, _, readOlder) => officeToPdf(platen, form, readOlder)),
  'pdfengines/merge': pdf(merged),
  'pdfengines/split': pdf((_, form) => changed(form, ['splitMode'])),
  'pdfengines/convert': pdf((_, form) => changed(form, ['pdfa', 'pdfua'])),
  'pdfengines/flatten': async (platen, form) => {
    const steps = [{ flatten: {} }];
    return await finished(platen, form, await pdfsOf(form), { steps, parts: {} });
  },
  'pdfengines/optimize': async (platen, form) => {
    // The route always optimizes images, whatever the field says, so the field causes no warning.
    form.flag('optimizeImages');
    const steps = [optimization(form)];
    return await finished(platen, form, await pdfsOf(form), { steps, parts: {} });
  },
  'pdfengines/encrypt': pdf((_, form) => changed(form, ['userPassword', 'ownerPassword'])),
  'pdfengines/metadata/read': one((platen, form) => infoAsJson(platen, form, metadataOf)),
  'pdfengines/metadata/write': pdf((_, form) => changed(form, ['metadata'])),
  'pdfengines/bookmarks/read': one((platen, form) => infoAsJson(platen, form, bookmarksOf)),
  'pdfengines/bookmarks/write': pdf((_, form) => changed(form, ['bookmarks'])),
  'pdfengines/rotate': pdf((_, form) => changed(form, ['rotateAngle'])),
  'pdfengines/watermark': pdf((_, form) => changed(form, ['watermarkSource'])),
  'pdfengines/stamp': pdf((_, form) => changed(form, ['stampSource'])),
  'pdfengines/embed': pdf((_, form) => embedding(form)),
  'pdfengines/factur-x': invoices,
  // The previous name of this route.
  'pdfengines/facturx': invoices,
};

/** Form fields whose files have a specific purpose. */
const SPECIAL = [...STEP_FILES, 'facturxXml'];
/** The version of Gotenberg with the same routes, and the name of this implementation. */
const VERSION = '8.34.0+platen';
const MAX_BYTES = 256 * 1024 * 1024;
/** Returns a handler for requests of Gotenberg clients, which never throws. */
export function createGotenberg(options: GotenbergOptions): (request: Request) => Promise<Response> {
  const outside = createOutside(options.outside ?? {});
  return async (request) => {
    const trace = request.headers.get('gotenberg-trace') ?? crypto.randomUUID();
    const response = await answer(request, trace, outside, options).catch((error: unknown) => failure(error));
    response.headers.set('gotenberg-trace', trace);
    response.headers.set('x-content-type-options', 'nosniff');
    return response;
  };
}

async function answer(
  request: Request,
  trace: string,
  outside: OutsideAccess,
  options: GotenbergOptions,
): Promise<Response> {
  const { pathname } = new URL(request.url);
  const get = request.method === 'GET' || request.method === 'HEAD';
  if (get && pathname === '/health') return health();
  if (get && pathname === '/version') return text(200, VERSION);
  if (get && pathname === '/') return text(200, "Platen, with Gotenberg's routes.");
  const name = pathname.replace(/^\/forms\//, '');
  const route = Object.hasOwn(ROUTES, name) ? ROUTES[name] : undefined;
  if (route === undefined || !pathname.startsWith('/forms/')) throw new RequestError(404, 'Not Found');
  if (request.method !== 'POST') throw new RequestError(405, 'Method Not Allowed');
  const platen = new Platen({ url: options.url, token: tokenOf(request, options.token) });
  // The token is validated before the body is read, so that only known callers can use resources.
  await platen.token({ signal: request.signal });
  const webhook = await webhookOf(request, outside.webhooks);
  const { maxBytes = MAX_BYTES, background = () => undefined } = options;
  const form = new Form(await formData(request, maxBytes), SPECIAL);
  await download(form, outside.downloads, maxBytes - form.bytes, request.signal);
  const make = async (): Promise<Response> => {
    const made = await packed(await route(platen, form, outside, options.readOlder ?? null));
    form.warnOfRest();
    return sent(made, form, request.headers.get('gotenberg-output-filename'));
  };
  if (webhook === null) return await make();
  background(callBack(webhook, trace, outside.webhooks, make));
  return new Response(null, { status: 204 });
}

/**
 * Returns the token of a request: the plain header, the text after `Bearer`, or the password of basic
 * authentication with any user name.
 *
 * @throws RequestError if a token is required and missing
 */
function tokenOf(request: Request, own: string | null): string {
  const header = request.headers.get('authorization');
  if (header === null) {
    if (own !== null && mayGoWithout(request)) return own;
    throw new RequestError(
      401,
      'A token of Platen is needed: as it is, as Bearer, or as the password of basic authentication.',
    );
  }
  const [, basic] = /^basic ([\w+/=-]+)$/i.exec(header) ?? [];
  if (basic === undefined) return header.replace(/^bearer /i, '');
  const decoded = Buffer.from(basic, 'base64').toString('utf8');
  return decoded.slice(decoded.indexOf(':') + 1);
}

/**
 * Returns whether a request without a token may use the operator's token, if one is configured. Requests that
 * a browser sends for another site's page may not, nor may requests with a host name other than this
 * machine's.
 */
function mayGoWithout({ headers, url }: Request): boolean {
  const site = headers.get('sec-fetch-site');
  const isOfBrowser = headers.has('origin') || (site !== null && site !== 'none' && site !== 'same-origin');
  return !isOfBrowser && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(new URL(url).hostname);
}

/**
 * Reads the form and counts its bytes, because a chunked body has no declared length.
 *
 * @throws RequestError
 */
async function formData(request: Request, maxBytes: number): Promise<FormData> {
  const tooLarge = new RequestError(413, 'Request Entity Too Large');
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge;
  let counted = 0;
  const counting = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      counted += chunk.byteLength;
      if (counted > maxBytes) controller.error(tooLarge);
      else controller.enqueue(chunk);
    },
  });
  // The source is not cancelled, because its connection is still needed for the response.
  const body = request.body?.pipeThrough(counting, { preventCancel: true }) ?? null;
  const type = request.headers.get('content-type') ?? '';
  try {
    return await new Response(body, { headers: { 'content-type': type } }).formData();
  } catch {
    if (counted > maxBytes) throw tooLarge;
    throw new RequestError(415, 'Unsupported Media Type: send multipart/form-data');
  }
}

function sent({ name, type, bytes }: OutputFile, { warnings }: Form, wanted: string | null): Response {
  const ending = name.slice(name.lastIndexOf('.'));
  const file = safeName(wanted === null ? name : `${stem(wanted).replace(/[\\/"]/g, '_')}${ending}`);
  const headers = new Headers({
    'content-type': type,
    'content-length': String(bytes.length),
    'content-disposition': `attachment; filename="${asciiOf(file)}"; filename*=UTF-8''${encodeURIComponent(file)}`,
  });
  const quoted = warnings.slice(0, 20).map((warning) => `299 - "${asciiOf(warning)}"`);
  if (quoted.length > 0) headers.set('warning', quoted.join(', '));
  return new Response(bytes, { headers });
}

function asciiOf(value: string): string {
  return value.replace(/[^\x20-\x7e]|["\\]/g, '_');
}

function health(): Response {
  const module = { status: 'up', timestamp: new Date().toISOString() };
  return Response.json({ status: 'up', details: { chromium: module, libreoffice: module } });
}

function failure(error: unknown): Response {
  const { status, message } = requestErrorOf(error);
  const response = text(status, message);
  if (status === 401) response.headers.set('www-authenticate', 'Basic realm="Platen"');
  return response;
}

function text(status: number, message: string): Response {
  return new Response(message, { status, headers: { 'content-type': 'text/plain; charset=UTF-8' } });
}
