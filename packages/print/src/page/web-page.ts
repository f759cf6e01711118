import { TextDecoder } from 'node:util';
import { PlatenError } from '@platen/core/errors';
import type { Credentials, Fetcher } from '../fetcher/fetcher.ts';
import { decodeWindows1252 } from '@platen/core/text';
import { charsetOf } from './content-type.ts';

/** A loaded page. */
export interface WebPage {
  html: string;
  /** Its URL after all redirects. */
  address: string;
}

/** Media types of web pages. */
const PAGE_TYPES = new Set(['text/html', 'application/xhtml+xml', 'text/plain']);
/** A declaration of the encoding stands in the first 1024 bytes (HTML, "prescan a byte stream"). */
const PRESCAN = 1024;

/**
 * Loads a web page to be printed (I-34). Its resources are loaded when it is printed.
 *
 * @param url http or https
 * @param check is called with the status of the page, and throws if it must not be printed; by default, a page with a
 * status from 400 on is not
 * @throws PlatenError `url_not_allowed`, `url_unreachable`: also for an error response or a response that is not a page
 */
export async function loadWebPage(
  fetcher: Fetcher,
  url: string,
  signal?: AbortSignal,
  credentials?: Credentials,
  check: (url: string, status: number) => void = refuseErrors,
): Promise<WebPage> {
  const headers = { accept: 'text/html,application/xhtml+xml,text/plain;q=0.8' };
  const answer = await fetcher.fetch(url, {
    headers,
    credentials,
    ...(signal === undefined ? {} : { signal }),
  });
  check(url, answer.status);
  const contentType = answer.headers['content-type'] ?? 'text/html';
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (!PAGE_TYPES.has(type)) throw unreachable(url, `it is no web page but ${type || 'of an unknown type'}`);
  const text = decode(answer.bytes, contentType);
  const html = type === 'text/plain' ? plainText(text) : text;
  return { html, address: answer.url };
}

function refuseErrors(url: string, status: number): void {
  if (status >= 400) throw unreachable(url, `the host answers with the status ${status}`);
}

/**
 * Text of a page: a byte order mark takes precedence over the header, and the header over the page's own
 * declaration.
 */
function decode(bytes: Uint8Array, contentType: string): string {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, PRESCAN)).toString(
    'latin1',
  );
  const declared = byteOrderMark(bytes) ?? charsetOf(contentType) ?? declaredCharset(head);
  const known = decoder(declared);
  return known.encoding === 'windows-1252' ? decodeWindows1252(bytes) : known.decode(bytes);
}

/** The encoding in the first `<meta>` that names one (HTML, "prescan a byte stream"). */
function declaredCharset(head: string): string | undefined {
  for (const [meta] of head.matchAll(/<meta\b[^<>]*/gi)) {
    const charset = /\bcharset\s*=\s*(?:["']\s*)?([^\s"'/>;]+)/i.exec(meta)?.[1];
    if (charset !== undefined) return charset;
  }
  return undefined;
}

function byteOrderMark([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return undefined;
}

/** An unknown encoding is read as UTF-8. */
function decoder(label = 'utf-8'): TextDecoder {
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder('utf-8');
  }
}

function plainText(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<!doctype html><pre style="white-space:pre-wrap">${escaped}</pre>`;
}

function unreachable(url: string, reason: string): PlatenError {
  return new PlatenError('url_unreachable', `${url.slice(0, 200)} cannot be printed: ${reason}.`);
}
