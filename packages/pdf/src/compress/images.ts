import type { Sharp, SharpConstructor } from 'sharp';
import { isDict, isName, isRef } from '../model/values.ts';
import type { PdfDict, PdfValue, Ref } from '../model/values.ts';
import type { PdfFile } from '../model/index.ts';
import { decodedStream, MAX_DECODED } from './decoded.ts';
import type { Keep } from './recompress.ts';
import type { ShownSize } from './shown-size.ts';

export interface ImageSettings {
  /** JPEG quality; undefined keeps the value of every pixel. */
  jpeg: number | undefined;
  /** Maximum pixels per inch; undefined keeps all pixels. */
  dpi: number | undefined;
}

export interface ImageWork {
  file: PdfFile;
  /** The objects of the document. */
  refs: readonly Ref[];
  keep: Keep;
  settings: ImageSettings;
  sizes: ReadonlyMap<Ref, ShownSize>;
  /** Images that are no longer referenced. */
  gone: ReadonlySet<Ref>;
}

/** An image that can be processed: 8 bits per channel, grey or RGB. */
interface Picture {
  ref: Ref;
  dict: PdfDict;
  width: number;
  height: number;
  channels: 1 | 3;
  /** Whether its data is a JPEG, in whatever further filters; otherwise it consists of samples. */
  jpeg: boolean;
  /** Whether it is the transparency of another image. */
  mask: boolean;
  /** Its current size in bytes. */
  length: number;
  /** Whether only its encoding may change. */
  exact: boolean;
}

/** Filters that restore any data (ISO 32000-2, 7.4), with the abbreviations that some writers use. */
const RESTORING: ReadonlySet<string> = new Set([
  '/FlateDecode',
  '/LZWDecode',
  '/ASCIIHexDecode',
  '/ASCII85Decode',
  '/RunLengthDecode',
  '/Fl',
  '/LZW',
  '/AHx',
  '/A85',
  '/RL',
]);
/** Smaller images gain nothing. */
const MIN_BYTES = 2048;
/** Images with more samples are not read into memory and stay unchanged. */
const MAX_SAMPLES = 100e6;
/** A new JPEG must save at least a tenth, because each encoding costs some sharpness. */
const WORTHWHILE = 0.9;
/** Drawings and screenshots stay lossless unless a JPEG is far smaller. */
const MUCH_SMALLER = 0.5;

/**
 * Stores images in fewer bytes. Lossless: PNG filters, in addition to deflate. Lossy: fewer pixels if there are
 * more than are visible, and JPEG. 1-bit images, stencil masks, colour-keyed images, CMYK, and others that cannot
 * be identified safely are never changed.
 */
export async function compressImages(work: ImageWork): Promise<void> {
  const { file, settings, sizes, gone } = work;
  let sharp: SharpConstructor | undefined;
  for (const picture of pictures(work)) {
    const { ref, width, height, channels, jpeg } = picture;
    if (gone.has(ref) || width * height * channels > MAX_SAMPLES) continue;
    if (jpeg && settings.jpeg === undefined && settings.dpi === undefined) continue;
    const data = decodedStream(file, ref, MAX_DECODED)?.data;
    if (data === undefined) continue;
    sharp ??= await sharpWithoutCache();
    const size = targetSize(picture, settings.dpi, sizes.get(ref));
    const result = await smaller(sharp, picture, data, settings, size);
    if (result !== undefined) file.set(ref, result.dict, work.keep(result.data));
  }
}

/** Loaded for the first image: most documents have none. */
async function sharpWithoutCache(): Promise<SharpConstructor> {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  return sharp;
}

function* pictures({ file, refs }: ImageWork): Generator<Picture> {
  const masks = new Set<Ref>();
  for (const ref of refs) {
    const object = file.get(ref);
    if (object?.stream !== undefined && isDict(object.value) && isRef(object.value['/SMask']))
      masks.add(object.value['/SMask']);
  }
  for (const ref of refs) {
    const picture = pictureOf(file, ref, masks.has(ref));
    if (picture !== undefined) yield picture;
  }
}

function pictureOf(file: PdfFile, ref: Ref, mask: boolean): Picture | undefined {
  const { value: dict, stream } = file.get(ref) ?? {};
  if (stream === undefined || !isDict(dict) || dict['/Subtype'] !== '/Image' || dict['/ImageMask'] === true)
    return undefined;
  const filters = [file.resolve(dict['/Filter'])].flat().map((filter) => file.resolve(filter));
  const jpeg = isJpeg(filters.at(-1));
  // The filters before the last one restore its data; without any, the stream consists of the samples.
  const outer = (jpeg ? filters.slice(0, -1) : filters).filter((filter) => filter !== null);
  if (!outer.every((filter) => isName(filter) && RESTORING.has(filter))) return undefined;
  // The parameters of the other filters are applied; those of a JPEG are about its colours.
  const parameters = [file.resolve(dict['/DecodeParms'])].flat().map((value) => file.resolve(value));
  if (jpeg && isDict(parameters[filters.length - 1])) return undefined;
  const [width, height] = [file.resolve(dict['/Width']), file.resolve(dict['/Height'])];
  const channels = channelsOf(file, dict['/ColorSpace']);
  const { length } = stream;
  if (typeof width !== 'number' || typeof height !== 'number') return undefined;
  if (channels === undefined || length < MIN_BYTES || file.resolve(dict['/BitsPerComponent']) !== 8) {
    return undefined;
  }
  // Colour keys and premultiplied transparency require exact values.
  const keyed = Array.isArray(file.resolve(dict['/Mask']));
  const exact = keyed || '/Matte' in dict || '/Matte' in file.dict(dict['/SMask']);
  return { ref, dict, width, height, channels, jpeg, mask, length, exact };
}

