import { randomBytes } from 'node:crypto';
import type { Protocol } from 'devtools-protocol';
import type { Fetched, Fetcher } from '../fetcher/fetcher.ts';
import type { Observer } from '../observer.ts';
import type { DocumentObserver } from '../browser-options.ts';
import type { HtmlDocument, Missing } from '../print.ts';
import type { DocumentFacts } from '../page/document.ts';
import { mayHyphenate } from '../page/may-hyphenate.ts';
import { BLANK_IMAGE, handlesImageErrors } from '../page/blank-image.ts';
import { decodedText } from '../page/content-type.ts';
import { keepReferences, mayRefer, REGISTERED } from '../contents/css.ts';
import { mayRulePages, withLengthsOfPapers } from '../page/page-blocks.ts';
import { isShowable } from '../page/showable.ts';
import { OutsideResources } from '../page/outside-resources.ts';

/** The domain of documents: a name that can never resolve (RFC 6761, `.invalid`). */
const ZONE = 'platen.invalid';
/** Stands for the document's own origin until it has one: every rendering gets a new one. */
const RESOURCE_BASE = `https://document.${ZONE}/`;
/** Address by which any document names its resource of that path. */
export function resourceUrl(path: string): string {
  return RESOURCE_BASE + path.split('/').map(encodeURIComponent).join('/');
}

/** The decision about a request. */
export type Verdict =
  | { kind: 'fulfil'; status: number; headers: Protocol.Fetch.HeaderEntry[]; body: Uint8Array }
  | { kind: 'fail'; reason: Protocol.Network.ErrorReason }
  /** The engine answers by itself; only for addresses that hold their own data. */
  | { kind: 'continue' };

type Paused = Protocol.Fetch.RequestPausedEvent;

/**
 * Decides over every request of one rendering: the second layer of I-22. The document and its resources come
 * from memory, everything else through the fetcher or not at all.
 */
export class Gate {
  /** Origin of the document; never used before or after, unless it was loaded from somewhere. */
  readonly origin: string;
  /** Where the document itself is. */
  readonly url: string;
  /** Whether the origin is that of a web site, which other documents may share. */
  readonly isForeign: boolean;
  /** The document as the engine gets it. */
  readonly html: string;
  readonly facts: DocumentFacts;
  /** Told of what goes wrong. */
  readonly faults: DocumentObserver | null;
  readonly #missing: Missing;
  /** Told in a sentence what of the document is not done. */
  readonly warn: (text: string) => void;
  readonly #observer: Observer | undefined;
  readonly #drawings = new Set<string>();
  readonly #handlesImageErrors: boolean;
  /** What the document brings along, by its path. */
  readonly resources: HtmlDocument['resources'];
  readonly #outside: OutsideResources;
  readonly #editForeign: (css: string) => string;
  /** Whether scripts of the document may run. */
  runsScripts = true;
  #served = false;
  #refersToPages: boolean;
  #hyphenates: boolean;
  #hasForeignPageRules = false;

  /** @param editForeign makes a style sheet fit that the document's own scripts cannot read */
  constructor(
    document: HtmlDocument,
    fetcher: Fetcher,
    signal: AbortSignal,
    editForeign: (css: string) => string = (css) => css,
  ) {
    this.isForeign = document.address !== undefined;
    this.url = new URL(document.address ?? `https://${randomBytes(12).toString('hex')}.${ZONE}/`).href;
    this.origin = new URL(this.url).origin;
    this.html = document.html.replaceAll(RESOURCE_BASE, `${this.origin}/`);
    this.facts = document.facts;
    this.#refersToPages = document.facts.refersToPages;
    this.#hyphenates = document.facts.hyphenates;
    this.#missing = document.missing ?? (() => {});
    this.warn = document.warn ?? (() => {});
    this.#observer = document.observer;
    this.#handlesImageErrors = handlesImageErrors(document.html);
    this.resources = document.resources;
    this.#outside = new OutsideResources(fetcher, signal, document.credentials);
    this.faults = document.faults ?? null;
    this.#editForeign = editForeign;
  }

  /** Whether a style sheet that scripts of the document cannot read has `@page` rules. */
  get hasForeignPageRules(): boolean {
    return this.#hasForeignPageRules;
  }

  /** Whether its styles say on which pages something is; known when it has loaded. */
  get refersToPages(): boolean {
    return this.#refersToPages;
  }

  /** Whether its styles ask for words to be divided; known when it has loaded. */
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
    if (isUnreadable || isMissing(verdict)) this.#noteFault(paused, verdict, mainFrame);
    if (!isUnreadable && (!isMissing(verdict) || !REPORTED.has(resourceType))) return verdict;
    this.#missing(this.#written(request.url), isUnreadable ? 'unreadable' : 'missing');
    // The place of an image stays empty, without the sign of a broken one.
    if (resourceType !== 'Image' || this.#handlesImageErrors) return verdict;
    const headers = [
      { name: 'content-type', value: BLANK_IMAGE.contentType },
      { name: 'access-control-allow-origin', value: '*' },
    ];
    return fulfil(200, headers, BLANK_IMAGE.bytes);
  }

