import type { Orientation, Resolution } from './picture.ts';

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
const SHORT = 3;
const RATIONAL = 5;
const PER_CENTIMETRE = 3;
/** Of a directory; a real one has a few dozen. */
const MAX_ENTRIES = 1000;
/** Of a file; more than anybody prints. */
const MAX_DIRECTORIES = 10_000;

/**
 * Reads the tags of every page of a TIFF file, or of EXIF data, which is built alike.
 *
 * @returns none for what cannot be read: nothing in it is needed to show the pixels. BigTIFF is not read.
 */
export function imageTags(bytes: Uint8Array): ImageTags[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 8) return [];
  const order = view.getUint16(0);
  const littleEndian = order === 0x4949;
  if ((order !== 0x4949 && order !== 0x4d4d) || view.getUint16(2, littleEndian) !== 42) return [];
  const tags: ImageTags[] = [];
  const seen = new Set<number>();
  let offset = view.getUint32(4, littleEndian);
  while (offset !== 0 && !seen.has(offset) && seen.size < MAX_DIRECTORIES) {
    seen.add(offset);
    const directory = readDirectory(view, offset, littleEndian);
    if (directory === null) break;
    tags.push(directory.tags);
    offset = directory.next;
  }
  return tags;
}

function readDirectory(
  view: DataView,
  offset: number,
  littleEndian: boolean,
): { tags: ImageTags; next: number } | null {
  const size = view.byteLength;
  if (offset + 2 > size) return null;
  const count = view.getUint16(offset, littleEndian);
  const end = offset + 2 + 12 * count;
  if (count > MAX_ENTRIES || end > size) return null;
  const values = new Map<number, number>();
  for (let at = offset + 2; at < end; at += 12) {
    const value = readValue(view, at, littleEndian);
    if (value !== null) values.set(view.getUint16(at, littleEndian), value);
  }
  const orientation = values.get(TAG.orientation) ?? 1;
  return {
    tags: {
      orientation: isOrientation(orientation) ? orientation : 1,
      resolution: resolutionOf(values),
      subfileType: values.get(TAG.subfileType) ?? 0,
      bitsPerSample: values.get(TAG.bitsPerSample) ?? 1,
    },
    next: end + 4 <= size ? view.getUint32(end, littleEndian) : 0,
  };
}

/** The first value of an entry; null for types that no tag looked at here has. */
function readValue(view: DataView, at: number, littleEndian: boolean): number | null {
  const type = view.getUint16(at + 2, littleEndian);
  const count = view.getUint32(at + 4, littleEndian);
  if (type === SHORT && count <= 2) return view.getUint16(at + 8, littleEndian);
  const reference = view.getUint32(at + 8, littleEndian);
  if (type === SHORT)
    return reference + 2 <= view.byteLength ? view.getUint16(reference, littleEndian) : null;
  if (type !== RATIONAL) return reference;
  if (reference + 8 > view.byteLength) return null;
  return view.getUint32(reference, littleEndian) / view.getUint32(reference + 4, littleEndian);
}

function resolutionOf(values: ReadonlyMap<number, number>): Resolution | null {
  const unit = values.get(TAG.resolutionUnit) ?? 2;
  // 1 is "no absolute unit": the numbers say what the shape of a pixel is, not its size.
  if (unit !== 2 && unit !== PER_CENTIMETRE) return null;
  const factor = unit === PER_CENTIMETRE ? 2.54 : 1;
  const x = values.get(TAG.xResolution) ?? values.get(TAG.yResolution);
  const y = values.get(TAG.yResolution) ?? x;
  return x === undefined || y === undefined ? null : plausible({ x: x * factor, y: y * factor });
}

/** Null for a resolution nobody can have meant: a page would be a speck, or kilometres wide. */
export function plausible({ x, y }: Resolution): Resolution | null {
  const isPlausible = (value: number): boolean => Number.isFinite(value) && value >= 1 && value <= 100_000;
  return isPlausible(x) && isPlausible(y) ? { x, y } : null;
}

function isOrientation(value: number): value is Orientation {
  return Number.isInteger(value) && value >= 1 && value <= 8;
}