function isJpeg(filter: PdfValue | undefined): boolean {
  return filter === '/DCTDecode' || filter === '/DCT';
}

/** 1 for grey, 3 for RGB; undefined for other colour spaces (palette, CMYK, Lab, spot colours). */
function channelsOf(objects: PdfFile, value: PdfValue | undefined): 1 | 3 | undefined {
  const space = objects.resolve(value);
  const family = Array.isArray(space) ? objects.resolve(space[0]) : space;
  if (family === '/DeviceGray' || family === '/CalGray') return 1;
  if (family === '/DeviceRGB' || family === '/CalRGB') return 3;
  if (family === '/ICCBased' && Array.isArray(space)) {
    const number = objects.resolve(objects.dict(space[1])['/N']);
    if (number === 1 || number === 3) return number;
  }
  return undefined;
}

/** The number of pixels to keep; undefined keeps all. */
function targetSize(
  picture: Picture,
  dpi: number | undefined,
  shown: ShownSize | undefined,
): { width: number; height: number } | undefined {
  if (dpi === undefined || shown === undefined || picture.exact) return undefined;
  const [width, height] = [Math.ceil((shown.width / 72) * dpi), Math.ceil((shown.height / 72) * dpi)];
  // A small reduction is not worth the blur.
  if (width < 1 || height < 1 || width * height > picture.width * picture.height * 0.8) return undefined;
  return { width: Math.min(width, picture.width), height: Math.min(height, picture.height) };
}

async function smaller(
  sharp: SharpConstructor,
  picture: Picture,
  data: Buffer,
  settings: ImageSettings,
  size: { width: number; height: number } | undefined,
): Promise<{ dict: PdfDict; data: Buffer } | undefined> {
  const { width, height, channels } = picture;
  if (!picture.jpeg && data.length !== width * height * channels) return undefined;
  const open = async (): Promise<Sharp | undefined> => {
    // The PDF defines the colour space, regardless of the profile in a JPEG.
    const image = picture.jpeg
      ? sharp(data, { ignoreIcc: true, limitInputPixels: MAX_SAMPLES })
      : sharp(data, { raw: { width, height, channels } });
    if (picture.jpeg) {
      const found = await image.metadata();
      if (found.width !== width || found.height !== height || found.channels !== channels) return undefined;
    }
    const sized = size === undefined ? image : image.resize({ ...size, fit: 'fill' });
    // By default, sharp converts grey to RGB.
    return channels === 1 ? sized.toColourspace('b-w') : sized;
  };
  const candidates: { dict: PdfDict; data: Buffer }[] = [];
  const shape = size ?? { width, height };
  const lossy = settings.jpeg !== undefined && !picture.exact && !picture.mask;
  try {
    if (lossy || (picture.jpeg && size !== undefined)) {
      const image = await open();
      const quality = settings.jpeg ?? 90;
      const jpeg = await image?.jpeg({ quality, mozjpeg: true }).toBuffer({ resolveWithObject: true });
      if (jpeg?.info.channels === channels) {
        candidates.push({ dict: dictOf(picture, shape, { '/Filter': '/DCTDecode' }), data: jpeg.data });
      }
    }
    if (!picture.jpeg) {
      const image = await open();
      const png = await image?.png({ compressionLevel: 9, adaptiveFiltering: true }).toBuffer();
      const deflated = png === undefined ? undefined : imageData(png, channels);
      if (deflated !== undefined) {
        const parameters = {
          '/Predictor': 15,
          '/Colors': channels,
          '/BitsPerComponent': 8,
          '/Columns': shape.width,
        };
        candidates.push({
          dict: dictOf(picture, shape, { '/Filter': '/FlateDecode', '/DecodeParms': parameters }),
          data: deflated,
        });
      }
    }
  } catch {
    // An image that cannot be decoded stays unchanged, and readers show as much of it as they can.
    return undefined;
  }
  return choose(picture, candidates);
}

function choose(
  picture: Picture,
  candidates: readonly { dict: PdfDict; data: Buffer }[],
): { dict: PdfDict; data: Buffer } | undefined {
  const [jpeg] = candidates.filter(({ dict }) => dict['/Filter'] === '/DCTDecode');
  const [exact] = candidates.filter(({ dict }) => dict['/Filter'] === '/FlateDecode');
  if (picture.jpeg)
    return jpeg !== undefined && jpeg.data.length < picture.length * WORTHWHILE ? jpeg : undefined;
  const best = Math.min(exact?.data.length ?? picture.length, picture.length);
  if (jpeg !== undefined && jpeg.data.length < best * MUCH_SMALLER) return jpeg;
  return exact !== undefined && exact.data.length < picture.length ? exact : undefined;
}

function dictOf(picture: Picture, size: { width: number; height: number }, storage: PdfDict): PdfDict {
  const { '/Filter': _filter, '/DecodeParms': _parameters, '/Length': _length, ...rest } = picture.dict;
  return { ...rest, '/Width': size.width, '/Height': size.height, ...storage };
}

/** The deflated rows of a PNG, which a PDF stores in the same form (ISO 32000-1, 7.4.4.4). */
function imageData(png: Buffer, channels: 1 | 3): Buffer | undefined {
  const COLOUR_TYPE = { 1: 0, 3: 2 } as const;
  // After the signature: IHDR, with bit depth and colour type at its 8th and 9th byte and interlacing at its 12th.
  if (png[24] !== 8 || png[25] !== COLOUR_TYPE[channels] || png[28] !== 0) return undefined;
  const parts: Buffer[] = [];
  for (let at = 8; at + 12 <= png.length;) {
    const length = png.readUInt32BE(at);
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(png.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  return Buffer.concat(parts);
}
