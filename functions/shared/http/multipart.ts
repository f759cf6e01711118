import busboy from 'busboy';
import { PlatenError } from '@platen/core/errors';
import { MAX_PARTS, type Part } from './part.ts';

/** The file name given to parts before busboy reads them, see `nameParts`. */
const UNNAMED_FILE = 'platen-unnamed-file';
const TEXT_FIELD = 'platen-text-field';

/**
 * Splits a multipart/form-data body (RFC 7578) into its parts, in the order sent. The bytes of text parts
 * stay as they are: the route decides whether a part is text or a file.
 *
 * @throws PlatenError `malformed_multipart`
 */
export async function multipartParts(body: Buffer, contentType: string): Promise<Part[]> {
  if (isWithoutParts(body, contentType)) return [];
  return await new Promise((resolve, reject) => {
    const fail = (cause: unknown): void =>
      reject(
        new PlatenError('malformed_multipart', `The multipart body cannot be read: ${describe(cause)}.`, {
          cause,
        }),
      );
    const parts: Part[] = [];
    let parser: busboy.Busboy;
    try {
      parser = busboy({
        headers: { 'content-type': contentType },
        defParamCharset: 'utf8',
        limits: { parts: MAX_PARTS },
      });
    } catch (error) {
      fail(error);
      return;
    }
    // The types claim that a name exists, but for `name=""` and for a missing name busboy passes undefined.
    parser.on('file', (name: string | undefined, stream, info) => {
      const chunks: Buffer[] = [];
      const part: Part = {
        name: name ?? '',
        filename: originalFilename(info.filename),
        contentType: info.mimeType,
        bytes: Buffer.alloc(0),
      };
      parts.push(part);
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('error', fail);
      stream.on('close', () => {
        const [only] = chunks;
        part.bytes = chunks.length === 1 && only ? only : Buffer.concat(chunks);
      });
    });
    parser.on('partsLimit', () => fail(new Error(`it has more than ${MAX_PARTS} parts`)));
    parser.on('error', fail);
    parser.on('close', () => resolve(parts));
    parser.end(nameParts(body, contentType));
  });
}

/** Bytes of two boundaries, which have 70 characters at most (RFC 2046, 5.1.1), and their delimiters. */
const MAX_EMPTY_BODY = 256;

/** Returns whether a form has no fields: .NET writes both boundaries around nothing, others the last one alone. */
function isWithoutParts(body: Buffer, contentType: string): boolean {
  const boundary = boundaryOf(contentType);
  if (boundary === null || body.length > MAX_EMPTY_BODY) return false;
  const [before = '', ...rest] = body.toString('latin1').split(`--${boundary}`);
  const last = rest.pop();
  return before.trim() === '' && last?.trim() === '--' && rest.every((part) => part.trim() === '');
}

function boundaryOf(contentType: string): string | null {
  const boundary = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType);
  return boundary?.[1] ?? boundary?.[2] ?? null;
}

/**
 * Gives every part a file name, so that busboy passes its bytes unchanged. busboy 1.6 would decode text parts
 * by their own charset, and would not take `filename=""` for a file; but for this service a part with a
 * `filename` parameter, even an empty one, is a file, and a text part may be a file's content (I-6). Only
 * part headers are changed: they run from a boundary to the first empty line.
 */
function nameParts(body: Buffer, contentType: string): Buffer {
  const boundary = boundaryOf(contentType);
  if (boundary === null) return body;
  const delimiter = Buffer.from(`--${boundary}`);
  const pieces: Buffer[] = [];
  let copied = 0;
  for (let at = body.indexOf(delimiter); at >= 0; at = body.indexOf(delimiter, copied)) {
    const end = body.indexOf('\r\n\r\n', at);
    if (end < 0) break;
    const headers = body.toString('latin1', at, end).replace(/^content-disposition:.*/im, namedDisposition);
    pieces.push(body.subarray(copied, at), Buffer.from(headers, 'latin1'));
    copied = end;
  }
  return Buffer.concat([...pieces, body.subarray(copied)]);
}

function namedDisposition(line: string): string {
  if (/;\s*filename\*?=(?!"")/i.test(line)) return line;
  const named = line.replace(/(;\s*filename=)""/i, `$1"${UNNAMED_FILE}"`);
  return named === line ? `${line}; filename="${TEXT_FIELD}"` : named;
}

function originalFilename(filename: string | undefined): string | null {
  if (filename === TEXT_FIELD) return null;
  return filename === undefined || filename === UNNAMED_FILE ? '' : filename;
}

function describe(cause: unknown): string {
  return cause instanceof Error ? cause.message.replace(/\.$/, '') : 'it is damaged';
}
