import { SaxesParser } from 'saxes';
import type { BundleFile } from '../bundle.ts';
import { detectImageFormat, type ImageFormat } from '@platen/imaging/image-type';
import { decodePlain } from '@platen/core/text';
import { BROWSER_FORMATS } from '@platen/imaging/displayable';
import type { Use } from './pieces.ts';

/**
 * Returns whether engines show bytes as an image. They show a broken image if they cannot determine its size; this
 * checks the size without decoding. In doubt the engine decides.
 *
 * @param contentType as received with the bytes
 */
export function isShowable(bytes: Uint8Array, contentType: string): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const format = detectImageFormat(file);
  if (format === null || !BROWSER_FORMATS.has(format)) return false;
  return HAS_SIZE[format]?.(file, contentType) ?? true;
}

/**
 * Returns whether something is requested as an image and is not one. A style sheet refers to fonts in the same way
 * as to images; for these the type decides.
 */
export function isUnusableImage({ contentType, bytes }: BundleFile, use: Use): boolean {
  const isImage = use === 'image' || (use === 'other' && /^\s*image\//i.test(contentType));
  return isImage && !isShowable(bytes, contentType);
}

const HAS_SIZE: Readonly<Partial<Record<ImageFormat, (file: Buffer, contentType: string) => boolean>>> = {
  png: (file) =>
    file.length >= 24 &&
    file.toString('latin1', 12, 16) === 'IHDR' &&
    file.readUInt32BE(16) > 0 &&
    file.readUInt32BE(20) > 0,
  gif: (file) => file.length >= 10,
  webp: (file) => file.length >= 30 && /^VP8[ LX]$/.test(file.toString('latin1', 12, 16)),
  jpeg: hasFrame,
  // Only its type identifies a text as an image.
  svg: (file, contentType) => /^\s*image\/svg\+xml\b/i.test(contentType) && isWellFormed(file),
};

/** Whether a JPEG declares its size anywhere (ITU T.81, B.2.2). */
function hasFrame(file: Buffer): boolean {
  for (let at = file.indexOf(0xff); at >= 0; at = file.indexOf(0xff, at + 1)) {
    const marker = file[at + 1] ?? 0;
    if (marker >= 0xc0 && marker <= 0xcf && !NO_FRAMES.has(marker)) return file.length >= at + 9;
  }
  return false;
}

/** DHT, JPG, DAC. */
const NO_FRAMES: ReadonlySet<number> = new Set([0xc4, 0xc8, 0xcc]);

/** Larger drawings are not parsed, because that would block other requests. */
const MAX_DRAWING = 1024 * 1024;

/** Whether an SVG is well-formed XML. One that declares entities is left to the engine. */
function isWellFormed(file: Buffer): boolean {
  if (file.length > MAX_DRAWING) return true;
  const decoded = decodePlain(file);
  if (!('text' in decoded) || decoded.text.includes('<!ENTITY')) return true;
  const parser = new SaxesParser({ xmlns: true });
  let faults = 0;
  let namespace = '';
  parser.on('error', () => void (faults += 1));
  parser.on('opentag', ({ uri }) => void (namespace ||= uri));
  parser.write(decoded.text).close();
  return faults === 0 && namespace === 'http://www.w3.org/2000/svg';
}
