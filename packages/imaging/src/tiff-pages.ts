import type { RasterSource } from './convert.ts';
import { decodedByMagick, shortSamples, withoutZstd } from './engine-calls.ts';
import { invalidImage, unsupportedImage } from './limits.ts';
import type { Work } from './sharp.ts';
import { tiffSources } from './source.ts';
import { type Directory, firstNumber, tiffDirectories } from './tiff-directory.ts';
import { hasWideSamples } from './tiff-samples.ts';
import { hasZstd } from './tiff-zstd.ts';

/** Chooses the decoder of each page of a TIFF file. */

const TAG = { bits: 0x102, compression: 0x103, photometric: 0x106, samples: 0x115 };
const INKS = 5;
const YCBCR = 6;
const LAB = 8;
/** Lab with the encoding of ICC profiles, which no decoder converts. */
const ICC_LAB = 9;
/** JPEG, whose decoder converts YCbCr by itself. */
const JPEG: ReadonlySet<number> = new Set([6, 7]);
/** Bits of a sample that sharp reads; of colours only those of whole bytes. */
const BITS: ReadonlySet<number> = new Set([1, 2, 4, 8, 16]);
/** Channels of the colour spaces that may have more: gray, RGB, palettes, inks, YCbCr, Lab. */
const COLOURS: Readonly<Record<number, number>> = { 0: 1, 1: 1, 2: 3, 3: 1, [INKS]: 4, [YCBCR]: 3, [LAB]: 3 };

/**
 * Returns the pages of a TIFF file. Pages that sharp would read wrongly or not at all are decoded by others,
 * one at a time and only when they are needed.
 */
export async function tiffPages(file: Buffer, what: string, work: Work): Promise<RasterSource[]> {
  const bytes = hasZstd(file) ? await withoutZstd({ bytes: file, what }, work) : file;
  const directories = tiffDirectories(bytes);
  const sources = await tiffSources(bytes, what, work);
  return sources.map((source) => {
    const page = 'page' in source.layout ? source.layout.page : 0;
    const directory = directories[page];
    if (directory === undefined) return source;
    if (firstNumber(directory, TAG.photometric) === ICC_LAB)
      unsupportedImage(what, 'is in the colour space ICCLab');
    if (hasWideSamples(directory)) {
      return {
        ...source,
        decoded: async () => await redone(await shortSamples({ bytes, page, what }, work)),
      };
    }
    if (!needsMagick(directory)) return source;
    return { ...source, decoded: async () => await redone(await decodedByMagick(bytes, 'tiff', work, page)) };

    /** Size and orientation stay those that the file states. */
    async function redone(tiff: Uint8Array): Promise<RasterSource> {
      const [first] = await tiffSources(tiff, what, work);
      if (first === undefined) return invalidImage(`${what} has no pages.`);
      return { ...first, orientation: source.orientation, resolution: source.resolution };
    }
  });
}

/**
 * Returns whether a page has channels that sharp confuses, which takes the last one as the alpha channel and no
 * alpha channel beside four inks, or samples that it does not read or takes for others: Lab of 8 bits, YCbCr without
 * JPEG, and numbers of bits that are no part of a byte or two.
 */
function needsMagick(page: Directory): boolean {
  const photometric = firstNumber(page, TAG.photometric) ?? 1;
  const colours = COLOURS[photometric];
  if (colours === undefined) return false;
  const more = (firstNumber(page, TAG.samples) ?? 1) - colours;
  const bits = firstNumber(page, TAG.bits) ?? 1;
  const isOdd = !BITS.has(bits) || (colours > 1 && bits < 8);
  const isConverted = photometric === YCBCR && !JPEG.has(firstNumber(page, TAG.compression) ?? 1);
  return (
    more > 1 ||
    (photometric === INKS && more > 0) ||
    (photometric === LAB && bits === 8) ||
    isOdd ||
    isConverted
  );
}
