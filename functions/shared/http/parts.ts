import { PlatenError } from '../errors.ts';
import { objectMembers } from '../json-text.ts';
import { multipartParts } from './multipart.ts';

/** One named value of a request body, whatever the body's content type was. */
export interface Part {
  name: string;
  /** Null: not a file. An empty string: a file that was given no name (`filename=""`, decision 6). */
  filename: string | null;
  contentType: string | null;
  bytes: Buffer;
}

/**
 * Reads a body of any of the accepted content types into its parts, in the order sent (decision 6).
 *
 * @param contentType the header's value, or null
 * @param lenient a content type that is not a form's is no fault (a GET whose body means nothing)
 * @throws PlatenError `unsupported_media_type`, `malformed_json`, `malformed_multipart`
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

/** Name and value pairs as parts that are text. */
export function textParts(pairs: Iterable<readonly [string, string]>): Part[] {
  return Array.from(pairs, ([name, value]) => ({
    name,
    filename: null,
    contentType: null,
    bytes: Buffer.from(value),
  }));
}

function urlencodedParts(body: Buffer): Part[] {
  return textParts(new URLSearchParams(body.toString('utf8')));
}

function jsonParts(body: Buffer): Part[] {
  const members = objectMembers(body.toString('utf8'));
  if (members === null) {
    throw new PlatenError(
      'malformed_json',
      'The body is not a JSON object, though its content type says so.',
    );
  }
  return textParts(members);
}
