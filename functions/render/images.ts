import { isWebFormat } from '@platen/print';
import { createHash } from 'node:crypto';
import type { TemplateFormat } from '@platen/contract/options';
import { type ImageFormat, imageMediaType } from '@platen/imaging/image-type';
import { hasUtf16Mark, utf16Order } from '@platen/core/text';
import {
  BROWSER_FORMATS,
  BUTTON_FORMATS,
  displayableFormat,
  displayableImage,
} from '@platen/imaging/displayable';
import { OFFICE_FORMATS } from '@platen/imaging/office-pictures';
import type { ImageEngines } from '@platen/imaging/engine-calls';
import type { ImageInput } from '@platen/imaging/read';
import { ByteCache } from '@platen/core/byte-cache';
import type { StoredImage } from '../shared/store/templates/rendering.ts';
import type { DrawingFonts } from '../shared/tenant-fonts.ts';
import type { TemplateImage } from './template.ts';

/**
 * Converts the images of a template to formats that the reader of its documents supports: of the
 * 21 types a browser shows eight.
 */

/** Most milliseconds for one image. */
const TIMEOUT = 60_000;

/** Formats that readers show, and whose EXIF orientation some of them ignore. */
const ORIENTED: ReadonlySet<ImageFormat> = new Set(['jpeg', 'png']);

/** Most images whose warnings are remembered. */
const MAX_NOTED = 10_000;

/** Converts images when necessary, once while the result stays in memory. */
export class TemplateImages {
  private readonly engines: ImageEngines;
  private readonly converted: ByteCache;
  private readonly notes = new Map<string, readonly string[]>();

  /** @param cacheBytes bytes of converted images that are kept in memory */
  constructor(engines: ImageEngines, cacheBytes: number) {
    this.engines = engines;
    this.converted = new ByteCache(cacheBytes);
  }

  /**
   * Returns the same images; those in unsupported formats become PNG or JPEG.
   *
   * @param fonts of the tenant, for text in drawings
   */
  displayable(
    images: ReadonlyMap<string, Omit<StoredImage, 'id'>>,
    format: TemplateFormat,
    fonts?: DrawingFonts,
  ): ReadonlyMap<string, TemplateImage> {
    const ofDocuments = format === 'pdf' ? BUTTON_FORMATS : OFFICE_FORMATS;
    const known = isWebFormat(format) ? BROWSER_FORMATS : ofDocuments;
    return new Map(Array.from(images, ([uri, image]) => [uri, this.known(image, known, fonts)]));
  }

  private known(
    image: Omit<StoredImage, 'id'>,
    known: ReadonlySet<ImageFormat>,
    fonts: DrawingFonts | undefined,
  ): TemplateImage {
    // A picture may have to be rotated, which is known only once it is loaded.
    if (known.has(image.format) && (known === BROWSER_FORMATS || !ORIENTED.has(image.format))) {
      if (image.format !== 'svg') return image;
      const drawing = async (): Promise<Buffer> => markedSvg(await image.bytes());
      return {
        ...image,
        bytes: async () => (fonts ? await fonts.within(await drawing()) : await drawing()),
      };
    }
    return {
      contentType: imageMediaType(displayableFormat(image.format)),
      bytes: async () => {
        const input = { bytes: await image.bytes(), hints: [image.format, image.filename] };
        return await this.shown(input, image.format, known, fonts);
      },
    };
  }

  /**
   * Renders a drawing (SVG) as a PNG.
   *
   * @throws PlatenError as `displayableImage`
   */
  async pixels(svg: Uint8Array, fonts: DrawingFonts): Promise<Buffer> {
    const bytes = Buffer.from(svg.buffer, svg.byteOffset, svg.byteLength);
    return await this.shown({ bytes, hints: ['svg'] }, 'svg', OFFICE_FORMATS, fonts);
  }

  /**
   * Returns a picture of the data as office programs show it.
   *
   * @throws PlatenError as `displayableImage`
   */
  async ofOffice(picture: Uint8Array): Promise<Buffer> {
    const bytes = Buffer.from(picture.buffer, picture.byteOffset, picture.byteLength);
    return await this.shown({ bytes, hints: [] }, 'jpeg', OFFICE_FORMATS, undefined);
  }

  /** @param known formats that the reader supports */
  private async shown(
    input: ImageInput,
    format: ImageFormat,
    known: ReadonlySet<ImageFormat>,
    fonts: DrawingFonts | undefined,
  ): Promise<Buffer> {
    const { engines, key: ofFonts } =
      fonts && format === 'svg'
        ? await fonts.engines(input.bytes, this.engines)
        : { engines: this.engines, key: '' };
    const hash = createHash('sha256').update(`${format}${ofFonts}`).update(input.bytes).digest('hex');
    const bytes = await this.converted.get(hash, async () => {
      const noted: string[] = [];
      // Requests share the work, so it does not end with one of them.
      const work = { deadline: Date.now() + TIMEOUT, warn: (text: string) => void noted.push(text) };
      const shown = await displayableImage(input, known, engines, work);
      this.note(hash, noted);
      return shown.bytes;
    });
    for (const text of this.notes.get(hash) ?? []) fonts?.warn(text);
    return bytes;
  }

  /** Remembers what the conversion of an image told, which holds for each request that shows it. */
  private note(hash: string, noted: readonly string[]): void {
    if (noted.length === 0) return;
    const [oldest] = this.notes.size < MAX_NOTED ? [] : this.notes.keys();
    if (oldest !== undefined) this.notes.delete(oldest);
    this.notes.set(hash, noted);
  }
}

/** Adds a byte order mark to a drawing in UTF-16 without one, which XML readers would take for UTF-8. */
function markedSvg(bytes: Buffer): Buffer {
  const order = hasUtf16Mark(bytes) ? null : utf16Order(bytes);
  if (order === null) return bytes;
  return Buffer.concat([Buffer.from(order === 'utf-16le' ? [0xff, 0xfe] : [0xfe, 0xff]), bytes]);
}
