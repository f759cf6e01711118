import type { CheckingFetcher } from '@platen/print/fetcher';
import { headersOf, refusedAddress } from './outside.ts';
import { RequestError, requestErrorOf } from './request-error.ts';

/** Implements `Gotenberg-Webhook-…`: the finished document is sent to an address that the caller names. */

export interface Webhook {
  url: string;
  method: Method;
  errorUrl: string | null;
  errorMethod: Method;
  eventsUrl: string | null;
  /** Headers sent with every call. */
  headers: Record<string, string>;
}

type Method = 'POST' | 'PUT' | 'PATCH';

/** Pauses in milliseconds before each attempt at a call; only the first attempt has none. */
const PAUSES = [0, 1_000, 4_000, 15_000];
/** Headers of the response that are sent with the document. */
const ABOUT_DOCUMENT = ['content-disposition', 'content-type', 'warning'];

/**
 * Returns the webhook of a request; null if the caller waits for the document.
 *
 * @throws RequestError for an address that may not be called
 */
export async function webhookOf(request: Request, fetcher: CheckingFetcher): Promise<Webhook | null> {
  const header = (name: string) => request.headers.get(`gotenberg-webhook-${name}`)?.trim() ?? '';
  const url = header('url');
  if (url === '') return null;
  const errorUrl = header('error-url');
  const eventsUrl = header('events-url');
  if (errorUrl === '' && eventsUrl === '')
    throw new RequestError(400, 'Gotenberg-Webhook-Events-Url or Gotenberg-Webhook-Error-Url is required');
  for (const address of [url, errorUrl, eventsUrl]) {
    if (address !== '')
      await fetcher.check(address).catch((error: unknown) => {
        throw refusedAddress(error);
      });
  }
  const traceparent = request.headers.get('traceparent');
  return {
    url,
    method: method(header('method')),
    errorUrl: errorUrl === '' ? null : errorUrl,
    errorMethod: method(header('error-method')),
    eventsUrl: eventsUrl === '' ? null : eventsUrl,
    headers: {
      ...(traceparent === null ? {} : { traceparent }),
      ...headersOf(json(header('extra-http-headers')), 'Gotenberg-Webhook-Extra-Http-Headers'),
    },
  };
}

/** Returns the HTTP method of a call, `POST` by default. @throws RequestError */
function method(text: string): Method {
  const name = text === '' ? 'POST' : text.toUpperCase();
  if (name === 'POST' || name === 'PUT' || name === 'PATCH') return name;
  throw new RequestError(400, `Webhooks are called by POST, PUT or PATCH, not '${text}'`);
}

/** Parses the header with additional headers. @throws RequestError */
function json(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new RequestError(400, 'Gotenberg-Webhook-Extra-Http-Headers is no valid JSON');
  }
}

/**
 * Calls the receiver with the document, or with the error.
 *
 * @param make returns the response with the document; it rejects if there is none
 * @throws unexpected errors, after the receiver was called; the error of the call if no receiver could be
 *   reached
 */
export async function callBack(
  webhook: Webhook,
  trace: string,
  fetcher: CheckingFetcher,
  make: () => Promise<Response>,
): Promise<void> {
  const call = caller(webhook, trace, fetcher);
  let fault: unknown = null;
  let refused: RequestError | null = null;
  try {
    const document = await make();
    const about = ABOUT_DOCUMENT.flatMap((name) => {
      const value = document.headers.get(name);
      return value === null ? [] : [[name, value] as const];
    });
    const body = new Uint8Array(await document.arrayBuffer());
    await call(webhook.url, webhook.method, body, Object.fromEntries(about));
  } catch (error) {
    try {
      refused = requestErrorOf(error);
    } catch {
      fault = error;
      refused = new RequestError(500, 'Internal Server Error');
    }
  }
  const error = refused === null ? {} : { error: { status: refused.status, message: refused.message } };
  if (refused !== null && webhook.errorUrl !== null)
    await call(webhook.errorUrl, webhook.errorMethod, asJson(error.error), JSON_TYPE);
  if (webhook.eventsUrl !== null) {
    const event = refused === null ? 'webhook.success' : 'webhook.error';
    const body = { event, correlationId: trace, timestamp: new Date().toISOString(), ...error };
    await call(webhook.eventsUrl, 'POST', asJson(body), JSON_TYPE);
  }
  if (fault !== null) throw fault;
}

const JSON_TYPE = { 'content-type': 'application/json' };

function asJson(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

/**
 * Returns a function that calls a receiver, with up to four attempts.
 *
 * @throws RequestError if no attempt succeeds
 */
function caller({ headers }: Webhook, trace: string, fetcher: CheckingFetcher) {
  return async (url: string, by: Method, body: Uint8Array, about: Record<string, string>): Promise<void> => {
    const sent = { ...about, 'gotenberg-trace': trace, ...headers };
    let last: unknown;
    for (const pause of PAUSES) {
      await new Promise((resolve) => setTimeout(resolve, pause));
      try {
        const { status } = await fetcher.fetch(url, { method: by, headers: sent, body });
        if (status < 300) return;
        last = new RequestError(502, `The webhook is answered with ${status}.`);
        // A retry is pointless: the receiver would refuse the same request again.
        if (status < 500 && status !== 429) break;
      } catch (error) {
        last = refusedAddress(error);
        if (last instanceof RequestError && last.status === 403) break;
      }
    }
    throw last;
  };
}
