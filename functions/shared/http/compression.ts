import { type GatewayEvent, header } from './event.ts';
import type { Reply } from './reply.ts';

/**
 * Compression of answers. Functions do it, because API Gateway compresses no answers that are streamed. Its setting
 * for the others knows only their size, and would compress PDFs and pictures once more.
 */

/** Types that are text; PDFs, ZIPs, office files and most pictures are compressed in themselves. */
const TEXT =
  /^(?:text\/|application\/(?:json|xml|jsonl|x-ndjson)\b|image\/svg\+xml|[\w.-]+\/[\w.-]+\+(?:json|xml)\b)/i;

/** Smaller bodies fit into one packet as they are. */
const LEAST_BYTES = 1_024;

/**
 * Prepares an answer for a caller who accepts gzip (RFC 9110, 12.5.3).
 *
 * @returns the head of the answer, and whether its body has to be compressed
 */
export function compressedHead(
  event: GatewayEvent,
  { headers, body }: Pick<Reply, 'headers' | 'body'>,
): { headers: Record<string, string>; isCompressed: boolean } {
  const isText = TEXT.test(headers['content-type'] ?? '') && headers['content-encoding'] === undefined;
  if (!isText || isSmall(body)) return { headers, isCompressed: false };
  const varying = { ...headers, vary: [headers['vary'], 'accept-encoding'].filter(Boolean).join(', ') };
  if (!acceptsGzip(header(event, 'accept-encoding') ?? '')) return { headers: varying, isCompressed: false };
  const { 'content-length': _, ...others } = varying as Record<string, string>;
  return { headers: { ...others, 'content-encoding': 'gzip' }, isCompressed: true };
}

function isSmall(body: Reply['body']): boolean {
  if (body === null) return true;
  return (typeof body === 'string' || body instanceof Uint8Array) && body.length < LEAST_BYTES;
}

/** Returns whether `Accept-Encoding` names gzip with a weight other than 0, or `*` without naming gzip. */
export function acceptsGzip(accepted: string): boolean {
  const weights = new Map(
    accepted.split(',').map((part) => {
      const [coding = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
      const weight = parameters.find((text) => text.startsWith('q='));
      return [coding, weight === undefined ? 1 : Number(weight.slice(2))] as const;
    }),
  );
  return (weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0) > 0;
}
