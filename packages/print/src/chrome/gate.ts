import type { Protocol } from 'devtools-protocol';
import type { Fetched, Fetcher } from '../fetcher/fetcher.ts';
import type { Observer } from '../observer.ts';
import type { DocumentObserver } from '../browser-options.ts';
import type { HtmlDocument, Missing } from '../print.ts';
import type { DocumentFacts } from '../page/document.ts';
import { mayHyphenate } from '../page/may-hyphenate.ts';
import { BLANK_IMAGE, handlesImageErrors } from '../page/blank-image.ts';
import { decodedText } from '../page/content-type.ts';
import { hasRunningElements, keepReferences, mayRefer, REGISTERED } from '../contents/css.ts';
import { hasPageOfBootstrap, mayRulePages, withKnownPages } from '../page/page-blocks.ts';
import { isShowable } from '../page/showable.ts';
import { OutsideResources } from '../page/outside-resources.ts';
import { refusedAddress } from './refused-address.ts';
import { atOrigin, documentHeaders, type EmptyDocument, newUrl, POLICY, ZONE } from './own-origin.ts';

/** The decision about a request. */
export type Verdict =
  | { kind: 'fulfil'; status: number; headers: Protocol.Fetch.HeaderEntry[]; body: Uint8Array }
  | { kind: 'fail'; reason: Protocol.Network.ErrorReason }
  /** The engine loads it itself; only for URLs that contain their data. */
  | { kind: 'continue' };

type Paused = Protocol.Fetch.RequestPausedEvent;

/**
 * Decides about every request of one rendering: the second layer of I-22. The document and its resources come from
 * memory, everything else comes through the fetcher or is refused.
 */
export class Gate {
  /** Origin of the document; never used before or after, unless it was loaded from a web site. */
  readonly origin: string;
  /** The URL of the document. */
  readonly url: string;
  /** Whether the origin belongs to a web site, so that other documents may share it. */
  readonly isForeign: boolean;
  /** Whether it is written into an empty document that was loaded at that URL. */
  readonly isWritten: boolean;
  /** The document in the form for the engine. */
  readonly html: string;
  /** Whether its styles are those that the author wrote, so that they have to be changed for the engine. */
  readonly isAsWritten: boolean;
  readonly facts: DocumentFacts;
  /** Receives errors. */
  readonly faults: DocumentObserver | null;
  readonly #missing: Missing;
  /** Receives a sentence about each unsupported part of the document. */
  readonly warn: (text: string) => void;
  readonly #observer: Observer | undefined;
  readonly #drawings = new Set<string>();
  readonly #refusals = new Set<string>();
  readonly #handlesImageErrors: boolean;
  /** The document's own files, by path. */
  readonly resources: HtmlDocument['resources'];
  readonly #outside: OutsideResources;
  readonly #editForeign: (css: string) => string;
  /** Whether scripts of the document may run. */
  runsScripts = true;
  #served: boolean;
  #refersToPages: boolean;
  #hasRunningElements: boolean;
  #hyphenates: boolean;
  #hasForeignPageRules = false;
  #hasPageOfBootstrap: boolean;
  #hasBlankImages = false;

  /**
   * @param editForeign edits a style sheet that the document's own scripts cannot read
   * @param empty the loaded document into which the content is written; null if the document is loaded itself
   */
  constructor(
    document: HtmlDocument,
    fetcher: Fetcher,
    signal: AbortSignal,
    editForeign: (css: string) => string = (css) => css,
    empty: EmptyDocument | null = null,
  ) {
    this.isForeign = document.address !== undefined;
    this.isWritten = empty !== null;
    this.#served = this.isWritten;
    this.url = new URL(empty?.url ?? document.address ?? newUrl()).href;
    this.origin = new URL(this.url).origin;
    this.html = atOrigin(document.asWritten ?? document.html, this.origin);
    this.isAsWritten = (document.asWritten ?? null) !== null;
    this.facts = document.facts;
    this.#refersToPages = document.facts.refersToPages;
    this.#hasRunningElements = hasRunningElements(document.html);
    this.#hyphenates = document.facts.hyphenates;
    this.#missing = document.missing ?? (() => {});
    this.warn = document.warn ?? (() => {});
    this.#observer = document.observer;
    this.#handlesImageErrors = handlesImageErrors(document.html);
    this.resources = document.resources;
    this.#outside = new OutsideResources(fetcher, signal, document.credentials);
    this.faults = document.faults ?? null;
    this.#editForeign = editForeign;
    this.#hasPageOfBootstrap = hasPageOfBootstrap(document.html);
  }

  /** See `hasPageOfBootstrap`; known once it is loaded. */
  get hasPageOfBootstrap(): boolean {
    return this.#hasPageOfBootstrap;
  }

  /** Whether a style sheet that scripts of the document cannot read has `@page` rules. */
  get hasForeignPageRules(): boolean {
    return this.#hasForeignPageRules;
  }

  /** Whether images of it are not there, so that blank ones take their places; known once it is loaded. */
  get hasBlankImages(): boolean {
    return this.#hasBlankImages;
  }

