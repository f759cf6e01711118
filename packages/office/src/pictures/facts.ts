import { PlatenError } from '@platen/core/errors';
import { detectImageFormat, type ImageFormat, imageEnding, imageMediaType } from '@platen/imaging/image-type';
import { imageTags } from '@platen/imaging/exif';
import { jpegFacts } from '@platen/imaging/jpeg';
import { pngFacts } from '@platen/imaging/png';

/** The facts about a picture that an office document needs to contain it. */
export interface PictureFacts {
  mediaType: string;
  ending: string;
  /** Natural size in centimetres: at its own resolution, or at 96 dots per inch (I-24). */
  width: number;
  height: number;
}

const CM_PER_INCH = 2.54;

/** @throws PlatenError `image_format_unsupported`, `image_invalid` */
export function pictureFacts(bytes: Uint8Array, name: string): PictureFacts {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const format = detectImageFormat(file);
  const size = format === null ? null : sizeOf(format, file);
  if (format === null || size === null) {
    throw new PlatenError(
      'image_format_unsupported',
      `The picture ${name} is not supported in an office document: use PNG, JPEG, GIF, BMP, TIFF, WebP or SVG.`,
    );
  }
  return { mediaType: imageMediaType(format), ending: imageEnding(format), ...size };
}

interface Size {
  width: number;
  height: number;
}

function centimetres(
  width: number,
  height: number,
  resolution: { x: number; y: number } | null,
  turned = false,
): Size {
  const { x, y } = resolution ?? { x: 96, y: 96 };
  const size = { width: (width / x) * CM_PER_INCH, height: (height / y) * CM_PER_INCH };
  return turned ? { width: size.height, height: size.width } : size;
}

function sizeOf(format: ImageFormat, file: Buffer): Size | null {
  switch (format) {
    case 'png': {
      const { width, height, resolution } = pngFacts(file);
      return centimetres(width, height, resolution);
    }
    case 'jpeg': {
      // Programs that show office documents ignore EXIF's orientation: pictures come upright (`PictureRegistry`).
      const { width, height, resolution } = jpegFacts(file);
      return centimetres(width, height, resolution);
    }
    case 'gif':
      return file.length < 10 ? null : centimetres(file.readUInt16LE(6), file.readUInt16LE(8), null);
    case 'bmp':
      return bmpSize(file);
    case 'tiff':
      return tiffSize(file);
    case 'webp':
      return webpSize(file);
    case 'svg':
      return svgSize(file.toString('utf8', 0, 65_536));
    default:
      return null;
  }
}

function bmpSize(file: Buffer): Size | null {
  if (file.length < 54) return null;
  const perMetre = { x: file.readInt32LE(38), y: file.readInt32LE(42) };
  const resolution =
    perMetre.x > 100 && perMetre.y > 100 ? { x: perMetre.x * 0.0254, y: perMetre.y * 0.0254 } : null;
  return centimetres(file.readInt32LE(18), Math.abs(file.readInt32LE(22)), resolution);
}

const TIFF_WIDTH = 0x100;
const TIFF_HEIGHT = 0x101;

function tiffSize(file: Buffer): Size | null {
  const little = file.toString('latin1', 0, 2) === 'II';
  const short = (at: number): number => (little ? file.readUInt16LE(at) : file.readUInt16BE(at));
  const long = (at: number): number => (little ? file.readUInt32LE(at) : file.readUInt32BE(at));
  const directory = long(4);
  if (directory + 2 > file.length) return null;
  const values = new Map<number, number>();
  for (let i = 0; i < short(directory); i += 1) {
    const at = directory + 2 + 12 * i;
    if (at + 12 > file.length) return null;
    values.set(short(at), short(at + 2) === 3 ? short(at + 8) : long(at + 8));
  }
  const width = values.get(TIFF_WIDTH);
  const height = values.get(TIFF_HEIGHT);
  if (width === undefined || height === undefined) return null;
  return centimetres(width, height, imageTags(file)[0]?.resolution ?? null);
}

/**
 * Returns the size of a WebP file: lossy, lossless and extended files (RFC 9649) each store it differently.
 */
function webpSize(file: Buffer): Size | null {
  if (file.length < 30) return null;
  switch (file.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return centimetres(file.readUInt16LE(26) & 0x3fff, file.readUInt16LE(28) & 0x3fff, null);
    case 'VP8L': {
      const bits = file.readUInt32LE(21);
      return centimetres((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1, null);
    }
    case 'VP8X':
      return centimetres(file.readUIntLE(24, 3) + 1, file.readUIntLE(27, 3) + 1, null);
    default:
      return null;
  }
}

const UNITS: Readonly<Record<string, number>> = {
  '': CM_PER_INCH / 96,
  px: CM_PER_INCH / 96,
  pt: CM_PER_INCH / 72,
  pc: CM_PER_INCH / 6,
  in: CM_PER_INCH,
  cm: 1,
  mm: 0.1,
};

function svgSize(text: string): Size | null {
  const root = /<(?:[\w.-]{1,60}:)?svg\b[^<>]*>/.exec(text)?.[0];
  if (root === undefined) return null;
  const width = svgLength(/\swidth\s*=\s*["']([^"']*)["']/.exec(root)?.[1]);
  const height = svgLength(/\sheight\s*=\s*["']([^"']*)["']/.exec(root)?.[1]);
  const box = (/\sviewBox\s*=\s*["']([^"']*)["']/.exec(root)?.[1] ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const [, , boxWidth = 0, boxHeight = 0] = box;
  const ratio = boxWidth > 0 && boxHeight > 0 ? boxHeight / boxWidth : null;
  if (width !== null && height !== null) return { width, height };
  if (width !== null && ratio !== null) return { width, height: width * ratio };
  if (height !== null && ratio !== null) return { width: height / ratio, height };
  // CSS 2.1, 10.3.2: the default size is 300 by 150 pixels; a view box sets its shape.
  return ratio === null ? centimetres(300, 150, null) : centimetres(boxWidth, boxHeight, null);
}

function svgLength(text: string | undefined): number | null {
  const match = /^(\d+(?:\.\d+)?|\.\d+)(?:\s*(px|pt|pc|in|cm|mm))?$/.exec((text ?? '').trim());
  const factor = UNITS[match?.[2] ?? ''];
  const value = Number(match?.[1]);
  return match === null || factor === undefined || value === 0 ? null : value * factor;
}

/**
 * Parses a length in `width` or `height`, in centimetres unless it has a unit. Returns null when it is
 * invalid.
 */
export function typedLength(text: string): number | null {
  const match = /^(\d+(?:[.,]\d+)?)\s*(px|pt|in|cm|mm)?$/.exec(text.trim());
  if (match === null) return null;
  const value = Number((match[1] ?? '').replace(',', '.')) * (UNITS[match[2] ?? 'cm'] ?? 1);
  return value > 0 && value <= 1000 ? value : null;
}
