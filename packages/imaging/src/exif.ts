import type { Orientation, Resolution } from './picture.ts';
import { type Directory, tiffDirectories } from './tiff-directory.ts';

/** How an image lies and how large it is, as TIFF files say it, and EXIF in other files (TIFF 6.0; EXIF 2.32). */

export interface ImageTags {
  orientation: Orientation;
  resolution: Resolution | null;
  /** Bits of `NewSubfileType`: 1 is a smaller copy of another page, 4 a transparency mask. */
  subfileType: number;
  /** Bits of the first sample; 1 where nothing is said (TIFF 6.0, "BitsPerSample"). */
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
 * Reads the tags of every page of a TIFF file, or of EXIF data, which is built alike.
 *
 * @returns none for what cannot be read: nothing in it is needed to show the pixels
 */
export function imageTags(bytes: Uint8Array): ImageTags[] {
  return tiffDirectories(bytes).map((directory) => {
    const orientation = directory.get(TAG.orientation)?.[0] ?? 1;
    return {
      orientation: isOrientation(orientation) ? orientation : 1,
      resolution: resolutionOf(directory),
      subfileType: directory.get(TAG.subfileType)?.[0] ?? 0,
      bitsPerSample: directory.get(TAG.bitsPerSample)?.[0] ?? 1,
    };
  });
}

function resolutionOf(directory: Directory): Resolution | null {
  const unit = directory.get(TAG.resolutionUnit)?.[0] ?? PER_INCH;
  // 1 is "no absolute unit": the numbers say what the shape of a pixel is, not its size.
  if (unit !== PER_INCH && unit !== PER_CENTIMETRE) return null;
  const factor = unit === PER_CENTIMETRE ? 2.54 : 1;
  const x = directory.get(TAG.xResolution)?.[0] ?? directory.get(TAG.yResolution)?.[0];
  const y = directory.get(TAG.yResolution)?.[0] ?? x;
  return x === undefined || y === undefined ? null : plausible({ x: x * factor, y: y * factor });
}

/** One pixel in a millimetre: what a widespread library (libvips) writes when it knows no resolution. */
const UNKNOWN = 25.4;

/** Null for a resolution nobody can have meant: a page would be a speck, or kilometres wide. */
export function plausible({ x, y }: Resolution): Resolution | null {
  const isPlausible = (value: number): boolean =>
    Number.isFinite(value) && value >= 1 && value <= 100_000 && Math.abs(value - UNKNOWN) > 0.01;
  return isPlausible(x) && isPlausible(y) ? { x, y } : null;
}

function isOrientation(value: number): value is Orientation {
  return Number.isInteger(value) && value >= 1 && value <= 8;
}
