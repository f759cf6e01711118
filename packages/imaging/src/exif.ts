import type { Orientation, Resolution } from './picture.ts';
import { type Directory, firstNumber, tiffDirectories } from './tiff-directory.ts';

/**
 * Orientation and size of an image, from the tags of TIFF files and from EXIF in other files (TIFF 6.0; EXIF
 * 2.32).
 */

export interface ImageTags {
  orientation: Orientation;
  resolution: Resolution | null;
  /** Bits of `NewSubfileType`: 1 is a smaller copy of another page, 4 a transparency mask. */
  subfileType: number;
  /** Bits of the first sample; 1 by default (TIFF 6.0, "BitsPerSample"). */
  bitsPerSample: number;
}

const TAG = {
  subfileType: 0xfe,
  bitsPerSample: 0x102,
  orientation: 0x112,
  xResolution: 0x11a,
  yResolution: 0x11b,
  resolutionUnit: 0x128,
};
const PER_INCH = 2;
const PER_CENTIMETRE = 3;

/**
 * Reads the tags of every page of a TIFF file, or of EXIF data, which has the same structure.
 *
 * @returns an empty list for unreadable data: showing the pixels does not require the tags
 */
export function imageTags(bytes: Uint8Array): ImageTags[] {
  return tiffDirectories(bytes).map((directory) => {
    const orientation = firstNumber(directory, TAG.orientation) ?? 1;
    return {
      orientation: isOrientation(orientation) ? orientation : 1,
      resolution: resolutionOf(directory),
      subfileType: firstNumber(directory, TAG.subfileType) ?? 0,
      bitsPerSample: firstNumber(directory, TAG.bitsPerSample) ?? 1,
    };
  });
}

function resolutionOf(directory: Directory): Resolution | null {
  const unit = firstNumber(directory, TAG.resolutionUnit) ?? PER_INCH;
  // 1 is "no absolute unit": the numbers define the shape of a pixel, not its size.
  if (unit !== PER_INCH && unit !== PER_CENTIMETRE) return null;
  const factor = unit === PER_CENTIMETRE ? 2.54 : 1;
  const x = firstNumber(directory, TAG.xResolution) ?? firstNumber(directory, TAG.yResolution);
  const y = firstNumber(directory, TAG.yResolution) ?? x;
  return x === undefined || y === undefined ? null : plausibleResolution({ x: x * factor, y: y * factor });
}

/**
 * One pixel per millimetre: a widespread library (libvips) writes this when it does not know the resolution.
 */
const UNKNOWN = 25.4;

/** Returns null for a resolution that cannot be meant: the page would be a speck, or kilometres wide. */
export function plausibleResolution({ x, y }: Resolution): Resolution | null {
  const isPlausible = (value: number): boolean =>
    Number.isFinite(value) && value >= 1 && value <= 100_000 && Math.abs(value - UNKNOWN) > 0.01;
  return isPlausible(x) && isPlausible(y) ? { x, y } : null;
}

function isOrientation(value: number): value is Orientation {
  return Number.isInteger(value) && value >= 1 && value <= 8;
}