  /** Tells of a resource. What stands in its address itself is not loaded. */
  #observe(url: string, verdict: Verdict, why: string | null): void {
    if (this.#observer === undefined || verdict.kind === 'continue') return;
    const address = this.#written(url);
    // The browser asks for the document itself again where it looks for its styles.
    if (address === '') return;
    const isThere = verdict.kind === 'fulfil';
    const status = isThere ? verdict.status : null;
    const bytes = isThere && verdict.status < 400 ? verdict.body.length : null;
    const refused = isThere ? `The host answers with the status ${verdict.status}.` : REFUSED;
    const error = why ?? (isMissing(verdict) ? refused : null);
    this.#observer.resource({ address, status, bytes, error });
    if (isThere && isDrawing(verdict)) this.#drawings.add(url);
  }

  /** Whether an address was answered with a drawing. */
  hasDrawing(url: string): boolean {
    return this.#drawings.has(url);
  }

  #noteFault({ request, resourceType, frameId }: Paused, verdict: Verdict, mainFrame: string): void {
    // A document that goes somewhere else is refused, and nothing of it is missing.
    if (resourceType === 'Document' && frameId === mainFrame) return;
    const status = verdict.kind === 'fulfil' && verdict.status >= 400 ? verdict.status : null;
    this.faults?.failed(this.#written(request.url), status);
  }

  #policy(): Protocol.Fetch.HeaderEntry[] {
    return this.runsScripts ? POLICY : [...POLICY, NO_SCRIPTS];
  }

  /** An address as the document may have it: one that is relative starts from an origin of which it knows nothing. */
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

  /** The document, once. "Aborted" leaves the page as it is when a document navigates away or reloads. */
  #serveDocument(url: URL): Verdict {
    if (this.#served || url.href !== withoutHash(this.url)) return { kind: 'fail', reason: 'Aborted' };
    this.#served = true;
    const headers = [...this.#policy(), { name: 'content-type', value: 'text/html; charset=utf-8' }];
    // Holds where the document does not name its language itself.
    const { language } = this.facts;
    if (language !== null) headers.push({ name: 'content-language', value: language });
    return fulfil(200, headers, Buffer.from(this.html));
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

  /** A style sheet with `@page` rules as they are to be; null for one without, which stays as it is. */
  #sheet({ bytes, headers, url, status }: Fetched): Uint8Array | null {
    if (status >= 400) return null;
    const contentType = headers['content-type'] ?? '';
    if (!/^text\/css\b/i.test(contentType.trim())) return null;
    const css = decodedText(bytes, contentType);
    this.#hyphenates ||= mayHyphenate(css);
    const refers = mayRefer(css);
    if (!mayRulePages(css) && !refers) return null;
    this.#refersToPages ||= refers;
    const known = withLengthsOfPapers(refers ? keepReferences(css) + REGISTERED : css);
    if (URL.parse(url)?.origin === this.origin) return Buffer.from(known);
    this.#hasForeignPageRules = true;
    return Buffer.from(this.#editForeign(known));
  }
}

/** What a document shows or is made with; the rest its scripts ask for. */
const REPORTED: ReadonlySet<Protocol.Network.ResourceType> = new Set([
  'Image',
  'Stylesheet',
  'Font',
  'Script',
  'Media',
]);

const REFUSED = 'It may not be loaded.';

function isDrawing({ headers }: Extract<Verdict, { kind: 'fulfil' }>): boolean {
  return headers.some(({ name, value }) => name === 'content-type' && /^image\/svg/i.test(value));
}

function isMissing(verdict: Verdict): boolean {
  return verdict.kind === 'fail' || (verdict.kind === 'fulfil' && verdict.status >= 400);
}

/** What came and is nothing that is shown: a page that says "not found", a file that is damaged from its start. */
function isNoImage(verdict: Verdict): boolean {
  if (verdict.kind !== 'fulfil' || verdict.status >= 300) return false;
  const type = verdict.headers.find(({ name }) => name === 'content-type')?.value ?? '';
  return !isShowable(verdict.body, type);
}

/**
 * Sent with every document, frames included: no WebRTC and no WebSocket (`connect-src` without ws:). Both also fail for
 * want of a network.
 */
const POLICY: Protocol.Fetch.HeaderEntry[] = [
  {
    name: 'content-security-policy',
    value: "webrtc 'block'; connect-src 'self' http: https: data: blob:",
  },
];
const NO_SCRIPTS: Protocol.Fetch.HeaderEntry = {
  name: 'content-security-policy',
  value: "script-src 'none'",
};
/** Request headers that change what comes back. */
const SENT_ON = new Set(['accept', 'accept-language', 'origin']);
/** Response headers that say what the bytes are and who may read them. */
const PASSED_BACK = new Set([
  'content-type',
  'access-control-allow-origin',
  'access-control-allow-credentials',
]);

/** The part of an address that is sent. */
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
