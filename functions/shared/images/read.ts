import type { ImageMode } from '../contract/options.ts';
import { PlatenError } from '../errors.ts';
import { detectImageFormat, IMAGE_FORMATS, type ImageFormat, isPostScript } from '../formats/image.ts';
import { pagesOfRange } from '../pdf/page-range.ts';
import { withCore } from '../thread.ts';
import { type Conversion, convertRaster, type RasterSource } from './convert.ts';
import { decodedByMagick, drawingPixels, type ImageEngines, svgDrawing } from './engine-calls.ts';
import { postScriptToPdf } from './ghostscript.ts';
import { previewInstead } from './dng.ts';
import { imageTags } from './exif.ts';
import { jpegFacts, jpegPicture } from './jpeg.ts';
import { invalidImage } from './limits.ts';
import { colourTarget, satisfies } from './modes.ts';
import { OPAQUE, type Picture, type RasterPicture, type VectorPicture } from './picture.ts';
import { pngFacts, pngPicture } from './png.ts';
import type { Work } from './sharp.ts';
import {
  animationSource,
  drawnSource,
  isIconCutOff,
  jpegSource,
  nameOf,
  pngSource,
  tiffSources,
} from './source.ts';
import { isCutOff } from './tiff-directory.ts';

/** Any of the 19 formats as pictures that a PDF can hold (decisions 23 to 25). */

export interface ReadOptions {
  /** The colours it is to have; null: as it is. */
  mode: ImageMode | null;
  /** Whether transparent parts stay transparent. */
  transparency: boolean;
  /** What shows through where they do not. */
  background: readonly [number, number, number];
  /** Compress as far as possible instead of quickly. */
  isSmall: boolean;
  /** Pages to take, such as `1-3,5`; null for all. */
  pages: string | null;
}

/** An image as it came, with what else is known of it. */
export interface ImageInput {
  bytes: Buffer;
  /** File names, endings or declared formats, the best first; they only choose where the content leaves a choice. */
  hints: readonly (string | null)[];
}

/**
 * Reads an image: a picture for each page of a TIFF, one for any other file. Data that a PDF can hold as it is, and
 * that the options do not ask to change, is not touched.
 *
 * @throws PlatenError `image_format_unsupported`, `image_invalid`, `image_too_large`, `engine_missing`,
 *   `page_range_invalid`, `page_range_outside_document`, `deadline_exceeded`, `storage_unavailable`
 */
export async function readPictures(
  { bytes, hints }: ImageInput,
  options: ReadOptions,
  engines: ImageEngines,
  work: Work,
): Promise<Picture[]> {
  const format = formatOf(bytes, hints);
  const untouched = untouchedPicture(bytes, format, options);
  if (untouched !== null) return selected([untouched], options.pages);
  return await withCore(work.signal, () => new Reader(bytes, format, options, engines, work).read());
}

/** @throws PlatenError `image_format_unsupported` */
export function formatOf(bytes: Uint8Array, hints: readonly (string | null)[]): ImageFormat {
  const format = detectImageFormat(bytes, hints);
  if (format !== null) return format;
  throw new PlatenError(
    'image_format_unsupported',
    `The file is none of the images that can be read: ${IMAGE_FORMATS.join(', ')}.`,
  );
}

/** A JPEG or PNG that can go into the PDF as it is; null for everything else. */
function untouchedPicture(bytes: Buffer, format: ImageFormat, options: ReadOptions): RasterPicture | null {
  const target = colourTarget(options.mode, options.transparency);
  const picture =
    format === 'jpeg'
      ? jpegPicture(bytes, jpegFacts(bytes))
      : format === 'png'
        ? pngPicture(pngFacts(bytes))
        : null;
  if (picture === null || !satisfies(picture, target)) return null;
  return target.alpha === 'always' && picture.colourKey === null ? { ...picture, alpha: OPAQUE } : picture;
}

/** @throws PlatenError `page_range_invalid`, `page_range_outside_document` */
function selected<T>(pages: readonly T[], range: string | null): T[] {
  if (range === null) return [...pages];
  return pagesOfRange(range, pages.length).flatMap((number) => pages[number - 1] ?? []);
}

