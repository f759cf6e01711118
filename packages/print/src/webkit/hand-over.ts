import type { BundleFile, Bundle } from '../bundle.ts';
import type { Fetched } from '../fetcher/fetcher.ts';
import { BLANK_ADDRESS, handlesImageErrors } from '../page/blank-image.ts';
import { decodedText } from '../page/content-type.ts';
import type { OutsideResources } from '../page/outside-resources.ts';
import { withKnownPages } from '../page/page-blocks.ts';
import { isUnusableImage } from '../page/showable.ts';
import { joined, MAX_DEPTH, type Pieces, type Place, type Use } from '../page/pieces.ts';
import { inStyleElements, keepReferences, mayRefer, REGISTERED } from '../contents/css.ts';
import type { HtmlDocument } from '../print.ts';
import { keepMarginBoxes } from './margin-boxes.ts';

/**
 * WebKit prints in another function without network access, and cannot request resources while it loads a
 * document. So all resources are found, loaded and passed on beforehand, each under its own URL.
 */

/** The origin of documents and their resources in WebKit. */
const ZONE = 'platen://document/';

/** The URL of the resource with that path in any document. */
export function resourceUrl(path: string): string {
  return ZONE + path.split('/').map(encodeURIComponent).join('/');
}

/** Returns the URL that a document sees as its own. */
export function addressOf({ address }: HtmlDocument): string {
  return address ?? ZONE;
}

/** Finds the URLs in a text. */
export interface AddressFinder {
  html(text: string, base: string, signal?: AbortSignal): Promise<Pieces>;
  css(text: string, base: string, signal?: AbortSignal): Promise<Pieces>;
}

/**
 * Finds and loads the resources of a document. A missing image leaves its place empty; other missing resources
 * keep their URL, and are not loaded.
 */
export async function handOver(
  document: HtmlDocument,
  outside: OutsideResources,
  finder: AddressFinder,
  signal?: AbortSignal,
): Promise<Bundle> {
  const files = new Map(
    Array.from(document.resources, ([path, resource]) => [resourceUrl(path), resource] as const),
  );
  const found = new HandOver({ document, outside, finder, signal }, files);
  const html = await found.html(withLanguage(document), addressOf(document), 0);
  await found.finished();
  return { html, files };
}

interface Handing {
  document: HtmlDocument;
  outside: OutsideResources;
  finder: AddressFinder;
  signal: AbortSignal | undefined;
}

class HandOver {
  readonly #handing: Handing;
  readonly #files: Map<string, BundleFile>;
  readonly #handlesImageErrors: boolean;
  /** The transferred URL of each loaded resource, by its URL and use. */
  readonly #handed = new Map<string, Promise<string | null>>();
  /** The resources that are being loaded. */
  readonly #work: Promise<void>[] = [];

  constructor(handing: Handing, files: Map<string, BundleFile>) {
    this.#handing = handing;
    this.#files = files;
    this.#handlesImageErrors = handlesImageErrors(handing.document.html);
  }

  async html(html: string, base: string, depth: number): Promise<string> {
    const { finder, signal } = this.#handing;
    const pieces = await finder.html(inStyleElements(html, printable), base, signal);
    return await this.#filled(pieces.map(readable), depth);
  }

  /** Resolves when all resources, and their own resources, are loaded. */
  async finished(): Promise<void> {
    for (let work = this.#work.shift(); work !== undefined; work = this.#work.shift()) await work;
  }

  async #css(css: string, base: string, depth: number): Promise<string> {
    const { finder, signal } = this.#handing;
    return await this.#filled(await finder.css(css, base, signal), depth);
  }

  /** A text with the transferred URLs of its resources. */
  async #filled(pieces: Pieces, depth: number): Promise<string> {
    const named = new Map<string, Place>();
    for (const piece of pieces) if (typeof piece !== 'string') named.set(keyOf(piece), piece);
    const entries = Array.from(named, async ([key, place]) => [key, await this.#hand(place, depth)] as const);
    const handed = new Map(await Promise.all(entries));
    return joined(pieces, (place) => handed.get(keyOf(place)) ?? null);
  }

  #hand(place: Place, depth: number): Promise<string | null> {
    const key = keyOf(place);
    let handed = this.#handed.get(key);
    if (handed === undefined) {
      handed = this.#address(place, depth);
      this.#handed.set(key, handed);
    }
    return handed;
  }

