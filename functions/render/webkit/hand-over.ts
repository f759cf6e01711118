import type { BundleFile, Bundle } from '../../shared/convert/bundle.ts';
import type { Fetched } from '../../shared/fetcher/fetcher.ts';
import { guessLanguage } from '../page/language.ts';
import type { OutsideResources } from '../page/outside-resources.ts';
import { withTitle } from '../page/title.ts';
import type { HtmlDocument } from '../print.ts';
import { replaceInCss } from './css.ts';
import { replaceInHtml, type Use } from './html.ts';

/**
 * WebKit has no way to ask us for what a document names while it loads it: it prints in another function, which has no
 * way out. So everything is found, fetched and handed over beforehand, under an address of its own.
 */

/** Where documents and what they may load are, for WebKit. */
const ZONE = 'platen://document/';
/** Frames in frames, and style sheets that import others. */
const MAX_DEPTH = 4;

/** Address by which any document names its resource of that path. */
export function resourceUrl(path: string): string {
  return ZONE + path.split('/').map(encodeURIComponent).join('/');
}

/** Where a document believes it is. */
export function addressOf({ address }: HtmlDocument): string {
  return address ?? ZONE;
}

/** Finds and fetches what a document names. What cannot be had stays as it is, and is not loaded. */
export async function handOver(document: HtmlDocument, outside: OutsideResources): Promise<Bundle> {
  const files = new Map(
    Array.from(document.resources, ([path, resource]) => [resourceUrl(path), resource] as const),
  );
  const found = new HandOver(outside, files);
  const titled = withLanguage(withTitle(document.html, document.title));
  const html = await found.html(titled, addressOf(document), 0);
  await found.finished();
  return { html, files };
}

class HandOver {
  readonly #outside: OutsideResources;
  readonly #files: Map<string, BundleFile>;
  /** What was fetched, by its address and what it is for: the address it is handed over under. */
  readonly #handed = new Map<string, Promise<string | null>>();
  /** What was fetched, on its way to be handed over. */
  readonly #work: Promise<void>[] = [];

  constructor(outside: OutsideResources, files: Map<string, BundleFile>) {
    this.#outside = outside;
    this.#files = files;
  }

  async html(html: string, base: string, depth: number): Promise<string> {
    return await this.#replaced(depth, (replace) => replaceInHtml(html, base, replace));
  }

  /** Resolves when all that was named, and all that this names in its turn, can be handed over. */
  async finished(): Promise<void> {
    for (let work = this.#work.shift(); work !== undefined; work = this.#work.shift()) await work;
  }

  async #css(css: string, base: string, depth: number): Promise<string> {
    return await this.#replaced(depth, (replace) =>
      replaceInCss(css, (address, use) => {
        const url = URL.parse(address, base);
        return url === null ? null : replace(url.href, use);
      }),
    );
  }

  /** Goes through a text twice: to see what it names, and, when that was fetched, to name what it is now. */
  async #replaced(
    depth: number,
    text: (replace: (address: string, use: Use) => string | null) => string,
  ): Promise<string> {
    const named = new Map<string, Promise<string | null>>();
    const key = (address: string, use: Use): string => `${use} ${withoutHash(address)}`;
    text((address, use) => {
      if (/^https?:/.test(address))
        named.set(key(address, use), this.#hand(withoutHash(address), use, depth));
      return null;
    });
    const entries = Array.from(named, async ([name, handed]) => [name, await handed] as const);
    const handed = new Map(await Promise.all(entries));
    return text((address, use) => {
      const now = handed.get(key(address, use)) ?? null;
      return now === null ? null : now + address.slice(withoutHash(address).length);
    });
  }

  #hand(address: string, use: Use, depth: number): Promise<string | null> {
    const key = `${use} ${address}`;
    let handed = this.#handed.get(key);
    if (handed === undefined) {
      handed = this.#fetch(address, use, depth);
      this.#handed.set(key, handed);
    }
    return handed;
  }

  async #fetch(address: string, use: Use, depth: number): Promise<string | null> {
    const own = resourceUrl(`outside/${this.#handed.size}`);
    if (depth >= MAX_DEPTH) return null;
    const answer = await this.#outside.load(address, { accept: ACCEPTED[use] });
    if (answer === null || answer.status >= 400) return null;
    // Not waited for here: it may name itself.
    const work = this.#file(answer, use, depth + 1).then((file) => void this.#files.set(own, file));
    this.#work.push(work);
    // Heard of where all are waited for.
    work.catch(() => {});
    return own;
  }

  /** What came back, with what it names in its turn. */
  async #file(answer: Fetched, use: Use, depth: number): Promise<BundleFile> {
    const contentType = answer.headers['content-type'] ?? 'application/octet-stream';
    const type = contentType.split(';', 1)[0]?.trim().toLowerCase();
    const text = (): string => decoded(answer.bytes, contentType);
    if (use === 'style' && (type === 'text/css' || type === 'application/octet-stream')) {
      const css = await this.#css(text(), answer.url, depth);
      return { contentType: 'text/css; charset=utf-8', bytes: Buffer.from(css) };
    }
    if (use === 'frame' && (type === 'text/html' || type === 'application/xhtml+xml')) {
      const html = await this.html(text(), answer.url, depth);
      return { contentType: 'text/html; charset=utf-8', bytes: Buffer.from(html) };
    }
    return { contentType, bytes: answer.bytes };
  }
}

/** What browsers say they take. */
const ACCEPTED: Readonly<Record<Use, string>> = {
  image: 'image/avif,image/webp,image/svg+xml,image/*;q=0.9,*/*;q=0.5',
  style: 'text/css,*/*;q=0.1',
  script: '*/*',
  frame: 'text/html,application/xhtml+xml,*/*;q=0.8',
  other: '*/*',
};

/** An encoding nobody knows is read as UTF-8. */
function decoded(bytes: Uint8Array, contentType: string): string {
  const charset = /charset\s*=\s*"?([^\s;"]+)/i.exec(contentType)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

/** What the text tells of its language, for a document that does not: ideographs are drawn by it. */
function withLanguage(html: string): string {
  const language = guessLanguage(html);
  if (language === null) return html;
  const at = html.indexOf('<title');
  if (at === -1) return html;
  const meta = `<meta http-equiv="content-language" content="${language}">`;
  return html.slice(0, at) + meta + html.slice(at);
}

function withoutHash(address: string): string {
  return address.split('#', 1)[0] ?? address;
}