  /** Whether its styles refer to pages; known once it is loaded. */
  get refersToPages(): boolean {
    return this.#refersToPages;
  }

  /** Whether its styles may have running elements; known when it has loaded. */
  get hasRunningElements(): boolean {
    return this.#hasRunningElements;
  }

  /** Whether its styles request hyphenation; known once it is loaded. */
  get hyphenates(): boolean {
    return this.#hyphenates;
  }

  async decide(paused: Paused, mainFrame: string): Promise<Verdict> {
    let why: string | null = null;
    const verdict = await this.#verdict(paused, mainFrame, (reason) => (why = reason));
    const { request, resourceType } = paused;
    const isUnreadable = resourceType === 'Image' && isNoImage(verdict);
    if (resourceType !== 'Document' || paused.frameId !== mainFrame) {
      this.#observe(request.url, verdict, isUnreadable ? 'It is no image that can be shown.' : why);
    }
    // The browser requests the document itself again to inspect its styles; an image at its address is a fault.
    if (this.#written(request.url) === '' && resourceType !== 'Image') return verdict;
    if (isUnreadable || isMissing(verdict)) this.#noteFault(paused, verdict, mainFrame);
    const isFrame = resourceType === 'Document' && paused.frameId !== mainFrame;
    const isReported = isFrame || REPORTED.has(resourceType);
    if (!isUnreadable && !(isMissing(verdict) && isReported)) return verdict;
    this.#missing(this.#written(request.url), isUnreadable ? 'unreadable' : 'missing');
    // Its place has its alternate text or stays empty, without the icon of a broken image.
    if (resourceType !== 'Image' || this.#handlesImageErrors) return verdict;
    this.#hasBlankImages = true;
    const headers = [
      { name: 'content-type', value: BLANK_IMAGE.contentType },
      { name: 'access-control-allow-origin', value: '*' },
    ];
    return fulfil(200, headers, BLANK_IMAGE.bytes);
  }

  /** Reports a resource that the engine has refused without a request. @param message of the engine's log */
  noteRefusal(message: string): void {
    const address = refusedAddress(message);
    if (address === null || this.#refusals.has(address)) return;
    this.#refusals.add(address);
    this.#observer?.resource({ address, status: null, bytes: null, error: REFUSED });
    this.faults?.failed(address, null);
    this.#missing(address, 'missing');
  }

  /** Reports a resource. URLs that contain their data are not loaded. */
  #observe(url: string, verdict: Verdict, why: string | null): void {
    if (this.#observer === undefined || verdict.kind === 'continue') return;
    const address = this.#written(url);
    // The browser requests the document itself again to inspect its styles.
    if (address === '') return;
    const isThere = verdict.kind === 'fulfil';
    const status = isThere ? verdict.status : null;
    const bytes = isThere && verdict.status < 400 ? verdict.body.length : null;
    const refused = isThere ? `The host answers with the status ${verdict.status}.` : REFUSED;
    const error = why ?? (isMissing(verdict) ? refused : null);
    this.#observer.resource({ address, status, bytes, error });
    if (isThere && isDrawing(verdict)) this.#drawings.add(url);
  }

  /** Whether a URL returned a drawing. */
  hasDrawing(url: string): boolean {
    return this.#drawings.has(url);
  }

  #noteFault({ request, resourceType, frameId }: Paused, verdict: Verdict, mainFrame: string): void {
    // Navigation to another document is refused, and is not a missing resource.
    if (resourceType === 'Document' && frameId === mainFrame) return;
    // A file of the document itself is not requested from a host.
    const isOwn = !this.isForeign && request.url.startsWith(`${this.origin}/`);
    const status = !isOwn && verdict.kind === 'fulfil' && verdict.status >= 400 ? verdict.status : null;
    this.faults?.failed(this.#written(request.url), status);
  }

  #policy(): readonly Protocol.Fetch.HeaderEntry[] {
    return this.runsScripts ? POLICY : [...POLICY, NO_SCRIPTS];
  }

  /** A URL as the document sees it: relative ones are resolved against an origin that it does not know. */
  #written(address: string): string {
    return !this.isForeign && address.startsWith(`${this.origin}/`)
      ? address.slice(this.origin.length + 1)
      : address;
  }

  async #verdict(
    { request, resourceType, frameId }: Paused,
    mainFrame: string,
    failed: (why: string) => void,
  ): Promise<Verdict> {
    const url = URL.parse(request.url);
    if (url === null) return refuse();
    if (url.protocol === 'data:' || url.protocol === 'blob:') return { kind: 'continue' };
    if (url.protocol !== 'https:' && url.protocol !== 'http:') return refuse();
    if (resourceType === 'Document' && frameId === mainFrame) return this.#serveDocument(url);
    if (url.origin === this.origin && !this.isForeign) return this.#serveResource(url);
    if (url.hostname.endsWith(ZONE)) return refuse();
    return this.#load(request, resourceType, failed);
  }

