import { allTiffDirectories, type Directory, firstNumber } from './tiff-directory.ts';

/** Tags of a DNG beside the sensor's data (DNG 1.7.1). */

const TAG = {
  subfileType: 0xfe,
  width: 0x100,
  compression: 0x103,
  photometric: 0x106,
  stripOffsets: 0x111,
  stripByteCounts: 0x117,
};
/** Lossy JPEG, and JPEG XL: the decoder returns a black picture for the first and fails on the second. */
const UNDECODABLE: readonly number[] = [34892, 52546];
const JPEG: readonly number[] = [6, 7];
const RGB_OR_YCBCR: readonly number[] = [2, 6];

/**
 * Returns the largest finished photograph in a DNG whose raw data cannot be decoded.
 *
 * @returns a JPEG; null when the raw data can be decoded, or there is no such photograph
 */
export function rawPreview(file: Buffer): Buffer | null {
  const directories = allTiffDirectories(file);
  const first = (directory: Directory, tag: number): number => firstNumber(directory, tag) ?? 0;
  if (!directories.some((directory) => UNDECODABLE.includes(first(directory, TAG.compression)))) return null;
  const previews = directories
    .filter(
      (directory) =>
        JPEG.includes(first(directory, TAG.compression)) &&
        RGB_OR_YCBCR.includes(first(directory, TAG.photometric)) &&
        // One strip is one JPEG file.
        directory.get(TAG.stripOffsets)?.length === 1,
    )
    .sort((a, b) => first(b, TAG.width) - first(a, TAG.width));
  const [best] = previews;
  if (best === undefined) return null;
  const start = first(best, TAG.stripOffsets);
  const preview = file.subarray(start, start + first(best, TAG.stripByteCounts));
  return preview.length > 2 && preview.readUInt16BE(0) === 0xffd8 ? preview : null;
}
