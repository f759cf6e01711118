import { imageTags, plausibleResolution } from './exif.ts';
import { fittingProfile } from './icc.ts';
import { checkSize, invalidImage } from './limits.ts';
import type { IccProfile, Orientation, RasterPicture, Resolution } from './picture.ts';

/** Reads the structure of a JPEG (ITU T.81, Annex B), so that its data can be used without decoding. */

export interface JpegFacts {
  width: number;
  height: number;
  components: number;
  bits: number;
  /** A PDF reader can decode it: Huffman-coded DCT, sequential or progressive. */
  isPlain: boolean;
  orientation: Orientation;
  resolution: Resolution | null;
  profile: IccProfile | null;
  /** The transform of Adobe's APP14 segment: 0 none, 1 YCbCr, 2 YCCK; null without that segment. */
  adobeTransform: number | null;
  /** True when the components are named R, G and B: they are not YCbCr, although no segment states it. */
  isRgb: boolean;
  /** Bytes up to and including the end of the image; data that phones append is not part of it. */
  length: number;
}

const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
const APP0 = 0xe0;
const APP1 = 0xe1;
const APP2 = 0xe2;
const APP14 = 0xee;
/** Start of frame: baseline, extended, progressive. The others are lossless, hierarchical or arithmetic. */
const PLAIN_FRAMES: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2]);
/** Codes between the start-of-frame codes with another meaning: DHT, JPG, DAC. */
const NOT_FRAMES: ReadonlySet<number> = new Set([0xc4, 0xc8, 0xcc]);

/** @throws PlatenError `image_invalid` for a file that is truncated or not a JPEG, `image_too_large` */
export function jpegFacts(file: Buffer): JpegFacts {
  return new JpegReader(file).read();
}

class JpegReader {
  private readonly file: Buffer;
  private frame: { marker: number; data: Buffer } | null = null;
  private jfif: Resolution | null = null;
  private exif: { orientation: Orientation; resolution: Resolution | null } | null = null;
  private adobeTransform: number | null = null;
  private readonly profileParts: { number: number; bytes: Buffer }[] = [];

  constructor(file: Buffer) {
    this.file = file;
  }

  read(): JpegFacts {
    const length = this.walk();
    const { frame } = this;
    if (frame === null || frame.data.length < 6) invalidImage('The JPEG has no image in it.');
    const [bits, height, width, components] = [
      frame.data.readUInt8(0),
      frame.data.readUInt16BE(1),
      frame.data.readUInt16BE(3),
      frame.data.readUInt8(5),
    ];
    if (frame.data.length < 6 + 3 * components)
      invalidImage('The JPEG is damaged: its frame header is short.');
    checkSize(width, height, 'The JPEG');
    const names = Array.from({ length: components }, (_, i) =>
      String.fromCharCode(frame.data.readUInt8(6 + 3 * i)),
    );
    return {
      width,
      height,
      components,
      bits,
      isPlain: PLAIN_FRAMES.has(frame.marker) && bits === 8,
      orientation: this.exif?.orientation ?? 1,
      resolution: this.jfif ?? this.exif?.resolution ?? null,
      profile: this.profile(components),
      adobeTransform: this.adobeTransform,
      isRgb: names.join('') === 'RGB',
      length,
    };
  }

  /** Walks from marker to marker. @returns the length up to the end of the image */
  private walk(): number {
    const { file } = this;
    let at = 2;
    for (;;) {
      if (file[at] !== 0xff) this.cutOff(at);
      // Any number of fill bytes may precede a marker.
      while (file[at + 1] === 0xff) at += 1;
      const marker = file[at + 1];
      if (marker === undefined) this.cutOff(at);
      if (marker === EOI) return at + 2;
      if (marker === SOI || (marker >= 0xd0 && marker <= 0xd7) || marker === 0x01) {
        at += 2;
        continue;
      }
      const size = at + 4 <= file.length ? file.readUInt16BE(at + 2) : 0;
      const end = at + 2 + size;
      if (size < 2 || end > file.length) this.cutOff(at);
      this.segment(marker, file.subarray(at + 4, end));
      at = marker === SOS ? this.afterScan(end) : end;
    }
  }

  /**
   * Returns the end of entropy-coded data: the first marker that is neither a stuffed 0xFF nor a restart
   * (T.81, B.1.1.5).
   */
  private afterScan(from: number): number {
    const { file } = this;
    for (let at = file.indexOf(0xff, from); at >= 0; at = file.indexOf(0xff, at + 1)) {
      const next = file[at + 1];
      if (next === undefined) break;
      if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at;
    }
    return this.cutOff(file.length);
  }

  private cutOff(at: number): never {
    return invalidImage(
      at >= this.file.length - 4
        ? 'The JPEG is cut off: its end is missing.'
        : `The JPEG is damaged at byte ${at}: there is no marker.`,
    );
  }

  private segment(marker: number, data: Buffer): void {
    if (marker >= 0xc0 && marker <= 0xcf && !NOT_FRAMES.has(marker)) this.frame ??= { marker, data };
    else if (marker === APP0 && data.length >= 12 && data.toString('latin1', 0, 5) === 'JFIF\0') {
      this.jfif = jfifResolution(data);
    } else if (marker === APP1 && data.toString('latin1', 0, 6) === 'Exif\0\0') {
      this.exif ??= imageTags(data.subarray(6))[0] ?? null;
    } else if (marker === APP2 && data.length > 14 && data.toString('latin1', 0, 12) === 'ICC_PROFILE\0') {
      this.profileParts.push({ number: data.readUInt8(12), bytes: data.subarray(14) });
    } else if (marker === APP14 && data.length >= 12 && data.toString('latin1', 0, 5) === 'Adobe') {
      this.adobeTransform = data.readUInt8(11);
    }
  }

  private profile(components: number): IccProfile | null {
    const parts = this.profileParts.toSorted((a, b) => a.number - b.number).map(({ bytes }) => bytes);
    return parts.length === 0 ? null : fittingProfile(Buffer.concat(parts), components);
  }
}

function jfifResolution(data: Buffer): Resolution | null {
  const unit = data.readUInt8(7);
  if (unit !== 1 && unit !== 2) return null;
  const factor = unit === 2 ? 2.54 : 1;
  return plausibleResolution({ x: data.readUInt16BE(8) * factor, y: data.readUInt16BE(10) * factor });
}

/** Returns the JPEG as a picture with unchanged data; null when a PDF cannot contain it unchanged. */
export function jpegPicture(file: Buffer, facts: JpegFacts): RasterPicture | null {
  const { width, height, components, profile, adobeTransform } = facts;
  if (!facts.isPlain || ![1, 3, 4].includes(components)) return null;
  const kind = components === 1 ? 'gray' : components === 3 ? 'rgb' : 'cmyk';
  return {
    kind: 'raster',
    samples: {
      width,
      height,
      bits: 8,
      space: { kind, profile },
      coding: { filter: 'dct', transform: facts.isRgb && adobeTransform === null ? 0 : null },
      inverted: components === 4 && adobeTransform !== null,
      chunks: [file.subarray(0, facts.length)],
    },
    alpha: null,
    colourKey: null,
    orientation: facts.orientation,
    resolution: facts.resolution,
  };
}
