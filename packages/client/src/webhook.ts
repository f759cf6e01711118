import type { Job } from './wire.ts';

/** Verifies calls to a `callback_url` by Standard Webhooks (https://www.standardwebhooks.com). */

/** The content of a call. */
export interface WebhookEvent {
  type: 'job.succeeded' | 'job.failed';
  job: Omit<Job, 'callback'>;
}

/** The call does not come from the service, or is too old. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
}

export interface VerifyOptions {
  /** Maximum difference between the call's time and now, in seconds. Default 300. */
  tolerance?: number;
  /** Current time in seconds since 1970. */
  now?: number;
}

/**
 * Verifies that a call comes from the service.
 *
 * @param secret as returned by `webhookSecret`
 * @param headers of the request
 * @param body of the request, unchanged: not parsed and serialised again
 * @returns the event; `headers['webhook-id']` is the same for calls that arrive twice
 * @throws WebhookError
 */
export async function verifyWebhook(
  secret: string,
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>,
  body: string | Uint8Array<ArrayBuffer>,
  { tolerance = 300, now = Date.now() / 1000 }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const header = headerReader(headers);
  const id = header('webhook-id');
  const time = header('webhook-timestamp');
  if (!/^\d{1,12}$/.test(time)) throw new WebhookError('The time of the call cannot be read.');
  if (Math.abs(now - Number(time)) > tolerance)
    throw new WebhookError('The call is too old, or of the future.');
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const key = await crypto.subtle.importKey('raw', keyOf(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ]);
  const signed = new TextEncoder().encode(`${id}.${time}.${text}`);
  for (const given of header('webhook-signature').split(' ')) {
    const [version, signature = ''] = given.split(',');
    // A signature has 32 bytes; a text of another length is not a signature and may not be base64.
    if (version !== 'v1' || !/^[\w+/-]{43}=?$/.test(signature)) continue;
    if (await crypto.subtle.verify('HMAC', key, bytesOf(signature), signed))
      return JSON.parse(text) as WebhookEvent;
  }
  throw new WebhookError('The signature is not of this secret and this body.');
}

function headerReader(headers: Parameters<typeof verifyWebhook>[1]): (name: string) => string {
  const all = headers instanceof Headers ? headers : new Headers();
  if (!(headers instanceof Headers)) {
    for (const [name, value] of Object.entries(headers))
      if (value !== undefined) all.set(name, String(value));
  }
  return (name) => {
    const value = all.get(name);
    if (value === null) throw new WebhookError(`The call has no header ${name}.`);
    return value;
  };
}

/** @throws WebhookError for an invalid secret */
function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  const text = secret.replace(/^whsec_/, '');
  const [, digits = ''] = /^([\w+/-]+)={0,2}$/.exec(text) ?? [];
  // A single remaining character is not a byte, and `atob` refuses such a text.
  if (digits === '' || digits.length % 4 === 1) throw new WebhookError('The secret is not one of a webhook.');
  return bytesOf(digits);
}

/** Decodes base64 of either alphabet. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const standard = text.replaceAll('-', '+').replaceAll('_', '/');
  return Uint8Array.from(atob(standard), (character) => character.charCodeAt(0));
}
