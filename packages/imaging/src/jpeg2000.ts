import { type Box, boxesOf, innerBoxes } from '@platen/core/boxes';
import { plausibleResolution } from './exif.ts';
import type { Resolution } from './picture.ts';

/** Reads what the decoder of JPEG 2000 does not tell (ISO 15444-1, annexes A and I). */

const INCHES_PER_METRE = 1 / 0.0254;
/** `EOC`, the marker that ends the data (A.4.4). */
const END = 0xffd9;

/** Returns whether the end of the data is missing, which the decoder would replace. */
export function isJpeg2000Truncated(file: Buffer): boolean {
  if (file.readUInt16BE(0) === 0xff4f) return file.readUInt16BE(file.length - 2) !== END;
  const data = boxesOf(file).find(({ type }) => type === 'jp2c')?.data;
  return data === undefined || data.byteLength < 2 || data.getUint16(data.byteLength - 2) !== END;
}

/** Returns the resolution of display, else of capture (I.5.3.7); null if the file states none. */
export function jpeg2000Resolution(file: Buffer): Resolution | null {
  const inner = (boxes: readonly Box[], wanted: string): Box[] => {
    const box = boxes.find(({ type }) => type === wanted);
    return box === undefined ? [] : innerBoxes(box);
  };
  const stated = inner(inner(boxesOf(file), 'jp2h'), 'res ');
  const { data } = stated.find(({ type }) => type === 'resd') ?? stated[0] ?? {};
  if (data === undefined || data.byteLength < 10) return null;
  const perInch = (numerator: number, exponent: number): number =>
    ((data.getUint16(numerator) / data.getUint16(numerator + 2)) * 10 ** data.getInt8(exponent)) /
    INCHES_PER_METRE;
  return plausibleResolution({ x: perInch(4, 9), y: perInch(0, 8) });
}
