/** A picture in the form in which a PDF stores it, the common form of all image formats. */

/**
 * EXIF's `Orientation` (EXIF 2.32, 4.6.4): the rotation and reflection from stored to displayed rows and
 * columns.
 */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

/** Pixels per inch. */
export interface Resolution {
  x: number;
  y: number;
}

/** The resolution of images that do not state one (I-24). */
export const DEFAULT_RESOLUTION: Resolution = { x: 96, y: 96 };

export type ColourSpace =
  | { kind: 'gray' | 'rgb' | 'cmyk'; profile: IccProfile | null }
  /** `palette`: three bytes, red, green and blue, for each index. */
  | { kind: 'indexed'; palette: Uint8Array; profile: IccProfile | null }
  /** CIE L*a*b* under D65, each component in 8 bits: L over 0 to 100, a and b over -128 to 127. */
  | { kind: 'lab' };

/** An ICC profile, plain or as a zlib stream (as in PNG). */
export interface IccProfile {
  bytes: Uint8Array;
  deflated: boolean;
}

/** One image XObject (PDF 32000-1, 8.9.5) without its dictionary. */
export interface Samples {
  width: number;
  height: number;
  bits: 1 | 2 | 4 | 8 | 16;
  space: ColourSpace;
  /** `flate` data has rows that begin with a PNG filter byte (RFC 2083, 6) when `predicted`. */
  coding: { filter: 'dct'; transform: 0 | null } | { filter: 'flate'; predicted: boolean };
  /** The samples are inverted, as in Adobe's CMYK JPEGs. */
  inverted: boolean;
  /** The pieces of the data in order. They are often parts of the file itself, which is not copied. */
  chunks: readonly Uint8Array[];
}

/** A raster picture. */
export interface RasterPicture {
  kind: 'raster';
  samples: Samples;
  /** Gray samples: 0 is transparent. */
  alpha: Samples | null;
  /** The one colour that is transparent (PDF 32000-1, 8.9.6.4): a value for each component. */
  colourKey: readonly number[] | null;
  orientation: Orientation;
  resolution: Resolution | null;
}

/** A vector picture: the pages of a PDF. */
export interface VectorPicture {
  kind: 'vector';
  pdf: Uint8Array;
  /** Only the first page is the picture; otherwise every page is one. */
  onlyFirst: boolean;
}

export type Picture = RasterPicture | VectorPicture;

/** Returns the number of components of a colour space. */
export function componentsOf(space: ColourSpace): 1 | 3 | 4 {
  if (space.kind === 'gray' || space.kind === 'indexed') return 1;
  return space.kind === 'cmyk' ? 4 : 3;
}

/** Returns the displayed size in PDF points (1/72 inch), by the picture's resolution and orientation. */
export function naturalSize({ samples, orientation, resolution }: RasterPicture): {
  width: number;
  height: number;
} {
  const { x, y } = resolution ?? DEFAULT_RESOLUTION;
  const width = (samples.width / x) * 72;
  const height = (samples.height / y) * 72;
  return orientation >= 5 ? { width: height, height: width } : { width, height };
}

/** An opaque alpha channel: a mode with alpha has one even when nothing is transparent. */
export const OPAQUE: Samples = {
  width: 1,
  height: 1,
  bits: 8,
  space: { kind: 'gray', profile: null },
  coding: { filter: 'flate', predicted: false },
  inverted: false,
  // A zlib stream of the single byte 255.
  chunks: [Uint8Array.from([0x78, 0x01, 0x01, 0x01, 0x00, 0xfe, 0xff, 0xff, 0x01, 0x00, 0x01, 0x00])],
};
