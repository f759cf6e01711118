import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import type { Sharp } from 'sharp';
import { pngFacts, samplesIn } from './png.ts';
import type { ColourSpace, Samples } from './picture.ts';
import { pixelPipeline, type RawPixels, type Work } from './sharp.ts';
import { tiffData } from './tiff-directory.ts';

/** Encodes pixels as samples. */

/**
 * libpng's filters with light compression: a third of the size that Flate alone gives for a photograph, in
 * half the time.
 */
export const PNG_CODING = { compressionLevel: 3, adaptiveFiltering: true } as const;
export const SMALL_PNG_CODING = { compressionLevel: 9, adaptiveFiltering: true } as const;

/**
 * Encodes 8-bit components. PNG's coding does not interpret colours: four components are coded as if they
 * were red, green, blue and alpha, and decode to the same values.
 */
export async function encodePixels(
  pixels: Uint8Array,
  raw: RawPixels,
  space: ColourSpace,
  isSmall: boolean,
  work: Work,
): Promise<Samples> {
  const image = pixelPipeline(pixels, raw, work);
  // Without this sharp writes gray as three equal channels.
  if (raw.channels === 1) image.toColourspace('b-w');
  const png = await image.png(isSmall ? SMALL_PNG_CODING : PNG_CODING).toBuffer();
  return samplesIn(pngFacts(png), space);
}

const compress = promisify(deflate);

/**
 * Returns an image that is only black and white with one bit for each pixel. Its decoder packs the rows one after the
 * other, so that the whole image never takes a byte for each pixel.
 */
export async function bilevelSamples(image: Sharp): Promise<Samples> {
  const options = { bitdepth: 1, compression: 'none', predictor: 'none' } as const;
  const { data, info } = await image.tiff(options).toBuffer({ resolveWithObject: true });
  return await packedSamples(tiffData(data), info.width, info.height);
}

/** Returns gray of one bit, dithered (Floyd and Steinberg). */
export async function ditheredSamples(gray: Uint8Array, width: number, height: number): Promise<Samples> {
  return await packedSamples(dithered(gray, width, height), width, height);
}

/** @param packed rows of eight pixels per byte; white is 1 */
async function packedSamples(packed: Uint8Array, width: number, height: number): Promise<Samples> {
  return {
    width,
    height,
    bits: 1,
    space: { kind: 'gray', profile: null },
    coding: { filter: 'flate', predicted: false },
    inverted: false,
    chunks: [await compress(packed)],
  };
}

function dithered(gray: Uint8Array, width: number, height: number): Buffer {
  const stride = Math.ceil(width / 8);
  const packed = Buffer.alloc(stride * height);
  // Errors to add to this row and the next, in sixteenths; an extra place on each side avoids checks at the
  // edges.
  let here = new Int32Array(width + 2);
  let below = new Int32Array(width + 2);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const value = (gray[y * width + x] ?? 0) + ((here[x + 1] ?? 0) >> 4);
      const isWhite = value >= 128;
      if (isWhite) packed[y * stride + (x >> 3)] = (packed[y * stride + (x >> 3)] ?? 0) | (0x80 >> (x & 7));
      const error = isWhite ? value - 255 : value;
      here[x + 2] = (here[x + 2] ?? 0) + error * 7;
      below[x] = (below[x] ?? 0) + error * 3;
      below[x + 1] = (below[x + 1] ?? 0) + error * 5;
      below[x + 2] = (below[x + 2] ?? 0) + error;
    }
    [here, below] = [below, here];
    below.fill(0);
  }
  return packed;
}

/** Converts Lab from 32-bit floats to the 8 bits of a PDF's Lab space. Works in place. */
export function labBytes(floats: Float32Array): Buffer {
  const bytes = Buffer.allocUnsafe(floats.length);
  for (let i = 0; i < floats.length; i += 3) {
    bytes[i] = clamp((floats[i] ?? 0) * 2.55);
    bytes[i + 1] = clamp((floats[i + 1] ?? 0) + 128);
    bytes[i + 2] = clamp((floats[i + 2] ?? 0) + 128);
  }
  return bytes;
}

function clamp(value: number): number {
  return Math.min(255, Math.max(0, Math.round(value)));
}

/**
 * Reduces each component to a number of bits, spread over the full range again. Changes the pixels in place.
 */
export function reduceLevels(pixels: Uint8Array, levels: readonly [number, number, number]): void {
  const tables = levels.map((bits) => {
    const steps = 2 ** bits - 1;
    return Uint8Array.from({ length: 256 }, (_, value) =>
      Math.round((Math.round((value / 255) * steps) * 255) / steps),
    );
  });
  for (let i = 0; i < pixels.length; i += 1) pixels[i] = tables[i % 3]?.[pixels[i] ?? 0] ?? 0;
}
