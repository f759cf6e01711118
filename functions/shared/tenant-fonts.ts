import { createHash } from 'node:crypto';
import type { ImageEngines, OwnFont, SvgBrowser } from '@platen/imaging/engine-calls';
import {
  namesFamily,
  svgWithFonts,
  type FontFace,
  type FontFormat,
  isDesktopFont,
  textOf,
} from '@platen/print/fonts';
import { fontDetailsOf } from './store/tenant-files/fonts.ts';
import type { TenantFiles } from './store/tenant-files.ts';

/** The fonts of tenants (I-40), as documents and drawings use them. */

/** A font file of a tenant. */
export interface TenantFont {
  faces: readonly FontFace[];
  format: FontFormat;
  contentType: string;
  /** The path under which a document finds it. */
  path: string;
  /** Returns the bytes; called only when they are needed. */
  bytes: () => Promise<Uint8Array>;
}

/** Called with a sentence about a feature of the document that is not supported. */
type Warn = (text: string) => void;

/** Returns the fonts that a tenant has now; their bytes are read when a document names their families. */
export async function currentFonts(tenant: string, files: TenantFiles): Promise<TenantFont[]> {
  return (await files.current(tenant)).map((file) => ({
    ...fontDetailsOf(file),
    contentType: file.contentType,
    path: `fonts/${file.mark}`,
    bytes: async () => await files.read(tenant, file),
  }));
}

/** Most bytes of all fonts of one document. */
export const MAX_FONT_BYTES = 64 * 1024 * 1024;

/**
 * Reads fonts, one after the other.
 *
 * @param warn called for fonts that are left out because the document names too many
 */
export async function readFonts(
  fonts: readonly TenantFont[],
  warn: Warn,
): Promise<{ font: TenantFont; bytes: Uint8Array }[]> {
  const read: { font: TenantFont; bytes: Uint8Array }[] = [];
  let left = MAX_FONT_BYTES;
  for (const font of fonts) {
    const bytes = left > 0 ? await font.bytes() : null;
    left -= bytes?.length ?? 0;
    if (bytes !== null && left >= 0) read.push({ font, bytes });
    else
      warn(
        `The fonts of a document are limited to 64 MB in total: ${font.faces[0]?.family ?? 'one'} is not used.`,
      );
  }
  return read;
}

/** The fonts of a tenant in the drawings of one request: each drawing gets only the families that it names. */
export class DrawingFonts {
  readonly #fonts: () => Promise<readonly TenantFont[]>;
  readonly #warn: Warn;
  readonly #browser: SvgBrowser | undefined;

  /**
   * @param warn called once for each message
   * @param browser draws what the engine of SVG cannot
   */
  constructor(fonts: () => Promise<readonly TenantFont[]>, warn: Warn, browser?: SvgBrowser) {
    this.#fonts = fonts;
    this.#warn = warn;
    this.#browser = browser;
  }

  /** Called with a sentence about a drawing. */
  warn(text: string): void {
    this.#warn(text);
  }

  /** Returns an SVG with its fonts embedded, for a browser, where an image can load nothing. */
  async within(svg: Buffer): Promise<Buffer> {
    const read = await readFonts(await this.#named(svg), this.#warn);
    const fonts = read.map(({ font: { faces, contentType }, bytes }) => ({ faces, contentType, bytes }));
    return svgWithFonts(svg, fonts);
  }

  /** Returns engines with the fonts that an SVG names and the browser, and a key that identifies these fonts. */
  async engines(svg: Buffer, engines: ImageEngines): Promise<{ engines: ImageEngines; key: string }> {
    const named = await this.#named(svg);
    for (const { faces } of named.filter((font) => !isDesktopFont(font)))
      this.#warn(`Drawings support TrueType and OpenType fonts, and ${faces[0]?.family ?? 'one'} is WOFF.`);
    const read = await readFonts(named.filter(isDesktopFont), this.#warn);
    const drawing = { ...engines, browser: this.#browser };
    if (read.length === 0) return { engines: drawing, key: '' };
    const ownFonts = read.map(({ font, bytes }): OwnFont => ({
      families: font.faces.map(({ family }) => family),
      bytes,
    }));
    const hash = createHash('sha256');
    for (const { bytes } of ownFonts) hash.update(bytes);
    return { engines: { ...drawing, ownFonts }, key: hash.digest('hex') };
  }

  async #named(svg: Buffer): Promise<TenantFont[]> {
    const fonts = await this.#fonts();
    if (fonts.length === 0) return [];
    const texts = [textOf(svg).toLowerCase()];
    return fonts.filter(({ faces }) => namesFamily(texts, faces));
  }
}
