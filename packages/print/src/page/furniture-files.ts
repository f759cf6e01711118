import type { Fetched } from '../fetcher/fetcher.ts';
import type { HtmlResource, Missing } from '../print.ts';
import { BLANK_ADDRESS } from './blank-image.ts';
import { decodedText } from './content-type.ts';
import type { OutsideResources } from './outside-resources.ts';
import { isUnusableImage } from './showable.ts';
import { joined, MAX_DEPTH, type Pieces, type Place, type Use } from './pieces.ts';

/** The sources of the resources of a header or footer. */
export interface FurnitureSources {
  /** URL → image of the template. */
  images: ReadonlyMap<string, HtmlResource>;
  outside: Pick<OutsideResources, 'load'>;
  /** Finds the resources of a style sheet. */
  css: (text: string, base: string) => Promise<Pieces>;
  /** Called with resources that cannot be loaded. */
  missing: (...about: [...Parameters<Missing>, status: number | null]) => void;
}

/**
 * Embeds all resources of a header or footer as `data:` URLs: engines load nothing for them, and Chromium ends if
 * it is asked to.
 */
export class FurnitureFiles {
  readonly #sources: FurnitureSources;
  readonly #known = new Map<string, Promise<string | null>>();

  constructor(sources: FurnitureSources) {
    this.#sources = sources;
  }

  /** The text with its embedded resources; the place of a missing image stays empty. */
  async inlined(pieces: Pieces): Promise<string> {
    return await this.#inlined(pieces, 0);
  }

  async #inlined(pieces: Pieces, depth: number): Promise<string> {
    const addresses = new Map<string, string | null>();
    const places = new Map<string, Place>();
    for (const piece of pieces) if (typeof piece !== 'string') places.set(keyOf(piece), piece);
    await Promise.all(
      Array.from(places, async ([key, place]) => addresses.set(key, await this.#address(place, depth))),
    );
    return joined(pieces, (place) => addresses.get(keyOf(place)) ?? NOTHING[place.use]);
  }

  #address(place: Place, depth: number): Promise<string | null> {
    const key = keyOf(place);
    // A style sheet may import itself: it is not awaited then, but read again up to the maximum depth.
    if (place.use === 'style') return this.#load(place, depth);
    const known = this.#known.get(key) ?? this.#load(place, depth);
    this.#known.set(key, known);
    return known;
  }

  async #load({ address, use }: Place, depth: number): Promise<string | null> {
    const { images, outside, missing } = this.#sources;
    const image = images.get(address);
    if (image !== undefined) return this.#shown(address, use, image.contentType, image.bytes);
    const answer = /^https?:/.test(address) && depth < MAX_DEPTH ? await outside.load(address, {}) : null;
    if (answer === null || answer.status >= 400) {
      missing(address, 'missing', answer?.status ?? null);
      return null;
    }
    if (use !== 'style') return this.#shown(address, use, answer.headers['content-type'], answer.bytes);
    const css = await this.#inlined(await this.#sources.css(textOf(answer), answer.url), depth + 1);
    return dataAddress('text/css;charset=utf-8', Buffer.from(css));
  }

  /** The URL of a loaded resource; null for an invalid image. */
  #shown(address: string, use: Use, contentType: string | undefined, bytes: Uint8Array): string | null {
    if (!isUnusableImage({ contentType: contentType ?? '', bytes }, use))
      return dataAddress(contentType, bytes);
    this.#sources.missing(address, 'unreadable', null);
    return null;
  }
}

/** The replacement of a missing resource. */
const NOTHING: Readonly<Record<Use, string>> = {
  image: BLANK_ADDRESS,
  style: 'data:text/css,',
  script: '',
  frame: '',
  other: 'data:,',
};

function keyOf({ use, address }: Place): string {
  return `${use} ${address}`;
}

function textOf({ bytes, headers }: Fetched): string {
  return decodedText(bytes, headers['content-type'] ?? '');
}

/** The permitted characters of a media type, which comes from an untrusted host. */
const MEDIA_TYPE = /^[\w.+-]{1,60}\/[\w.+-]{1,60}(?:;charset=utf-8)?/;

function dataAddress(contentType: string | undefined, bytes: Uint8Array): string {
  const type = MEDIA_TYPE.exec(contentType ?? '')?.[0] ?? 'application/octet-stream';
  const base64 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  return `data:${type};base64,${base64}`;
}
