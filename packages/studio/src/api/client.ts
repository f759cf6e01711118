import { signOut, token } from '../state/session.ts';
import { text } from '../text.ts';
import { ApiError, isAbort, problemOf } from './problem.ts';

/** Calls to `/v1`, which lies beside the folder that the Studio is served from. */

export const API = new URL('../v1/', document.baseURI);

export interface CallOptions {
  query?: Readonly<Record<string, string | undefined>>;
  /** Fields of a form; those that are undefined are left out. */
  form?: Readonly<Record<string, string | Blob | undefined>>;
  json?: string;
  signal?: AbortSignal | undefined;
  headers?: Readonly<Record<string, string>>;
  /** Instead of the one that was signed in with. */
  token?: string;
}

/**
 * @param path below `/v1/`, of segments that are encoded already
 * @throws ApiError for whatever is no success; DOMException `AbortError` when `signal` says so
 */
export async function call(method: string, path: string, options: CallOptions = {}): Promise<Response> {
  const url = new URL(path, API);
  for (const [name, value] of Object.entries(options.query ?? {}))
    if (value !== undefined) url.searchParams.set(name, value);
  const used = options.token ?? token.value ?? '';
  let response: Response;
  try {
    response = await fetch(url, {
      method,
      headers: {
        // The token goes into this header and nowhere else.
        authorization: used,
        ...(options.json === undefined ? {} : { 'content-type': 'application/json' }),
        ...options.headers,
      },
      body: options.json ?? (options.form ? formOf(options.form) : null),
      signal: options.signal ?? null,
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      cache: 'no-store',
    });
  } catch (error) {
    if (isAbort(error)) throw error;
    throw new ApiError({ ...text.unreachable, status: 0, code: 'unreachable' });
  }
  if (response.ok) return response;
  const problem = problemOf(response.status, await response.text());
  if (response.status === 401 && options.token === undefined) signOut(problem.detail);
  throw new ApiError(problem);
}

/** Calls, and reads the answer as JSON. @throws ApiError */
export async function callJson<T>(method: string, path: string, options?: CallOptions): Promise<T> {
  return (await call(method, path, options)).json() as Promise<T>;
}

/** One segment of an address. */
export function segment(text: string): string {
  return encodeURIComponent(text);
}

/** Sentences of the `Warning` headers of an answer. */
export function warningsOf(response: Response): string[] {
  const header = response.headers.get('warning') ?? '';
  return Array.from(header.matchAll(/299 \S+ "([^"]*)"/g), ([, sentence = '']) => sentence);
}

/** The name that an answer gives the file in it. */
export function filenameOf(response: Response, fallback: string): string {
  const header = response.headers.get('content-disposition') ?? '';
  const encoded = /filename\*=utf-8''([^;]+)/i.exec(header)?.[1];
  if (encoded !== undefined) {
    try {
      return decodeURIComponent(encoded);
    } catch {
      // A name that is no UTF-8: the plain one has to do.
    }
  }
  return /filename="([^"]+)"/i.exec(header)?.[1] ?? fallback;
}

function formOf(fields: Readonly<Record<string, string | Blob | undefined>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    if (value instanceof File) form.append(name, value, value.name);
    else form.append(name, value);
  }
  return form;
}
