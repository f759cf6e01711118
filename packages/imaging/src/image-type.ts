import { utf16Order } from '@platen/core/text';
import { tiffFacts, type TiffFacts } from './tiff.ts';

/** The image types that the service accepts (I-23) and two newer ones, detected from the content. */

export const IMAGE_FORMATS = [
  'jpeg',
  'png',
  'gif',
  'bmp',
  'tiff',
  'webp',
  'svg',
  'ico',
  'psd',
  'ai',
  'eps',
  'cr2',
  'nef',
  'sr2',
  'orf',
  'rw2',
  'dng',
  'arw',
  'heic',
  'avif',
  'jp2',
] as const;
export type ImageFormat = (typeof IMAGE_FORMATS)[number];

/** Media type of each format, and its file extensions, the usual one first. */
const FACTS: Readonly<Record<ImageFormat, { mediaType: string; endings: readonly [string, ...string[]] }>> = {
  jpeg: { mediaType: 'image/jpeg', endings: ['jpg', 'jpeg', 'jpe', 'jfif', 'pjpeg'] },
  png: { mediaType: 'image/png', endings: ['png', 'apng'] },
  gif: { mediaType: 'image/gif', endings: ['gif'] },
  bmp: { mediaType: 'image/bmp', endings: ['bmp', 'dib'] },
  tiff: { mediaType: 'image/tiff', endings: ['tiff', 'tif'] },
  webp: { mediaType: 'image/webp', endings: ['webp'] },
  svg: { mediaType: 'image/svg+xml', endings: ['svg'] },
  ico: { mediaType: 'image/vnd.microsoft.icon', endings: ['ico'] },
  psd: { mediaType: 'image/vnd.adobe.photoshop', endings: ['psd', 'psb'] },
  ai: { mediaType: 'application/illustrator', endings: ['ai', 'ait'] },
  eps: { mediaType: 'application/postscript', endings: ['eps', 'epsf', 'epsi'] },
  cr2: { mediaType: 'image/x-canon-cr2', endings: ['cr2'] },
  nef: { mediaType: 'image/x-nikon-nef', endings: ['nef'] },
  sr2: { mediaType: 'image/x-sony-sr2', endings: ['sr2'] },
  orf: { mediaType: 'image/x-olympus-orf', endings: ['orf'] },
  rw2: { mediaType: 'image/x-panasonic-rw2', endings: ['rw2'] },
  dng: { mediaType: 'image/x-adobe-dng', endings: ['dng'] },
  arw: { mediaType: 'image/x-sony-arw', endings: ['arw'] },
  heic: { mediaType: 'image/heic', endings: ['heic', 'heif', 'hif'] },
  avif: { mediaType: 'image/avif', endings: ['avif', 'avifs'] },
  jp2: { mediaType: 'image/jp2', endings: ['jp2', 'j2k', 'j2c', 'jpc', 'jpf', 'jpx'] },
};

export function imageMediaType(format: ImageFormat): string {
  return FACTS[format].mediaType;
}

/** Returns the usual file extension of a format, without the dot. */
export function imageEnding(format: ImageFormat): string {
  return FACTS[format].endings[0];
}

/**
 * Returns the format that a file name (`logo.JPG`), an extension (`jpg`) or a format's name (`jpeg`) means,
 * or null.
 */
export function imageFormatNamed(name: string): ImageFormat | null {
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  return IMAGE_FORMATS.find((format) => format === ending || FACTS[format].endings.includes(ending)) ?? null;
}

/** Number of bytes in which PostScript and PDF readers search for the beginning. */
const HEAD_BYTES = 4096;
/** Number of bytes that contain the prolog, doctype and licence comments of any real SVG. */
const SVG_HEAD_BYTES = 65_536;
const HEVC_BRANDS: ReadonlySet<string> = new Set([
  'heic',
  'heix',
  'heim',
  'heis',
  'hevc',
  'hevx',
  'hevm',
  'hevs',
]);

/**
 * Detects the format of an image from its content. When the content allows several answers (raws that are
 * TIFF files inside; a PDF that may be an Illustrator file), the hints choose between these only.
 *
 * @param hints file names, extensions or declared formats, the best first
 * @returns null when it is none of `IMAGE_FORMATS`
 */
export function detectImageFormat(
  bytes: Uint8Array,
  hints: readonly (string | null | undefined)[] = [],
): ImageFormat | null {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const hint = hints.map((name) => (name ? imageFormatNamed(name) : null)).find((format) => format) ?? null;
  return bySignature(file) ?? byTiff(file, hint) ?? byPostScript(file, hint) ?? (isSvg(file) ? 'svg' : null);
}

