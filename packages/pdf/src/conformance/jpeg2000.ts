import { boxesOf, innerBoxes } from '@platen/core/boxes';

/**
 * Checks the requirements of PDF/A for JPEG 2000 (ISO 19005-2, 6.2.8.3) in the boxes around the data (ISO 15444-1,
 * I.5).
 */

/** Colour spaces that need no profile: sRGB, grey and sYCC (ISO 15444-1, table I.10). */
const KNOWN_COLOURS = new Set([16, 17, 18]);
const CHANNELS = new Set([1, 3, 4]);
const MAX_BITS = 38;
/** Methods that define a colour space: a number, or two kinds of profiles. */
const METHODS = new Set([1, 2, 3]);

/**
 * @param hasColours whether the document itself defines the colours of the image
 * @returns the fault, which completes "A picture in JPEG 2000 …"; null if there is none
 */
export function faultOfJpeg2000(bytes: Uint8Array, hasColours: boolean): string | null {
  const header = boxesOf(bytes).find(({ type }) => type === 'jp2h');
  const boxes = header === undefined ? [] : innerBoxes(header);
  const size = boxes.find(({ type }) => type === 'ihdr')?.data;
  if (size === undefined || size.byteLength < 14) return 'does not declare its colour space';
  if (!CHANNELS.has(size.getUint16(8))) return 'does not have one, three or four channels';
  // The value 255 means that the depths of the channels differ.
  const bits = size.getUint8(10);
  if (bits === 255 || boxes.some(({ type }) => type === 'bpcc')) return 'has channels of different depths';
  if ((bits & 0x7f) + 1 > MAX_BITS) return `has more than ${MAX_BITS} bits per channel`;
  return hasColours
    ? null
    : faultOfColours(boxes.filter(({ type }) => type === 'colr').map(({ data }) => data));
}

function faultOfColours(spaces: readonly DataView[]): string | null {
  const whole = spaces.filter(({ byteLength }) => byteLength >= 3);
  const exact = whole.length > 1 ? whole.filter((space) => space.getUint8(2) === 1) : whole;
  const [space] = exact;
  if (space === undefined || exact.length > 1) return 'does not declare which of its colour spaces applies';
  const method = space.getUint8(0);
  if (!METHODS.has(method)) return 'has a colour space that PDF/A does not permit';
  const isKnown = method !== 1 || (space.byteLength >= 7 && KNOWN_COLOURS.has(space.getUint32(3)));
  return isKnown ? null : 'has a colour space without a profile';
}
