import { type Box, boxesOf, innerBoxes } from '@platen/core/boxes';
import { PlatenError } from '@platen/core/errors';
import { plausibleResolution } from './exif.ts';
import { invalidImage } from './limits.ts';
import type { Resolution } from './picture.ts';

/** Reads what the decoder of JPEG 2000 does not tell, or gets wrong (ISO 15444-1, annexes A and I). */

const INCHES_PER_METRE = 1 / 0.0254;
/** `EOC`, the marker that ends the data (A.4.4). */
const END = 0xffd9;

/** Returns whether the end of the data is missing, which the decoder would replace. */
export function isJpeg2000Truncated(file: Buffer): boolean {
  if (file.readUInt16BE(0) === 0xff4f) return file.readUInt16BE(file.length - 2) !== END;
  const data = boxesOf(file).find(({ type }) => type === 'jp2c')?.data;
  return data === undefined || data.byteLength < 2 || data.getUint16(data.byteLength - 2) !== END;
}

/**
 * Refuses the kinds of images of which the decoder returns a part or wrong colours.
 *
 * @throws PlatenError `image_format_unsupported`, `image_invalid`
 */
export function refuseUnknownJpeg2000(file: Buffer): void {
  const start = file.indexOf(CODESTREAM, 0, 'latin1');
  if (start < 0 || !hasSize(file, start)) invalidImage('The JP2 is damaged: its size is missing.');
  const reason = unknownGrid(file, start) ?? unknownColours(file, start);
  if (reason === null) return;
  throw new PlatenError(
    'image_format_unsupported',
    `The JPEG 2000 image has ${reason}, which is not supported: convert it to PNG, JPEG or TIFF.`,
  );
}

/** `SOC` and `SIZ`, the first markers of the data (A.2). */
const CODESTREAM = '\xff\x4f\xff\x51';
/** Enumerated colour spaces (table I.10 of ISO 15444-1, and ISO 15444-2): CMYK, sRGB, gray, sYCC. */
const [CMYK, SRGB, GRAY, SYCC] = [12, 16, 17, 18];
/** Colour channels of each space. */
const CHANNELS: Readonly<Record<number, number>> = { [CMYK]: 4, [SRGB]: 3, [GRAY]: 1, [SYCC]: 3 };

/** The samples have to begin at the origin, one for each pixel; only colours beside brightness may have fewer. */
function unknownGrid(file: Buffer, start: number): string | null {
  if (file.readUInt32BE(start + 16) !== 0 || file.readUInt32BE(start + 20) !== 0)
    return 'an offset of its image';
  const isFull = componentsOf(file, start).map(({ x, y }) => x === 1 && y === 1);
  if (isFull.every((full) => full)) return null;
  return isFull[0] === true && colourBoxes(file).some((box) => spaceOf(box) === SYCC)
    ? null
    : 'components of different resolutions';
}

function unknownColours(file: Buffer, start: number): string | null {
  const { length } = componentsOf(file, start);
  const spaces = colourBoxes(file);
  if (spaces.length === 0)
    return length === 1 || length === 3 ? null : `${length} components without a colour space`;
  const header = headerBoxes(file);
  if (header.some(({ type }) => type === 'pclr')) return null;
  // A profile is applied by whoever shows the picture.
  const channels = spaces.map((box) => CHANNELS[spaceOf(box) ?? -1] ?? profileChannels(box));
  const known = channels.find((count) => count !== null);
  if (known === undefined) return 'a colour space';
  const hasAlpha = header.some(({ type }) => type === 'cdef');
  return length === known || (length > known && hasAlpha)
    ? null
    : `${length} components in a space of ${known}`;
}

/** The steps between the samples of each component (A.5.1). */
function componentsOf(file: Buffer, start: number): { x: number; y: number }[] {
  const count = file.readUInt16BE(start + 40);
  return Array.from({ length: Math.min(count, MAX_COMPONENTS) }, (_, index) => ({
    x: file.readUInt8(start + 43 + 3 * index),
    y: file.readUInt8(start + 44 + 3 * index),
  }));
}

/** More than any image of colours has. */
const MAX_COMPONENTS = 64;
/** Returns whether the markers at the beginning are there with all components that are looked at. */
function hasSize(file: Buffer, start: number): boolean {
  const first = start + 42;
  if (first > file.length) return false;
  return first + 3 * Math.min(file.readUInt16BE(start + 40), MAX_COMPONENTS) <= file.length;
}

function headerBoxes(file: Buffer): Box[] {
  const header = boxesOf(file).find(({ type }) => type === 'jp2h');
  return header === undefined ? [] : innerBoxes(header);
}

function colourBoxes(file: Buffer): Box[] {
  return headerBoxes(file).filter(({ type, data }) => type === 'colr' && data.byteLength >= 3);
}

/** The number of an enumerated colour space (I.5.3.3); null for a profile. */
function spaceOf({ data }: Box): number | null {
  return data.getUint8(0) === 1 && data.byteLength >= 7 ? data.getUint32(3) : null;
}

function profileChannels({ data }: Box): number | null {
  if (data.getUint8(0) === 1 || data.byteLength < 3 + 128) return null;
  const signature = data.getUint32(3 + 16);
  return { 0x47524159: 1, 0x52474220: 3, 0x434d594b: 4 }[signature] ?? null;
}

/** Returns the resolution of display, else of capture (I.5.3.7); null if the file states none. */
export function jpeg2000Resolution(file: Buffer): Resolution | null {
  const box = headerBoxes(file).find(({ type }) => type === 'res ');
  const stated = box === undefined ? [] : innerBoxes(box);
  const { data } = stated.find(({ type }) => type === 'resd') ?? stated[0] ?? {};
  if (data === undefined || data.byteLength < 10) return null;
  const perInch = (numerator: number, exponent: number): number =>
    ((data.getUint16(numerator) / data.getUint16(numerator + 2)) * 10 ** data.getInt8(exponent)) /
    INCHES_PER_METRE;
  return plausibleResolution({ x: perInch(4, 9), y: perInch(0, 8) });
}
