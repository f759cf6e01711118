import { type Readable } from 'node:stream';
import { safeName } from '@platen/core/file-name';
import { create as contentDisposition } from 'content-disposition';

/** An answer before it is sent. */
export interface Reply {
  status: number;
  headers: Record<string, string>;
  body: string | Uint8Array | Readable | null;
  /** The report of the document, as JSON: jobs store it beside their result. */
  report?: object | null;
  /** Called once the body has been sent, or will not be: removes the source of the body. */
  close?: () => Promise<void>;
}

/** A document to be downloaded. */
export interface DocumentBody {
  body: Uint8Array | Readable;
  contentType: string;
  /** With its extension. Any characters: the header is encoded by RFC 6266. */
  filename: string;
  etag?: string;
}

/** Returns 200 (or another status) with a JSON body, indented because people read it as well. */
export function json(value: unknown, status = 200): Reply {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
    body: JSON.stringify(value, null, 2),
  };
}

/** Returns 204: the answer of every DELETE (I-3). */
export function noContent(): Reply {
  return { status: 204, headers: {}, body: null };
}

/** Returns 200 with a document as a download (I-10 and I-15). */
export function document({ body, contentType, filename, etag }: DocumentBody): Reply {
  return {
    status: 200,
    headers: {
      'content-type': contentType,
      'content-disposition': contentDisposition(headerSafe(filename), { type: 'attachment' }),
      ...(body instanceof Uint8Array ? { 'content-length': String(body.byteLength) } : {}),
      ...(etag === undefined ? {} : { etag }),
    },
    body,
  };
}

/** Returns a file name without path separators, and one that clients may use for a file. */
function headerSafe(filename: string): string {
  return safeName(filename.replace(/[/\\]/g, '_').toWellFormed());
}
