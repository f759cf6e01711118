import { deflateSync } from 'node:zlib';
import type { PdfFile } from '../../model/index.ts';
import { isDict, isRef, type PdfDict, type PdfValue, type Ref } from '../../model/values.ts';
import type { Box } from '../geometry.ts';

/** Removes pixels from images. */

/** Maximum bytes of samples of an image. */
const MAX_SAMPLES = 400e6;

/** Entries about the encoding of the samples, or alternate versions of the image (ISO 32000-2, table 87). */
const ABOUT_PICTURES = new Set(
  '/Filter /DecodeParms /Length /SMaskInData /Alternates /OPI /Metadata'.split(' '),
);

/**
 * Returns an image without the pixels in some boxes.
 *
 * @param boxes in the unit square of the image, from its lower left corner, 0 to 1
 * @param isMask whether the image is the mask of another one
 * @returns null for an image that cannot be read, which is removed as a whole
 */
export async function blankImage(
  file: PdfFile,
  ref: Ref,
  boxes: readonly Box[],
  isMask = false,
): Promise<Ref | null> {
  const dict = file.dict(ref);
  const [width, height] = [Number(file.resolve(dict['/Width'])), Number(file.resolve(dict['/Height']))];
  const stream = file.streamData(ref, MAX_SAMPLES);
  if (!(width > 0 && height > 0) || stream === undefined) return null;
  const areas = boxes.map((box) => pixelsOf(box, width, height));
  const isPlain = stream.filters.length === 0;
  const plain = isPlain ? plainSamples(file, dict, Buffer.from(stream.data), width, height) : undefined;
  const picture =
    plain ?? (stream.filters[0] === '/DCTDecode' ? await decoded(Buffer.from(stream.data)) : undefined);
  if (picture === undefined || picture.width !== width || picture.height !== height) return null;
  for (const area of areas) blank(picture, area);
  const kept = Object.fromEntries(Object.entries(dict).filter(([key]) => !ABOUT_PICTURES.has(key)));
  const { data, filter } = picture.isPhoto
    ? { data: await encoded(picture), filter: '/DCTDecode' }
    : { data: deflateSync(picture.samples), filter: '/FlateDecode' };
  const changed: PdfDict = { ...kept, '/Filter': filter, ...picture.entries };
  for (const key of ['/SMask', '/Mask']) {
    const mask = dict[key];
    if (!isRef(mask) || !isDict(file.resolve(mask))) continue;
    // A mask has no mask of its own (ISO 32000-2, table 143), and could be its own.
    if (isMask) {
      changed[key] = null;
      continue;
    }
    const without = await blankImage(file, mask, boxes, true);
    if (without === null) return null;
    changed[key] = without;
  }
  return file.add(changed, data);
}

interface Samples {
  samples: Buffer;
  width: number;
  height: number;
  /** Number of bits per pixel. */
  bits: number;
  /** Whether they were decoded from a JPEG, and are encoded as one. */
  isPhoto: boolean;
  /** Entries of the new dictionary for them. */
  entries: PdfDict;
}

interface Area {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** The pixels that a box overlaps. */
function pixelsOf({ x, y, width, height }: Box, columns: number, rows: number): Area {
  const within = (value: number, most: number): number => Math.min(Math.max(value, 0), most);
  return {
    left: within(Math.floor(x * columns), columns),
    right: within(Math.ceil((x + width) * columns), columns),
    top: within(Math.floor((1 - y - height) * rows), rows),
    bottom: within(Math.ceil((1 - y) * rows), rows),
  };
}

function blank({ samples, width, bits }: Samples, { left, top, right, bottom }: Area): void {
  const stride = Math.ceil((width * bits) / 8);
  const [from, to] = [left * bits, right * bits];
  for (let row = top; row < bottom; row++) {
    const start = row * stride;
    const [first, last] = [Math.ceil(from / 8), Math.floor(to / 8)];
    if (first > last) {
      clear(samples, start, from, to);
      continue;
    }
    samples.fill(0, start + first, start + last);
    clear(samples, start, from, first * 8);
    clear(samples, start, last * 8, to);
  }
}

/** Clears some bits of one byte in a row. */
function clear(samples: Buffer, start: number, from: number, to: number): void {
  for (let bit = from; bit < to; bit++) {
    const at = start + (bit >> 3);
    samples[at] = (samples[at] ?? 0) & ~(0x80 >> (bit & 7));
  }
}

/** The samples; undefined if there are fewer than declared. */
function plainSamples(
  file: PdfFile,
  dict: PdfDict,
  samples: Buffer,
  width: number,
  height: number,
): Samples | undefined {
  const isMask = file.resolve(dict['/ImageMask']) === true;
  const depth = isMask ? 1 : Number(file.resolve(dict['/BitsPerComponent']));
  const bits = depth * (isMask ? 1 : channelsOf(file, dict['/ColorSpace']));
  if (![1, 2, 4, 8, 16].includes(depth) || !(bits > 0)) return undefined;
  const length = Math.ceil((width * bits) / 8) * height;
  return samples.length < length ? undefined : { samples, width, height, bits, isPhoto: false, entries: {} };
}

/** Number of components of a colour; 0 if unknown. */
function channelsOf(file: PdfFile, value: PdfValue | undefined, level = 0): number {
  const space = file.resolve(value);
  const [family, first] = Array.isArray(space) ? space : [space];
  switch (file.resolve(family)) {
    case '/DeviceGray':
    case '/CalGray':
    case '/Indexed':
    case '/Separation':
      return 1;
    case '/DeviceRGB':
    case '/CalRGB':
    case '/Lab':
      return 3;
    case '/DeviceCMYK':
      return 4;
    case '/ICCBased':
      return Number(file.resolve(file.dict(first)['/N'])) || 0;
    case '/DeviceN':
      return file.array(first).length;
    default:
      return level === 0 && Array.isArray(space) && space.length === 1 ? channelsOf(file, first, 1) : 0;
  }
}

/** The samples of a JPEG, in grey or RGB; undefined for one that cannot be read. */
async function decoded(bytes: Buffer): Promise<Samples | undefined> {
  const { default: sharp } = await import('sharp');
  try {
    const image = sharp(bytes, { limitInputPixels: 100e6 });
    const { channels } = await image.metadata();
    const space = channels === 1 ? 'b-w' : 'srgb';
    const { data, info } = await image
      .toColourspace(space)
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const entries: PdfDict = { '/BitsPerComponent': 8 };
    // CMYK has been converted to RGB, which contradicts the dictionary.
    if (channels === 4) Object.assign(entries, { '/ColorSpace': '/DeviceRGB', '/Decode': null });
    return {
      samples: data,
      width: info.width,
      height: info.height,
      bits: 8 * info.channels,
      isPhoto: true,
      entries,
    };
  } catch {
    // An image that cannot be read is removed as a whole.
    return undefined;
  }
}

/** High quality for a JPEG that is encoded again, so that the loss is invisible. */
const QUALITY = 95;

async function encoded({ samples, width, height, bits }: Samples): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  const channels = bits === 8 ? 1 : 3;
  const image = sharp(samples, { raw: { width, height, channels }, limitInputPixels: false });
  return await (channels === 1 ? image.toColourspace('b-w') : image)
    .jpeg({ quality: QUALITY, chromaSubsampling: '4:4:4' })
    .toBuffer();
}
