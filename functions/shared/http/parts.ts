import { PlatenError } from '@platen/core/errors';
import { decodePlain } from '@platen/core/text';
import { objectMembers } from '@platen/core/json-text';
import { multipartParts } from './multipart.ts';
import { MAX_PARTS, type Part } from './part.ts';

/**
 * Reads a body of any of the accepted content types into its parts, in the order sent (I-6).
 *
 * @param contentType the header's value, or null
 * @param lenient a content type that is not a form's is no error (a GET whose body is ignored)
 * @throws PlatenError `unsupported_media_type`, `malformed_json`, `malformed_multipart`, `malformed_request`
 */
export async function bodyParts(body: Buffer, contentType: string | null, lenient: boolean): Promise<Part[]> {
  if (body.length === 0) return [];
  const mediaType = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (mediaType === 'multipart/form-data') return await multipartParts(body, contentType ?? '');
  if (mediaType === 'application/x-www-form-urlencoded') return urlencodedParts(body);
  if (mediaType === 'application/json' || mediaType.endsWith('+json')) return jsonParts(body);
  if (lenient) return [];
  throw new PlatenError(
    'unsupported_media_type',
    `The content type ${mediaType === '' ? 'is missing' : `"${mediaType}" is not supported`}: ` +
      'send multipart/form-data, application/x-www-form-urlencoded or application/json.',
  );
}

/** Returns name and value pairs as text parts. */
export function textParts(pairs: Iterable<readonly [string, string]>): Part[] {
  return Array.from(pairs, ([name, value]) => ({
    name,
    filename: null,
    contentType: null,
    bytes: Buffer.from(value),
  }));
}

/** Returns the text of a part that is not a file. @throws PlatenError `malformed_request` */
export function partText({ name, bytes }: Part): string {
  const decoded = decodePlain(bytes);
  if ('text' in decoded) return decoded.text;
  const message = `${name} must be text, but ${decoded.fault}`;
  throw new PlatenError('malformed_request', `${message}.`, { faults: [{ field: name, message }] });
}

function urlencodedParts(body: Buffer): Part[] {
  const text = body.toString('utf8');
  let pairs = 1;
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) pairs += 1;
  if (pairs > MAX_PARTS) throw tooManyFields();
  return textParts(new URLSearchParams(text));
}

function jsonParts(body: Buffer): Part[] {
  const decoded = decodePlain(body);
  const members = 'text' in decoded ? objectMembers(decoded.text, MAX_PARTS) : null;
  if (members === null) {
    throw new PlatenError('malformed_json', 'The body is not a JSON object, as its content type declares.');
  }
  if (members.length > MAX_PARTS) throw tooManyFields();
  return textParts(members);
}

function tooManyFields(): PlatenError {
  return new PlatenError('malformed_request', `The body has more than ${MAX_PARTS} fields.`);
}