  async #address(place: Place, depth: number): Promise<string | null> {
    const { address, use } = place;
    // It is in the document itself.
    if (address.split('#', 1)[0] === addressOf(this.#handing.document)) return null;
    const given = this.#files.get(address);
    if (given !== undefined)
      return isUnusableImage(given, place.use) ? this.#nothing(place, 'unreadable', null) : null;
    const own = resourceUrl(`outside/${this.#handed.size}`);
    let why: string | null = null;
    const answer = await this.#fetched(place, depth, (reason) => (why = reason));
    if (answer === null || answer.status >= 400) {
      this.#observe(address, answer, why ?? missingReason(answer));
      return this.#nothing(place, 'missing', answer?.status ?? null);
    }
    const contentType = answer.headers['content-type'] ?? '';
    const isUnreadable = isUnusableImage({ contentType, bytes: answer.bytes }, use);
    this.#observe(address, answer, isUnreadable ? 'It is no image that can be shown.' : null);
    if (isUnreadable) return this.#nothing(place, 'unreadable', null);
    // Not awaited here: it may refer to itself.
    const work = this.#file(answer, use, depth + 1).then((file) => void this.#files.set(own, file));
    this.#work.push(work);
    // The failure is reported where all are awaited.
    work.catch(() => {});
    return own;
  }

  /**
   * Reports a resource that cannot be shown.
   *
   * @returns its replacement; null: its URL stays
   */
  #nothing({ address, use }: Place, why: 'missing' | 'unreadable', status: number | null): string | null {
    const { missing, faults } = this.#handing.document;
    const written = address.startsWith(ZONE) ? address.slice(ZONE.length) : address;
    missing?.(written, why);
    // A file of the document itself is not requested from a host.
    faults?.failed(written, address.startsWith(ZONE) ? null : status);
    return use === 'image' && !this.#handlesImageErrors ? BLANK_ADDRESS : null;
  }

  #observe(address: string, answer: Fetched | null, error: string | null): void {
    const written = address.startsWith(ZONE) ? address.slice(ZONE.length) : address;
    const bytes = answer !== null && answer.status < 400 ? answer.bytes.length : null;
    this.#handing.document.observer?.resource({
      address: written,
      status: answer?.status ?? null,
      bytes,
      error,
    });
  }

  async #fetched(
    { address, use }: Place,
    depth: number,
    failed: (why: string) => void,
  ): Promise<Fetched | null> {
    if (!/^https?:/.test(address) || depth >= MAX_DEPTH) return null;
    return await this.#handing.outside.load(address, { accept: ACCEPTED[use] }, failed);
  }

  /** The response, with its own resources. */
  async #file(answer: Fetched, use: Use, depth: number): Promise<BundleFile> {
    const contentType = answer.headers['content-type'] ?? 'application/octet-stream';
    const type = contentType.split(';', 1)[0]?.trim().toLowerCase();
    const text = (): string => decodedText(answer.bytes, contentType);
    if (use === 'style' && (type === 'text/css' || type === 'application/octet-stream')) {
      const css = await this.#css(keptStyles(text()), answer.url, depth);
      return { contentType: 'text/css; charset=utf-8', bytes: Buffer.from(css) };
    }
    if (use === 'frame' && (type === 'text/html' || type === 'application/xhtml+xml')) {
      const html = await this.html(text(), answer.url, depth);
      return { contentType: 'text/html; charset=utf-8', bytes: Buffer.from(html) };
    }
    return { contentType, bytes: answer.bytes };
  }
}

/** A style sheet with rewritten declarations, which WebKit would drop. */
function keptStyles(css: string): string {
  const known = mayRefer(css) ? keepReferences(css) + REGISTERED : css;
  return printable(withKnownPages(known));
}

/**
 * A style sheet whose boxes in margins are kept, and whose fonts are loaded: WebKit would take the replacement of a family for
 * the family itself (`local()`).
 */
function printable(css: string): string {
  const loaded = css.replace(/@font-face\s*\{[^{}]*\}/gi, (rule) =>
    /\burl\(/i.test(rule) ? rule.replace(/\blocal\((?:"[^"]*"|'[^']*'|[^()"']*)\)\s*,\s*/gi, '') : rule,
  );
  return keepMarginBoxes(loaded);
}

/** Marks a link to a style sheet, so that the document's `@page` rules in it are read, regardless of its URL. */
function readable(piece: string | Place): string | Place {
  const isLink = typeof piece !== 'string' && piece.use === 'style' && piece.before === 'href="';
  return isLink ? { ...piece, after: `${piece.after} crossorigin="anonymous"` } : piece;
}

function missingReason(answer: Fetched | null): string {
  return answer === null ? 'It may not be loaded.' : `The host answers with the status ${answer.status}.`;
}

/** The Accept headers of browsers. */
const ACCEPTED: Readonly<Record<Use, string>> = {
  image: 'image/avif,image/webp,image/svg+xml,image/*;q=0.9,*/*;q=0.5',
  style: 'text/css,*/*;q=0.1',
  script: '*/*',
  frame: 'text/html,application/xhtml+xml,*/*;q=0.8',
  other: '*/*',
};

/** Signs of its language in the text of a document that declares none: it selects the shapes of ideographs. */
function withLanguage({ html, facts: { language } }: HtmlDocument): string {
  if (language === null) return html;
  const at = html.indexOf('<title');
  if (at === -1) return html;
  const meta = `<meta http-equiv="content-language" content="${language}">`;
  return html.slice(0, at) + meta + html.slice(at);
}

function keyOf({ use, address }: Place): string {
  return `${use} ${address}`;
}
