import { crc32, inflateSync } from 'node:zlib';
import { imageTags, plausibleResolution } from './exif.ts';
import { fittingProfile } from './icc.ts';
import { checkSize, invalidImage, MAX_BILEVEL_PIXELS, MAX_PIXELS } from './limits.ts';
import type { ColourSpace, IccProfile, Orientation, RasterPicture, Resolution, Samples } from './picture.ts';

/** Reads the structure of a PNG (W3C PNG, third edition), so that its data can be used without decoding. */

export interface PngFacts {
  width: number;
  height: number;
  bits: Samples['bits'];
  colourType: ColourType;
  interlaced: boolean;
  /** Red, green and blue of each index. */
  palette: Buffer | null;
  /** The content of `tRNS`: alpha by index, or the transparent colour. */
  transparency: Buffer | null;
  profile: IccProfile | null;
  resolution: Resolution | null;
  orientation: Orientation;
  /** The contents of the `IDAT` chunks, together one zlib stream. */
  data: Buffer[];
}

const COLOUR_TYPES = { gray: 0, rgb: 2, indexed: 3, grayAlpha: 4, rgba: 6 } as const;
type ColourType = (typeof COLOUR_TYPES)[keyof typeof COLOUR_TYPES];
/** Bit depths each colour type may have (section 11.2.1). */
const DEPTHS: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};
const SIGNATURE_BYTES = 8;
const INCHES_PER_METRE = 1 / 0.0254;

/**
 * @throws PlatenError `image_invalid` for a file that is truncated, corrupted or not a PNG, `image_too_large`
 */
export function pngFacts(file: Buffer): PngFacts {
  const chunks = new Map<string, Buffer>();
  const data: Buffer[] = [];
  for (const { type, bytes } of pngChunks(file)) {
    if (type === 'IDAT') data.push(bytes);
    else if (!chunks.has(type)) chunks.set(type, bytes);
  }
  const hasEnd = chunks.has('IEND');
  const header = chunks.get('IHDR');
  if (header?.length !== 13) invalidImage(hasEnd ? 'The PNG has no header.' : CUT_OFF);
  const width = header.readUInt32BE(0);
  const height = header.readUInt32BE(4);
  const bits = header.readUInt8(8);
  const colourType = header.readUInt8(9);
  if (!(DEPTHS[colourType]?.includes(bits) ?? false)) {
    invalidImage(`The PNG is damaged: there is no colour type ${colourType} with ${bits} bits.`);
  }
  const interlaced = header.readUInt8(12) !== 0;
  // An interlaced picture has to be decoded as a whole.
  checkSize(width, height, 'The PNG', bits === 1 && !interlaced ? MAX_BILEVEL_PIXELS : MAX_PIXELS);
  if (!hasEnd && !isWhole(data)) invalidImage(CUT_OFF);
  if (data.length === 0) invalidImage('The PNG has no image data.');
  const palette = chunks.get('PLTE') ?? null;
  if (
    colourType === COLOUR_TYPES.indexed &&
    (palette === null || palette.length % 3 !== 0 || palette.length === 0)
  ) {
    invalidImage('The PNG has no palette, but its pixels are indices into one.');
  }
  const exif = chunks.get('eXIf');
  const tags = exif === undefined ? undefined : imageTags(exif)[0];
  return {
    width,
    height,
    bits: bits as Samples['bits'],
    colourType: colourType as ColourType,
    interlaced,
    palette,
    transparency: chunks.get('tRNS') ?? null,
    profile: embeddedProfile(chunks.get('iCCP'), isGray(colourType) ? 1 : 3),
    resolution: physicalSize(chunks.get('pHYs')) ?? tags?.resolution ?? null,
    orientation: tags?.orientation ?? 1,
    data,
  };
}

const CUT_OFF = 'The PNG is cut off: its end is missing.';

/** Iterates over the chunks up to the end, or up to the end of a file that lacks its last chunk. */
function* pngChunks(file: Buffer): Generator<{ type: string; bytes: Buffer }> {
  let type = '';
  for (let at = SIGNATURE_BYTES; type !== 'IEND' && at < file.length;) {
    const end = at + 12 + (at + 12 > file.length ? 0 : file.readUInt32BE(at));
    if (end > file.length) invalidImage(CUT_OFF);
    type = file.toString('latin1', at + 4, at + 8);
    if (crc32(file.subarray(at + 4, end - 4)) === file.readUInt32BE(end - 4)) {
      yield { type, bytes: file.subarray(at + 8, end - 4) };
    } else if (isCritical(type)) {
      invalidImage(
        `The PNG is damaged: the checksum of its chunk ${JSON.stringify(type)} at byte ${at} is wrong.`,
      );
    }
    at = end;
  }
}

