import type { IncomingMessage } from 'node:http';
import type { ApiSpec } from '../assembly/index.ts';
import { jsonPayload, type Payload, payloadWithBody } from '../lambda/index.ts';
import type { RequestBody } from './body.ts';

/**
 * Returns the event with its body: base64 for the content types that the stacks declare binary, otherwise
 * text.
 */
export async function eventPayload(
  api: ApiSpec,
  request: IncomingMessage,
  event: Record<string, unknown>,
  body: RequestBody,
): Promise<Payload> {
  if (body.length === 0) return jsonPayload({ ...event, body: null, isBase64Encoded: false });
  if (isBinary(api.binaryMediaTypes, request.headers['content-type'] ?? '')) {
    return payloadWithBody({ ...event, isBase64Encoded: true }, body);
  }
  const chunks: Buffer[] = [];
  for await (const chunk of body.open() as AsyncIterable<Buffer>) chunks.push(chunk);
  return jsonPayload({ ...event, body: Buffer.concat(chunks).toString('utf8'), isBase64Encoded: false });
}

function isBinary(patterns: readonly string[], contentType: string): boolean {
  const type = (contentType.split(';')[0] ?? '').trim().toLowerCase();
  const [major = ''] = type.split('/');
  return patterns.some((pattern) => ['*/*', `${major}/*`, type].includes(pattern.toLowerCase()));
}
