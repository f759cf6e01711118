import { Platen } from '@platen/client';
import { safeName } from '@platen/core/file-name';
import { Form } from './form.ts';
import type { ReadOlder } from './office.ts';
import { download, type OutsideAccess, createOutside, type OutsidePolicy } from './outside.ts';
import { formData, outputNameOf, tokenOf } from './request.ts';
import { RequestError, requestErrorOf } from './request-error.ts';
import { type OutputFile, packed } from './result.ts';
import { ROUTES } from './routes.ts';
import { STEP_FILES } from './steps.ts';
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
  /** Path before all routes; `/` if absent. */
  rootPath?: string;
  /** Groups of routes and `prometheus` if these are not served, and `javascript` if scripts of documents are not run. */
  disabled?: readonly Disabled[];
  /** Returns the load of the engines, for `/prometheus/metrics`, which is not served if this is absent. */
  load?: () => EngineLoads;
  /** Whether a request with a webhook is answered after the webhook has been called. Default false. */
  waitsForWebhooks?: boolean;
}

/** Requests that wait for an engine, and how often its environment was replaced. */
export type EngineLoads = Readonly<Record<'chromium' | 'libreoffice', { waiting: number; ended: number }>>;

/** What can be switched off. */
const ENGINES = ['chromium', 'libreoffice', 'pdfengines'] as const;
export const DISABLED = [...ENGINES, 'javascript', 'prometheus'] as const;
export type Disabled = (typeof DISABLED)[number];

/** Form fields whose files have a specific purpose. */
const SPECIAL = [...STEP_FILES, 'facturxXml'];
/** The version of Gotenberg with the same routes, and the name of this implementation. */
const VERSION = '8.34.0+platen';
const MAX_BYTES = 256 * 1024 * 1024;
/** Milliseconds in which a valid token is not validated again, as every call of the service validates it. */
const KNOWN_MS = 10_000;

/** Returns a handler for requests of Gotenberg clients, which never throws. */
export function createGotenberg(options: GotenbergOptions): (request: Request) => Promise<Response> {
  const outside = createOutside(options.outside ?? {});
  const known = new Set<string>();
  return async (request) => {
    const trace = request.headers.get('gotenberg-trace') ?? crypto.randomUUID();
    const response = await answer(request, trace, outside, options, known).catch((error: unknown) =>
      failure(error),
    );
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
  known: Set<string>,
): Promise<Response> {
  const { rootPath = '/', disabled = [] } = options;
  const { pathname } = new URL(request.url);
  if (!pathname.startsWith(rootPath)) throw new RequestError(404, 'Not Found');
  const path = pathname.slice(rootPath.length);
  if (path === 'health' && isReading(request)) return health();
  const load = disabled.includes('prometheus') ? undefined : options.load;
  const pages = load === undefined ? PAGES : { ...PAGES, [METRICS]: metrics(load) };
  const isPage = Object.hasOwn(pages, path) && isReading(request);
  const [, group = '', name = ''] = /^forms\/([^/]+)\/(.+)$/.exec(path) ?? [];
  const isServed = ENGINES.some((engine) => engine === group && !disabled.includes(engine));
  const route =
    isServed && Object.hasOwn(ROUTES, `${group}/${name}`) ? ROUTES[`${group}/${name}`] : undefined;
  if (route === undefined && !isPage) throw new RequestError(404, 'Not Found');
  if (!isPage && request.method !== 'POST') throw new RequestError(405, 'Method Not Allowed');
  const token = tokenOf(request, options.token);
  const platen = new Platen({ url: options.url, token });
  // The token is validated before the body is read, so that only known callers can use resources.
  if (!known.has(token)) {
    await platen.token({ signal: request.signal });
    known.add(token);
    setTimeout(() => known.delete(token), KNOWN_MS).unref();
  }
  if (route === undefined) return pages[path]?.() ?? text(404, 'Not Found');
  const webhook = await webhookOf(request, outside.webhooks);
  const { maxBytes = MAX_BYTES, background = () => undefined } = options;
  const form = new Form(await formData(request, maxBytes), SPECIAL, {
    outputName: outputNameOf(request),
    runsScripts: !disabled.includes('javascript'),
  });
  await download(form, outside.downloads, maxBytes - form.bytes, request.signal);
  const make = async (): Promise<Response> => {
    const made = await packed(await route(platen, form, outside, options.readOlder ?? null));
    if (webhook !== null && made.type === 'application/json')
      throw new RequestError(400, 'Webhooks receive documents, and this route has none');
    form.warnOfRest();
    return sent(made, form);
  };
  if (webhook === null) return await make();
  const calls = callBack(webhook, trace, outside.webhooks, make);
  if (options.waitsForWebhooks === true) await calls;
  else background(calls);
  return new Response(null, { status: 204 });
}

function isReading({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD';
}

type Pages = Readonly<Record<string, () => Response>>;

/** What is read without a form. */
const PAGES: Pages = {
  '': () => {
    const page = 'Platen, with the routes of Gotenberg: send documents to <code>/forms/…</code>.';
    return new Response(page, { headers: { 'content-type': 'text/html; charset=UTF-8' } });
  },
  'favicon.ico': () => new Response(null, { status: 204 }),
  version: () => text(200, VERSION),
};

const METRICS = 'prometheus/metrics';
const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores';

/** Returns Gotenberg's gauges in Prometheus' text format. */
function metrics(load: () => EngineLoads): () => Response {
  const gauge = (name: string, help: string, value: number): string =>
    `# HELP gotenberg_${name} ${help}\n# TYPE gotenberg_${name} gauge\ngotenberg_${name} ${value}\n`;
  return () => {
    const { chromium, libreoffice } = load();
    const all = [
      { key: 'chromium', name: 'Chromium', ...chromium },
      { key: 'libreoffice', name: 'LibreOffice', ...libreoffice },
    ].map(({ key, name, waiting, ended }) => {
      const queue = `Current number of ${name} conversion requests waiting to be treated.`;
      return (
        gauge(`${key}_requests_queue_size`, queue, waiting) +
        gauge(`${key}_restarts_count`, `Current number of ${name} restarts.`, ended)
      );
    });
    return new Response(all.join(''), { headers: { 'content-type': METRICS_TYPE } });
  };
}

function sent({ name, type, bytes }: OutputFile, { warnings, outputName }: Form): Response {
  const ending = name.slice(name.lastIndexOf('.'));
  const wanted = outputName?.endsWith(ending) === true ? outputName.slice(0, -ending.length) : outputName;
  const file = safeName(wanted === undefined ? name : wanted + ending);
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
  const body = { status: 'up', details: { chromium: module, libreoffice: module } };
  return Response.json(body, { headers: { 'content-type': 'application/json; charset=utf-8' } });
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