/** Returns whether a chunk is critical; damaged chunks of other kinds are ignored (section 13.2). */
function isCritical(type: string): boolean {
  return /^[A-Z]/.test(type);
}

/** Maximum bytes of samples for which a picture without its end is checked. */
const MAX_UNENDED_BYTES = 256 * 1024 * 1024;

/** Returns whether a picture's zlib stream is complete although the file is not. */
function isWhole(data: readonly Buffer[]): boolean {
  try {
    inflateSync(Buffer.concat(data), { maxOutputLength: MAX_UNENDED_BYTES });
    return true;
  } catch {
    return false;
  }
}

/** Maximum bytes of an ICC profile; those of printing presses have a few MB. */
const MAX_PROFILE_BYTES = 16 * 1024 * 1024;

/**
 * Returns the profile in `iCCP`: a name, a zero, the method (zlib, the only one), a zlib stream, which PDF
 * takes unchanged.
 */
function embeddedProfile(chunk: Buffer | undefined, components: number): IccProfile | null {
  const zero = chunk?.indexOf(0) ?? -1;
  if (chunk === undefined || zero < 0 || chunk[zero + 1] !== 0) return null;
  const stream = chunk.subarray(zero + 2);
  try {
    const profile = inflateSync(stream, { maxOutputLength: MAX_PROFILE_BYTES });
    return fittingProfile(profile, components) === null ? null : { bytes: stream, deflated: true };
  } catch {
    // Colours without a profile are better than no picture; PNG readers do the same.
    return null;
  }
}

function isGray(colourType: number): boolean {
  return colourType === COLOUR_TYPES.gray || colourType === COLOUR_TYPES.grayAlpha;
}

function physicalSize(chunk: Buffer | undefined): Resolution | null {
  if (chunk?.length !== 9 || chunk.readUInt8(8) !== 1) return null;
  return plausibleResolution({
    x: chunk.readUInt32BE(0) / INCHES_PER_METRE,
    y: chunk.readUInt32BE(4) / INCHES_PER_METRE,
  });
}

/**
 * Returns the PNG's samples with unchanged data; null when a PDF cannot contain them unchanged: interlaced,
 * or with alpha between the colours.
 */
export function pngSamples(facts: PngFacts): Samples | null {
  const space = pngSpace(facts);
  return facts.interlaced || space === null ? null : samplesIn(facts, space);
}

/** Returns the data of a PNG without interlacing as samples of a space with the same number of components. */
export function samplesIn({ width, height, bits, data }: PngFacts, space: ColourSpace): Samples {
  const coding = { filter: 'flate', predicted: true } as const;
  return { width, height, bits, space, coding, inverted: false, chunks: data };
}

function pngSpace({ colourType, palette, profile, bits }: PngFacts): ColourSpace | null {
  if (colourType === COLOUR_TYPES.gray) return { kind: 'gray', profile };
  if (colourType === COLOUR_TYPES.rgb) return { kind: 'rgb', profile };
  if (colourType !== COLOUR_TYPES.indexed || palette === null) return null;
  // Neither format allows an index outside the palette, and a PDF's palette has at most 2^bits entries.
  return { kind: 'indexed', palette: palette.subarray(0, 3 * 2 ** bits), profile };
}

export type Transparency = 'none' | 'colour key' | 'alpha';

/** Returns how parts of the image are transparent. */
export function pngTransparency({ colourType, transparency }: PngFacts): Transparency {
  if (colourType === COLOUR_TYPES.grayAlpha || colourType === COLOUR_TYPES.rgba) return 'alpha';
  if (transparency === null) return 'none';
  if (colourType === COLOUR_TYPES.indexed)
    return transparency.every((alpha) => alpha === 255) ? 'none' : 'alpha';
  return 'colour key';
}

/** Returns the PNG as a picture with unchanged data; null when a PDF cannot contain it unchanged. */
export function pngPicture(facts: PngFacts): RasterPicture | null {
  const samples = pngSamples(facts);
  const transparency = pngTransparency(facts);
  if (samples === null || transparency === 'alpha') return null;
  return {
    kind: 'raster',
    samples,
    alpha: null,
    colourKey: transparency === 'colour key' ? colourKey(facts) : null,
    orientation: facts.orientation,
    resolution: facts.resolution,
  };
}

function colourKey({ transparency, colourType }: PngFacts): number[] | null {
  const components = colourType === COLOUR_TYPES.rgb ? 3 : 1;
  if (transparency === null || transparency.length < 2 * components) return null;
  return Array.from({ length: components }, (_, i) => transparency.readUInt16BE(2 * i));
}
