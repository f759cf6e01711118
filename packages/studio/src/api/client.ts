import { nameOf, warningsOf as sentencesOf } from '@platen/client/document';
import { PlatenError } from '@platen/client/errors';
import { pagesOf } from '@platen/client/lists';
import { Transport } from '@platen/client/transport';
import { limits, signOut, supply, token } from '../state/session.ts';
import { text } from '../text.ts';
import { limitsOf, withAnswer } from './limits.ts';
import { type Form, withUploads } from './uploads.ts';

export { segment } from '@platen/client/transport';

/** Calls `/v1`, which is beside the folder that the Studio is served from. */

export const API = new URL('../v1/', document.baseURI);

export interface CallOptions {
  query?: Readonly<Record<string, string | undefined>>;
  /** Fields of a form; undefined ones are left out, and files may be large. */
  form?: Form;
  json?: string;
  signal?: AbortSignal | undefined;
  headers?: Readonly<Record<string, string>>;
  /** Replaces the token of the session. */
  token?: string;
}

/**
 * @param path below `/v1/`, with encoded segments
 * @throws PlatenError for any error response; DOMException `AbortError` if `signal` is aborted
 */
export async function call(method: string, path: string, options: CallOptions = {}): Promise<Response> {
  const { query, form, json, signal, headers } = options;
  const fields =
    form && (await withUploads(form, (asked) => callJson('POST', 'uploads', { form: asked }), signal));
  const body = json ?? (fields && formOf(fields));
  return await attempt(options.token, (transport) =>
    transport.send(method, `/${path}`, {
      repeatable: false,
      ...(query === undefined ? {} : { query }),
      ...(body === undefined ? {} : { body }),
      ...(signal === undefined ? {} : { signal }),
      ...(headers === undefined ? {} : { headers }),
    }),
  );
}

/** Returns the elements of a list from all of its pages. @param most maximum number of elements @throws PlatenError */
export async function callList<T>(path: string, most = Infinity): Promise<T[]> {
  return await attempt(undefined, async (transport) => {
    const all: T[] = [];
    for await (const element of pagesOf<T>(transport, `/${path}`, { limit: 200 })) {
      all.push(element);
      if (all.length >= most) break;
    }
    return all;
  });
}

/**
 * Sends a request with the given token or that of the session. If the latter is no longer valid, it signs out, or asks
 * the page around an embedded editor once for another one.
 */
async function attempt<T>(other: string | undefined, work: (transport: Transport) => Promise<T>): Promise<T> {
  const used = other ?? (await supply.current?.usable()) ?? token.peek() ?? '';
  try {
    return await send(used, work);
  } catch (error) {
    if (!(error instanceof PlatenError) || error.status !== 401 || !isCurrent(used)) throw error;
    if (supply.current !== null) return await send(await supply.current.renewed(), work);
    signOut(error.message);
    throw error;
  }
}

async function send<T>(used: string, work: (transport: Transport) => Promise<T>): Promise<T> {
  // The token is sent in this header only.
  const transport = new Transport({ url: API.href, token: used, fetch: fetchApi(used) });
  try {
    return await work(transport);
  } catch (error) {
    if (!(error instanceof PlatenError) || error.code !== 'unreachable') throw error;
    throw new PlatenError(0, 'unreachable', text.unreachable, { cause: error });
  }
}

/** Whether the session still has this token: answers may arrive after somebody else has signed in. */
const isCurrent = (used: string): boolean => used === token.peek();

/** Returns a function that fetches with a token, and records the limits of the session's own. */
const fetchApi =
  (used: string): typeof fetch =>
  async (input, init) => {
    const answer = await fetch(input, {
      ...init,
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      cache: 'no-store',
    });
    const now = Date.now();
    if (isCurrent(used)) limits.value = withAnswer(limits.peek(), limitsOf(answer.headers, now), now);
    return answer;
  };

/** Sends a request and parses its JSON response. @throws PlatenError */
export async function callJson<T>(method: string, path: string, options?: CallOptions): Promise<T> {
  return (await call(method, path, options)).json() as Promise<T>;
}

/** Returns the sentences of a response's `Warning` headers. */
export function warningsOf({ headers }: Response): string[] {
  return sentencesOf(headers);
}

/** Returns the file name in a response. */
export function filenameOf({ headers }: Response, fallback: string): string {
  return headers.has('content-disposition') ? nameOf(headers) : fallback;
}

function formOf(fields: Form): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    if (value instanceof File) form.append(name, value, value.name);
    else form.append(name, value);
  }
  return form;
}
