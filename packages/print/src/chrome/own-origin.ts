import { randomBytes } from 'node:crypto';
import type { Protocol } from 'devtools-protocol';
import type { HtmlDocument, PrintOptions } from '../print.ts';

/** The origins of documents, the headers of their responses, and empty documents that wait for their content. */

/** The domain of documents: a name that can never resolve (RFC 6761, `.invalid`). */
export const ZONE = 'platen.invalid';

/** Placeholder for the document's own origin: every rendering gets a new one. */
const RESOURCE_BASE = `https://document.${ZONE}/`;

/** The URL of the resource with that path in any document. */
export function resourceUrl(path: string): string {
  return RESOURCE_BASE + path.split('/').map(encodeURIComponent).join('/');
}

/** The text of a document with the URLs of its resources at its origin. */
export function atOrigin(html: string, origin: string): string {
  return html.replaceAll(RESOURCE_BASE, `${origin}/`);
}

/** The URL of a document at an origin that was never used before. */
export function newUrl(): string {
  return `https://${randomBytes(12).toString('hex')}.${ZONE}/`;
}

/** Sent with every document, including frames: no WebSocket (`connect-src` without ws:), which also fails without a network. */
export const POLICY: readonly Protocol.Fetch.HeaderEntry[] = [
  {
    name: 'content-security-policy',
    value: "connect-src 'self' http: https: data: blob:",
  },
];

/** The headers of a document's response. @param language applies if the document does not declare its own */
export function documentHeaders(
  policy: readonly Protocol.Fetch.HeaderEntry[],
  language: string | null,
): Protocol.Fetch.HeaderEntry[] {
  const headers = [...policy, { name: 'content-type', value: 'text/html; charset=utf-8' }];
  if (language !== null) headers.push({ name: 'content-language', value: language });
  return headers;
}

/**
 * A document without content at an origin of its own, loaded in advance. The content of one document can be
 * written into it, which takes half the time of a navigation.
 */
export interface EmptyDocument {
  readonly url: string;
  /** See `documentHeaders`. */
  readonly language: string | null;
}

/** An empty document for one that resembles the last; null if its content could not be written into it. */
export function emptyDocumentAfter(last: HtmlDocument, options: PrintOptions): EmptyDocument | null {
  const empty = { url: newUrl(), language: last.facts.language };
  return mayBeWrittenInto(empty, last, options) ? empty : null;
}

/**
 * Whether a document gives the same result if it is written into an empty document instead of being loaded. Its
 * scripts would run in a window that existed before them, one that must run none has a policy that the empty document
 * does not have, and a byte order mark would be text. Reports list the requests of a document that is loaded.
 */
export function mayBeWrittenInto(
  empty: EmptyDocument,
  document: HtmlDocument,
  { browser }: Pick<PrintOptions, 'browser'>,
): boolean {
  const { address, facts, html, observer } = document;
  return (
    address === undefined &&
    observer === undefined &&
    !facts.hasScripts &&
    browser?.javascript !== false &&
    facts.language === empty.language &&
    !html.startsWith('\uFEFF')
  );
}
