import { createHash } from 'node:crypto';
import { readDataAddress } from '@platen/core/text';
import type { FurnitureText, FurnitureTexts } from '@platen/print/page';
import { joined, type Pieces, type HtmlResource } from '@platen/print';
import { DrawingFonts, type TenantFont } from '../../shared/tenant-fonts.ts';
import type { Printing } from '../printing.ts';

/**
 * Drawings in `data:` addresses that name fonts of a tenant (I-40). A browser lets an image load nothing, so
 * the fonts are embedded in the drawings, which become resources of the document.
 */

/** Texts of a document: the html itself, style sheets, headers and footers. */
export interface DrawingTexts {
  html: string;
  styles: readonly string[];
  header: FurnitureTexts;
  footer: FurnitureTexts;
}

/** The same texts with other addresses, and the resources under these addresses. */
export interface DrawnTexts extends DrawingTexts {
  resources: ReadonlyMap<string, HtmlResource>;
}

/** Most bytes of all drawings with fonts of one document. */
const MAX_BYTES = 64 * 1024 * 1024;

type Using = Pick<Printing, 'preparer' | 'resourceUrl' | 'warn' | 'signal'>;

/**
 * Embeds the named fonts in the drawings. A document without such drawings is not parsed.
 *
 * @throws PlatenError as `Preparer.drawings`
 */
export async function withDrawingFonts(
  texts: DrawingTexts,
  fonts: readonly TenantFont[],
  using: Using,
): Promise<DrawnTexts> {
  const drawings = new Drawings(fonts, using);
  const html = await drawings.drawn('html', texts.html);
  const styles: string[] = [];
  for (const style of texts.styles) styles.push(await drawings.drawn('css', style));
  const header = await drawings.furniture(texts.header);
  const footer = await drawings.furniture(texts.footer);
  return { html, styles, header, footer, resources: drawings.resources };
}

class Drawings {
  readonly resources = new Map<string, HtmlResource>();
  readonly #fonts: readonly TenantFont[];
  readonly #using: Using;
  readonly #drawingFonts: DrawingFonts;
  #left = MAX_BYTES;

  constructor(fonts: readonly TenantFont[], using: Using) {
    this.#fonts = fonts.map(readOnce);
    this.#using = using;
    this.#drawingFonts = new DrawingFonts(() => Promise.resolve(this.#fonts), using.warn);
  }

  async furniture(texts: FurnitureTexts): Promise<FurnitureTexts> {
    if (texts === null) return null;
    const drawn: FurnitureText[] = [];
    for (const { pages, text } of texts) drawn.push({ pages, text: await this.drawn('html', text) });
    return drawn;
  }

  /** Returns a text in which drawings have the addresses of resources. */
  async drawn(kind: 'html' | 'css', text: string): Promise<string> {
    if (this.#fonts.length === 0 || !/data:\s*image\/svg\+xml/i.test(text)) return text;
    const { preparer, signal } = this.#using;
    const pieces: Pieces = await preparer.drawings(kind, text, signal);
    const addresses = new Map<string, string | null>();
    for (const piece of pieces) {
      if (typeof piece === 'string' || addresses.has(piece.address)) continue;
      addresses.set(piece.address, await this.#address(piece.address));
    }
    return joined(pieces, ({ address }) => addresses.get(address) ?? null);
  }

  /** Returns the address of a drawing with its fonts; null if it stays as it is. */
  async #address(address: string): Promise<string | null> {
    const drawing = readDataAddress(address);
    if (drawing === null) return null;
    const { resourceUrl, warn } = this.#using;
    const path = `drawings/${createHash('sha256').update(address).digest('hex')}`;
    if (this.resources.has(path)) return resourceUrl(path);
    const bytes = await this.#drawingFonts.within(drawing.bytes);
    if (bytes === drawing.bytes) return null;
    if (bytes.length > this.#left) {
      warn('The drawings with fonts of a document may have 64 MB together: one drawing has no fonts.');
      return null;
    }
    this.#left -= bytes.length;
    this.resources.set(path, { contentType: drawing.contentType, bytes });
    return resourceUrl(path);
  }
}

/** Returns a font whose bytes are read once, for the first drawing that names it. */
function readOnce(font: TenantFont): TenantFont {
  let bytes: Promise<Uint8Array> | undefined;
  return { ...font, bytes: () => (bytes ??= font.bytes()) };
}
