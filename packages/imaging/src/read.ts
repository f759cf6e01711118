import type { ImageMode } from './mode-names.ts';
import { PlatenError } from '@platen/core/errors';
import { detectImageFormat, IMAGE_FORMATS, type ImageFormat } from './image-type.ts';
import { pagesOfRange } from '@platen/pdf/options';
import { withCore } from '@platen/core/thread';
import { imageContent } from './content.ts';
import { type Conversion, convertRaster, type RasterSource } from './convert.ts';
import { drawingPixels, type ImageEngines } from './engine-calls.ts';
import { type ColourTarget, colourTarget, satisfies } from './modes.ts';
import { OPAQUE, type Picture, type RasterPicture } from './picture.ts';
import type { Work } from './sharp.ts';
import { drawnSource, jpegSource, nameOf, pngSource } from './source.ts';

/** Reads any of the formats as pictures for a PDF (I-23 to I-25). */

export interface ReadOptions {
  /** The requested colours; null: unchanged. */
  mode: ImageMode | null;
  /** Whether transparent parts stay transparent. */
  transparency: boolean;
  /** Background colour when they do not. */
  background: readonly [number, number, number];
  /** Compress as far as possible instead of quickly. */
  isSmall: boolean;
  /** Page range such as `1-3,5`; null for all. */
  pages: string | null;
}

/** An image file, with further facts about it. */
export interface ImageInput {
  bytes: Buffer;
  /**
   * File names, extensions or declared formats, the best first; they only matter when the content is
   * ambiguous.
   */
  hints: readonly (string | null)[];
}

/**
 * Reads an image: one picture for each page of a TIFF, one for any other file. Data that a PDF can contain
 * unchanged, and that the options do not change, is not decoded.
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
  const { mode, transparency, background, isSmall, pages } = options;
  const target = colourTarget(mode, transparency);
  const conversion: Conversion = { target, background, isSmall };

  // This path needs neither an engine nor a free core.
  const quick = format === 'jpeg' ? jpegSource(bytes) : format === 'png' ? pngSource(bytes) : null;
  const untouched = quick && untouchedPicture(quick, target);
  if (untouched !== null) return selected([untouched], pages);

  return await withCore(work.signal, async () => {
    const content = await imageContent(bytes, format, engines, work);
    if (content.kind === 'pictures') {
      return await converted(selected(content.sources, pages), conversion, work);
    }
    // The colours of an SVG are always sRGB.
    const isRgbAlready = format === 'svg' && target.space === 'rgb' && target.levels === null;
    if (target.space === 'kept' || isRgbAlready) return [content.drawing];
    const drawn = await drawingPixels(content.drawing, DRAWING_RESOLUTION, DRAWING_PIXELS, work);
    const sources = drawn.map((page) => drawnSource(page, nameOf(format)));
    return await converted(selected(sources, pages), conversion, work);
  });
}

/** Pixels per inch of a drawing that has to be rendered as pixels, and the maximum number of its pixels. */
export const DRAWING_RESOLUTION = 300;
export const DRAWING_PIXELS = 40_000_000;

/** @throws PlatenError `image_format_unsupported` */
export function formatOf(bytes: Uint8Array, hints: readonly (string | null)[]): ImageFormat {
  const format = detectImageFormat(bytes, hints);
  if (format !== null) return format;
  throw new PlatenError(
    'image_format_unsupported',
    `The file is not an image in a supported format: ${IMAGE_FORMATS.join(', ')}.`,
  );
}

/** Returns the picture with unchanged data, if it satisfies the target. */
function untouchedPicture({ untouched }: RasterSource, target: ColourTarget): RasterPicture | null {
  if (untouched === null || !satisfies(untouched, target)) return null;
  return target.alpha === 'always' && untouched.colourKey === null
    ? { ...untouched, alpha: OPAQUE }
    : untouched;
}

/** Converts the pages one after the other, because each may take a large part of the memory. */
async function converted(
  sources: readonly RasterSource[],
  conversion: Conversion,
  work: Work,
): Promise<RasterPicture[]> {
  const pictures: RasterPicture[] = [];
  for (const source of sources) {
    const untouched = untouchedPicture(source, conversion.target);
    pictures.push(untouched ?? (await convertRaster(source, conversion, work)));
  }
  return pictures;
}

/** @throws PlatenError `page_range_invalid`, `page_range_outside_document` */
function selected<T>(pages: readonly T[], range: string | null): T[] {
  if (range === null) return [...pages];
  return pagesOfRange(range, pages.length).flatMap((number) => pages[number - 1] ?? []);
}