/** Pixels per inch of a drawing that has to become pixels, for the colours of a mode. */
const DRAWING_RESOLUTION = 300;
const DRAWING_PIXELS = 40_000_000;

class Reader {
  private readonly bytes: Buffer;
  private readonly format: ImageFormat;
  private readonly options: ReadOptions;
  private readonly engines: ImageEngines;
  private readonly work: Work;

  constructor(bytes: Buffer, format: ImageFormat, options: ReadOptions, engines: ImageEngines, work: Work) {
    this.bytes = bytes;
    this.format = format;
    this.options = options;
    this.engines = engines;
    this.work = work;
  }

  async read(): Promise<Picture[]> {
    const { bytes, format, work } = this;
    switch (format) {
      case 'jpeg':
        return await this.converted([jpegSource(bytes, jpegFacts(bytes))]);
      case 'png':
        return await this.converted([pngSource(bytes, pngFacts(bytes))]);
      case 'gif':
      case 'webp':
        return await this.converted([await animationSource(bytes, format, work)]);
      case 'tiff':
        return await this.converted(await tiffSources(bytes, nameOf(format), work));
      case 'svg':
      case 'eps':
      case 'ai':
        return await this.drawn(await this.drawing(format));
      case 'bmp':
      case 'ico':
      case 'psd':
      case 'heic':
      case 'cr2':
      case 'nef':
      case 'sr2':
      case 'orf':
      case 'rw2':
      case 'dng':
      case 'arw': {
        // The raw decoder fills up with black what is missing; of an icon's pictures it leaves some out.
        if (format === 'ico' ? isIconCutOff(bytes) : isCutOff(bytes)) {
          invalidImage(`${nameOf(format)} is cut off: the end of its data is missing.`);
        }
        const preview = format === 'dng' ? previewInstead(bytes) : null;
        if (preview !== null) return await this.preview(preview);
        const tiff = await decodedByMagick(bytes, format, work);
        return await this.converted(await tiffSources(tiff, nameOf(format), work));
      }
    }
  }

  /** A photograph inside of a raw; how it lies is said by the raw. */
  private async preview(jpeg: Buffer): Promise<RasterPicture[]> {
    const orientation = imageTags(this.bytes)[0]?.orientation ?? 1;
    const untouched = untouchedPicture(jpeg, 'jpeg', this.options);
    if (untouched !== null) return selected([{ ...untouched, orientation }], this.options.pages);
    return await this.converted([{ ...jpegSource(jpeg, jpegFacts(jpeg)), orientation }]);
  }

  private get conversion(): Conversion {
    const { mode, transparency, background, isSmall } = this.options;
    return { target: colourTarget(mode, transparency), background, isSmall };
  }

  /** One after the other: each may take a good part of the memory. */
  private async converted(sources: readonly RasterSource[]): Promise<RasterPicture[]> {
    const pictures: RasterPicture[] = [];
    for (const source of selected(sources, this.options.pages)) {
      pictures.push(await convertRaster(source, this.conversion, this.work));
    }
    return pictures;
  }

  private async drawing(format: 'svg' | 'eps' | 'ai'): Promise<VectorPicture> {
    const { bytes, engines, work } = this;
    const what = nameOf(format);
    if (format === 'svg')
      return { kind: 'vector', pdf: await svgDrawing(bytes, engines, work), onlyFirst: true };
    // Since version 9 an Illustrator file is a PDF; before that it was PostScript.
    if (format === 'ai' && !isPostScript(bytes)) return { kind: 'vector', pdf: bytes, onlyFirst: false };
    const pdf = await postScriptToPdf(engines.ghostscript, bytes, what, work);
    return { kind: 'vector', pdf, onlyFirst: true };
  }

  /** The drawing, as lines and shapes unless its colours have to change. */
  private async drawn(picture: VectorPicture): Promise<Picture[]> {
    const { target } = this.conversion;
    // The colours of an SVG are sRGB and nothing else.
    const isRgbAlready = this.format === 'svg' && target.space === 'rgb' && target.levels === null;
    if (target.space === 'kept' || isRgbAlready) return [picture];
    const pages = await drawingPixels(picture, DRAWING_RESOLUTION, DRAWING_PIXELS, this.work);
    return await this.converted(pages.map((page) => drawnSource(page, nameOf(this.format))));
  }
}
