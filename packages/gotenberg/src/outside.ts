import { parse as parseDisposition } from 'content-disposition';
import { isPlatenError } from '@platen/core/errors';
import {
  type CheckingFetcher,
  createFetcher,
  type Credentials,
  type Fetched,
  type FetchPolicy,
} from '@platen/print/fetcher';
import type { Form } from './form.ts';
import { RequestError } from './request-error.ts';

/** Outgoing requests for `downloadFrom` and webhooks, through the guarded fetcher (I-22). */

/** The addresses that may be called; only public ones if absent. */
export interface OutsidePolicy {
  /** Addresses of files and web pages to load. */
  downloads?: FetchPolicy;
  /** Addresses of webhook receivers. */
  webhooks?: FetchPolicy;
}

export interface OutsideAccess {
  downloads: CheckingFetcher;
  webhooks: CheckingFetcher;
}

/** Timeout in milliseconds for one file or one call. */
const TIMEOUT = 60_000;

export function createOutside({ downloads, webhooks }: OutsidePolicy): OutsideAccess {
  return {
    downloads: createFetcher({ outside: 'open', timeout: TIMEOUT, maxBytes: Infinity, ...downloads }),
    webhooks: createFetcher({ outside: 'open', timeout: TIMEOUT, maxBytes: 64 * 1024, ...webhooks }),
  };
}

/** Converts a refusal of the fetcher to an error in Gotenberg's form; returns any other error unchanged. */
export function refusedAddress(error: unknown): unknown {
  if (!isPlatenError(error)) return error;
  return new RequestError(error.code === 'url_not_allowed' ? 403 : 400, error.message);
}

/** Validates a JSON object of headers. @throws RequestError */
export function headersOf(value: unknown, where: string): Record<string, string> {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value))
    throw new RequestError(400, `${where} must be a JSON object`);
  const headers = new Headers();
  for (const [name, text] of Object.entries(value)) {
    try {
      headers.set(name, String(text));
    } catch {
      throw new RequestError(400, `${where} has a header that cannot be sent: ${name}`);
    }
  }
  return Object.fromEntries(headers);
}

interface FetchOptions {
  credentials?: Credentials | undefined;
  maxBytes: number;
  signal?: AbortSignal;
  /** Statuses of a page that may not be shown, such as `404`, `5xx`; without them, of a file from 400 on. */
  fails?: readonly string[];
}

/**
 * Fetches a file that a form references.
 *
 * @param prefix begins the message if the file cannot be loaded
 * @throws RequestError
 */
export async function fetchNamed(
  fetcher: CheckingFetcher,
  url: string,
  { fails, ...options }: FetchOptions,
  prefix = '',
): Promise<Fetched> {
  const fetched = await fetcher.fetch(url, options).catch((error: unknown) => {
    throw refusedAddress(error);
  });
  const { status } = fetched;
  const isFault = fails?.some((wanted) => [String(status), `${Math.trunc(status / 100)}xx`].includes(wanted));
  if (isFault ?? status >= 400)
    throw new RequestError(fails === undefined ? 400 : 409, `${prefix}${url} is answered with ${status}`);
  return fetched;
}

interface Download {
  url: string;
  headers: Record<string, string>;
  field: string;
}

/** Form fields by the purposes that Gotenberg defines for downloaded files. */
const FIELDS: Readonly<Record<string, string>> = {
  embedded: 'embeds',
  watermark: 'watermark',
  stamp: 'stamp',
};

function downloadsOf(form: Form): Download[] {
  const given = form.json('downloadFrom') ?? [];
  if (!Array.isArray(given)) throw new RequestError(400, 'downloadFrom must be a list');
  return given.map((entry: unknown) => {
    const { url, extraHttpHeaders, embedded, field } = (entry ?? {}) as Record<string, unknown>;
    if (typeof url !== 'string') throw new RequestError(400, 'Each entry of downloadFrom must have a url');
    const purpose = field ?? (embedded === true ? 'embedded' : '');
    if (typeof purpose !== 'string' || (purpose !== '' && !Object.hasOwn(FIELDS, purpose)))
      throw new RequestError(400, `field must be ${Object.keys(FIELDS).join(', ')}`);
    const headers = headersOf(extraHttpHeaders, 'extraHttpHeaders of downloadFrom');
    return { url, headers, field: FIELDS[purpose] ?? 'files' };
  });
}

/**
 * Fetches the files of `downloadFrom` one after the other and adds them to the form.
 *
 * @param left maximum bytes of all files together
 * @throws RequestError
 */
export async function download(
  form: Form,
  fetcher: CheckingFetcher,
  left: number,
  signal: AbortSignal,
): Promise<void> {
  let remaining = left;
  for (const { url, headers, field } of downloadsOf(form)) {
    // A redirect to another origin gets no header of the caller's.
    const origin = URL.parse(url)?.origin;
    const credentials = (target: URL) => (target.origin === origin ? headers : {});
    const options = { credentials, maxBytes: remaining, signal };
    const fetched = await fetchNamed(fetcher, url, options, 'downloadFrom: ');
    remaining -= fetched.bytes.byteLength;
    const name = nameOf(fetched.headers['content-disposition'] ?? '');
    if (name === undefined)
      throw new RequestError(400, `downloadFrom: ${url} has no filename in Content-Disposition`);
    form.add(field, { name, content: new File([new Uint8Array(fetched.bytes)], name) });
  }
}

/** Returns the file name in `Content-Disposition` without its folders; undefined if there is none. */
function nameOf(header: string): string | undefined {
  try {
    const { filename } = parseDisposition(header).parameters;
    const name = filename?.split(/[/\\]/).at(-1)?.trim();
    return name === '' ? undefined : name;
  } catch {
    // The header is missing or cannot be parsed.
    return undefined;
  }
}