function bySignature(file: Buffer): ImageFormat | null {
  const ascii = file.toString('latin1', 0, 16);
  if (ascii.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (ascii.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (/^GIF8[79]a/.test(ascii)) return 'gif';
  if (ascii.startsWith('RIFF') && ascii.slice(8, 12) === 'WEBP') return 'webp';
  if (ascii.startsWith('8BPS\0\x01') || ascii.startsWith('8BPS\0\x02')) return 'psd';
  if (ascii.slice(4, 8) === 'ftyp') return byBrand(file);
  // A file of JPEG 2000, or its data alone (ISO 15444-1, I.5.1 and A.4).
  if (ascii.startsWith('\0\0\0\x0cjP  \r\n\x87\n') || ascii.startsWith('\xff\x4f\xff\x51')) return 'jp2';
  if (ascii.startsWith('BM')) return isBmp(file) ? 'bmp' : null;
  if (ascii.startsWith('\0\0\x01\0')) return isIco(file) ? 'ico' : null;
  if (/^II\x2a\0.{4}CR/s.test(ascii)) return 'cr2';
  if (/^(IIRO|IIRS|MMOR)/.test(ascii)) return 'orf';
  if (ascii.startsWith('IIU\0')) return 'rw2';
  return null;
}

/**
 * Returns the format of a still image coded in HEVC or AV1, by its main brand or a compatible one (ISO 23008-12;
 * AV1 Image File Format, section 6).
 */
function byBrand(file: Buffer): ImageFormat | null {
  const end = Math.min(file.length, file.length >= 4 ? file.readUInt32BE(0) : 0, 256);
  for (let at = 8; at + 4 <= end; at += 4) {
    const brand = at === 12 ? '' : file.toString('latin1', at, at + 4);
    if (HEVC_BRANDS.has(brand)) return 'heic';
    if (brand === 'avif' || brand === 'avis') return 'avif';
  }
  return null;
}

function isBmp(file: Buffer): boolean {
  return file.length >= 26 && [12, 16, 40, 52, 56, 64, 108, 124].includes(file.readUInt32LE(14));
}

/**
 * Returns whether the file is an icon. Its first four bytes are too common, so the directory has to point
 * into the file.
 */
function isIco(file: Buffer): boolean {
  if (file.length < 22) return false;
  const count = file.readUInt16LE(4);
  const size = file.readUInt32LE(14);
  const offset = file.readUInt32LE(18);
  return count > 0 && offset >= 6 + 16 * count && offset + size <= file.length;
}

const RAW_MAKERS: Readonly<Partial<Record<ImageFormat, string>>> = {
  nef: 'NIKON',
  arw: 'SONY',
  sr2: 'SONY',
  orf: 'OLYMPUS',
  rw2: 'PANASONIC',
  cr2: 'CANON',
};

/** Returns the format of a TIFF, or of a raw that begins like one. */
function byTiff(file: Buffer, hint: ImageFormat | null): ImageFormat | null {
  const magic = file.toString('latin1', 0, 4);
  if (magic === 'II+\0' || magic === 'MM\0+') return 'tiff';
  if (magic !== 'II*\0' && magic !== 'MM\0*') return null;
  const facts = tiffFacts(file);
  if (!facts) return null;
  if (facts.dng) return 'dng';
  const maker = hint === null ? undefined : RAW_MAKERS[hint];
  if (hint !== null && maker !== undefined && facts.make.startsWith(maker)) return hint;
  return facts.sensorData ? rawByMaker(facts) : 'tiff';
}

/**
 * Returns the format of a raw whose name does not tell it. SR2 is the raw of one camera, the DSC-R1; Sony's
 * others are ARW.
 */
function rawByMaker({ make, model }: TiffFacts): ImageFormat | null {
  if (make.startsWith('NIKON')) return 'nef';
  if (make.startsWith('SONY')) return model.includes('DSC-R1') ? 'sr2' : 'arw';
  return null;
}

/**
 * Returns the format of an EPS or an Illustrator file, which is PDF inside or, before version 9, PostScript.
 */
function byPostScript(file: Buffer, hint: ImageFormat | null): ImageFormat | null {
  const head = file.toString('latin1', 0, HEAD_BYTES);
  // A preview in front of the PostScript: Adobe Technical Note 5002, "Encapsulated PostScript", section 5.2.
  if (head.startsWith('\xc5\xd0\xd3\xc6')) return 'eps';
  if (isPostScript(file)) {
    const byIllustrator = /^%%Creator:[^\r\n]{0,20}Adobe Illustrator/m.test(head.replaceAll('\r', '\n'));
    if (hint === 'ai') return 'ai';
    if (hint === 'eps' || /^[^\r\n]{0,40} EPSF-/.test(head)) return 'eps';
    return byIllustrator ? 'ai' : null;
  }
  if (head.slice(0, 1024).includes('%PDF-')) {
    return hint === 'ai' || file.includes('/AIPrivateData') || file.includes('/AIMetaData') ? 'ai' : null;
  }
  return null;
}

/**
 * Returns whether the file is PostScript; some printer drivers write an end-of-transmission character first.
 */
export function isPostScript(file: Buffer): boolean {
  const head = file.toString('latin1', 0, 5);
  return head.startsWith('%!PS') || head === '\x04%!PS';
}

/**
 * Returns whether the first element is `svg`, after a byte order mark, the XML declaration, comments and a
 * doctype.
 */
function isSvg(file: Buffer): boolean {
  const text = new TextDecoder(utf16Order(file) ?? 'utf-8').decode(file.subarray(0, SVG_HEAD_BYTES));
  let at = 0;
  for (;;) {
    while (/\s/.test(text.charAt(at))) at += 1;
    const rest = text.slice(at, at + 200);
    if (rest.startsWith('<?')) at = after(text, '?>', at);
    else if (rest.startsWith('<!--')) at = after(text, '-->', at);
    else if (/^<!DOCTYPE(?!\s+html)/i.test(rest)) at = afterDoctype(text, at);
    else return /^<([\w.-]{1,100}:)?svg[\s/>]/.test(rest);
    if (at < 0) return false;
  }
}

/** Returns the index after the next `mark`, or a negative number. */
function after(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  return found < 0 ? -1 : found + mark.length;
}

/** Returns the index after a doctype; quotes and brackets inside it may contain its closing bracket. */
function afterDoctype(text: string, from: number): number {
  let depth = 0;
  for (let at = from + 1; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (text.startsWith('<!--', at)) {
      at = text.indexOf('-->', at);
      if (at < 0) return -1;
      at += 2;
    } else if (character === '"' || character === "'") {
      at = text.indexOf(character, at + 1);
      if (at < 0) return -1;
    } else if (character === '[' || character === '<') depth += 1;
    else if (character === ']') depth -= 1;
    else if (character === '>') {
      if (depth === 0) return at + 1;
      depth -= 1;
    }
  }
  return -1;
}