  /** The document, once. "Aborted" leaves the page unchanged if a document navigates away or reloads. */
  #serveDocument(url: URL): Verdict {
    const isItself = url.href === withoutHash(this.url);
    // Forms and scripts may navigate while it loads.
    if (!isItself) this.warn(`The document was not left for ${this.#written(url.href)}.`);
    if (this.#served || !isItself) return { kind: 'fail', reason: 'Aborted' };
    this.#served = true;
    return fulfil(200, documentHeaders(this.#policy(), this.facts.language), Buffer.from(this.html));
  }

  #serveResource(url: URL): Verdict {
    const resource = this.resources.get(pathOf(url));
    if (resource === undefined) return fulfil(404, [], new Uint8Array());
    return fulfil(200, [{ name: 'content-type', value: resource.contentType }], resource.bytes);
  }

  async #load(
    request: Protocol.Network.Request,
    type: Protocol.Network.ResourceType,
    failed: (why: string) => void,
  ): Promise<Verdict> {
    if (request.method !== 'GET') return refuse();
    const headers = Object.entries(request.headers).filter(([name]) => SENT_ON.has(name.toLowerCase()));
    const answer = await this.#outside.load(request.url, Object.fromEntries(headers), failed);
    if (answer === null) return refuse();
    const sheet = type === 'Stylesheet' ? this.#sheet(answer) : null;
    const answered =
      sheet === null ? answer.headers : { ...answer.headers, 'content-type': 'text/css; charset=utf-8' };
    const kept = Object.entries(answered).filter(([name]) => PASSED_BACK.has(name));
    return fulfil(
      answer.status,
      [...this.#policy(), ...kept.map(([name, value]) => ({ name, value }))],
      sheet ?? answer.bytes,
    );
  }

  /** A style sheet with edited `@page` rules; null for one without, which stays unchanged. */
  #sheet({ bytes, headers, url, status }: Fetched): Uint8Array | null {
    if (status >= 400) return null;
    const contentType = headers['content-type'] ?? '';
    if (!/^text\/css\b/i.test(contentType.trim())) return null;
    const css = decodedText(bytes, contentType);
    this.#hyphenates ||= mayHyphenate(css);
    const refers = mayRefer(css);
    if (!mayRulePages(css) && !refers) return null;
    this.#hasPageOfBootstrap ||= hasPageOfBootstrap(css);
    this.#refersToPages ||= refers;
    const known = withKnownPages(refers ? keepReferences(css) + REGISTERED : css);
    this.#hasRunningElements ||= refers && hasRunningElements(known);
    if (URL.parse(url)?.origin === this.origin) return Buffer.from(known);
    this.#hasForeignPageRules = true;
    return Buffer.from(this.#editForeign(known));
  }
}

/** The decision about a request of an empty document: nothing but itself is loaded. */
export function verdictOnEmpty(empty: EmptyDocument | null, url: string): Verdict {
  if (url !== empty?.url) return { kind: 'fail', reason: 'Aborted' };
  return fulfil(200, documentHeaders(POLICY, empty.language), new Uint8Array());
}

/** Types of resources that affect the result. */
const REPORTED: ReadonlySet<Protocol.Network.ResourceType> = new Set([
  'Image',
  'Stylesheet',
  'Font',
  'Script',
  'Media',
  'TextTrack',
  'XHR',
  'Fetch',
  'EventSource',
]);

const REFUSED = 'It may not be loaded.';

function isDrawing({ headers }: Extract<Verdict, { kind: 'fulfil' }>): boolean {
  return headers.some(({ name, value }) => name === 'content-type' && /^image\/svg/i.test(value));
}

function isMissing(verdict: Verdict): boolean {
  return verdict.kind === 'fail' || (verdict.kind === 'fulfil' && verdict.status >= 400);
}

/** A response that cannot be shown: an error page, or a damaged file. */
function isNoImage(verdict: Verdict): boolean {
  if (verdict.kind !== 'fulfil' || verdict.status >= 300) return false;
  const type = verdict.headers.find(({ name }) => name === 'content-type')?.value ?? '';
  return !isShowable(verdict.body, type);
}

const NO_SCRIPTS: Protocol.Fetch.HeaderEntry = {
  name: 'content-security-policy',
  value: "script-src 'none'",
};
/** Request headers that affect the response. */
const SENT_ON = new Set(['accept', 'accept-language', 'origin']);
/** Response headers about the content and its permitted readers. */
const PASSED_BACK = new Set([
  'content-type',
  'access-control-allow-origin',
  'access-control-allow-credentials',
]);

/** The part of a URL that is sent. */
function withoutHash(url: string): string {
  return url.split('#', 1)[0] ?? url;
}

function pathOf(url: URL): string {
  try {
    return decodeURIComponent(url.pathname.slice(1));
  } catch {
    return url.pathname.slice(1);
  }
}

function refuse(): Verdict {
  return { kind: 'fail', reason: 'BlockedByClient' };
}

function fulfil(status: number, headers: Protocol.Fetch.HeaderEntry[], body: Uint8Array): Verdict {
  return { kind: 'fulfil', status, headers, body };
}
