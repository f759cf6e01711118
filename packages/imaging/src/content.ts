import { type ImageFormat, isPostScript } from './image-type.ts';
import type { RasterSource } from './convert.ts';
import { rawPreview } from './dng.ts';
import { decodedByMagick, drawnPostScript, type ImageEngines, svgDrawing } from './engine-calls.ts';
import { imageTags } from './exif.ts';
import { isJpeg2000Truncated, jpeg2000Resolution, refuseUnknownJpeg2000 } from './jpeg2000.ts';
import { invalidImage } from './limits.ts';
import type { VectorPicture } from './picture.ts';
import type { Work } from './sharp.ts';
import { isIconTruncated, jpegSource, nameOf, pictureSource, pngSource, tiffSources } from './source.ts';
import { isTruncated } from './tiff-directory.ts';
import { tiffPages } from './tiff-pages.ts';

/** The content of an image file: pixels, or a drawing. */
export type ImageContent =
  { kind: 'pictures'; sources: readonly RasterSource[] } | { kind: 'drawing'; drawing: VectorPicture };

/**
 * Decodes an image with the engine that its format needs.
 *
 * @throws PlatenError `image_invalid`, `image_too_large`, `engine_missing`, `deadline_exceeded`,
 *   `storage_unavailable`
 */
export async function imageContent(
  bytes: Buffer,
  format: ImageFormat,
  engines: ImageEngines,
  work: Work,
): Promise<ImageContent> {
  switch (format) {
    case 'jpeg':
      return pictures(jpegSource(bytes));
    case 'png':
      return pictures(pngSource(bytes));
    case 'gif':
    case 'webp':
    case 'avif':
      return pictures(await pictureSource(bytes, format, work));
    case 'tiff':
      return pictures(...(await tiffPages(bytes, nameOf(format), work)));
    case 'svg':
      return drawing(await svgDrawing(bytes, engines, work), true);
    case 'eps':
      return drawing(await drawnPostScript(bytes, nameOf(format), engines, work), true);
    case 'ai':
      // Since version 9 an Illustrator file is a PDF; before that it was PostScript.
      if (!isPostScript(bytes)) return drawing(bytes, false);
      return drawing(await drawnPostScript(bytes, nameOf(format), engines, work), true);
    case 'bmp':
    case 'ico':
    case 'psd':
    case 'heic':
    case 'jp2':
    case 'cr2':
    case 'nef':
    case 'sr2':
    case 'orf':
    case 'rw2':
    case 'dng':
    case 'arw': {
      if (isCutOff(bytes, format))
        invalidImage(`${nameOf(format)} is cut off: the end of its data is missing.`);
      if (format === 'jp2') refuseUnknownJpeg2000(bytes);
      const preview = format === 'dng' ? rawPreview(bytes) : null;
      if (preview !== null) return pictures(previewSource(preview, bytes));
      const tiff = await decodedByMagick(bytes, format, work);
      const sources = await tiffSources(tiff, nameOf(format), work);
      if (format !== 'jp2') return pictures(...sources);
      const resolution = jpeg2000Resolution(bytes);
      return pictures(...sources.map((source) => ({ ...source, resolution })));
    }
  }
}

/** Decoders fill missing data of raws with black and of JPEG 2000 with gray, and omit missing pictures of icons. */
function isCutOff(bytes: Buffer, format: ImageFormat): boolean {
  if (format === 'ico') return isIconTruncated(bytes);
  return format === 'jp2' ? isJpeg2000Truncated(bytes) : isTruncated(bytes);
}

function pictures(...sources: readonly RasterSource[]): ImageContent {
  return { kind: 'pictures', sources };
}

function drawing(pdf: Uint8Array, onlyFirst: boolean): ImageContent {
  return { kind: 'drawing', drawing: { kind: 'vector', pdf, onlyFirst } };
}

/** Returns the photograph embedded in a raw file, with the orientation that the raw file states. */
function previewSource(jpeg: Buffer, raw: Buffer): RasterSource {
  const source = jpegSource(jpeg);
  const orientation = imageTags(raw)[0]?.orientation ?? 1;
  return { ...source, orientation, untouched: source.untouched && { ...source.untouched, orientation } };
}
