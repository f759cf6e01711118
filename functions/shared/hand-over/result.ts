import { PlatenError } from '@platen/core/errors';

/** Passes results between functions: in the answer, or through signed addresses, which need no further rights. */

/** Milliseconds for getting a document from S3, or putting a result there. */
const TRANSFER_TIMEOUT_MS = 60_000;

/**
 * Most bytes of a document inside an order or an answer. Lambda allows 6 MB either way, of which base64 takes a
 * quarter, and the other fields some.
 */
export const MAX_INLINE_BYTES = 4_400_000;

/** A result: in the answer, or stored at the given address (PUT). */
export type TransferredResult = { base64: string } | { stored: true };

/** Returns a result or stores it. @param url address for a large one @throws PlatenError `storage_unavailable` */
export async function transferResult(result: Uint8Array, url: string): Promise<TransferredResult> {
  if (result.length <= MAX_INLINE_BYTES) return { base64: base64(result) };
  await transfer(url, { method: 'PUT', body: result });
  return { stored: true };
}

/** Gets a document from its signed address. @throws PlatenError `storage_unavailable` */
export async function fetchDocument(url: string): Promise<Buffer> {
  const response = await transfer(url, {});
  return Buffer.from(await response.arrayBuffer());
}

async function transfer(url: string, init: RequestInit): Promise<Response> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(TRANSFER_TIMEOUT_MS) });
    // The address is signed, so it appears in no message and no log.
    if (!response.ok) throw new Error(`S3 answered ${response.status} to ${init.method ?? 'GET'}`);
    return response;
  } catch (cause) {
    throw new PlatenError('storage_unavailable', 'The document could not be transferred.', { cause });
  }
}

export function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64');
}
