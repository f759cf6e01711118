import { PlatenError } from '@platen/core/errors';

/** What one function hands to another: in the answer, or by signed addresses, for which no rights are needed. */

/** Milliseconds for getting a document from S3, or putting a result there. */
const TRANSFER_TIMEOUT_MS = 60_000;

/**
 * Bytes of a document that travel inside an order or an answer. Lambda takes 6 MB either way, of which base64 takes a
 * quarter, and the other fields some.
 */
export const MAX_INLINE_BYTES = 4_400_000;

/** A result, in the answer or put where it was to go (PUT). */
export type HandedOver = { base64: string } | { stored: true };

/** Hands a result over. @param url where one goes that is too large for an answer @throws PlatenError `storage_unavailable` */
export async function handOver(result: Uint8Array, url: string): Promise<HandedOver> {
  if (result.length <= MAX_INLINE_BYTES) return { base64: base64(result) };
  await transfer(url, { method: 'PUT', body: result });
  return { stored: true };
}

/** Gets a document by its signed address. @throws PlatenError `storage_unavailable` */
export async function fetchDocument(url: string): Promise<Buffer> {
  const response = await transfer(url, {});
  return Buffer.from(await response.arrayBuffer());
}

async function transfer(url: string, init: RequestInit): Promise<Response> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(TRANSFER_TIMEOUT_MS) });
    // The address is signed: it is in no message and no log.
    if (!response.ok) throw new Error(`S3 answered ${response.status} to ${init.method ?? 'GET'}`);
    return response;
  } catch (cause) {
    throw new PlatenError('storage_unavailable', 'The document could not be transferred.', { cause });
  }
}

export function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64');
}
