import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import sharp, { type Sharp } from 'sharp';
import { prepareZXingModule, readBarcodes, type ReadResult } from 'zxing-wasm/reader';

/** A reader of barcodes that knows nothing of who wrote them. */

let isReady = false;

/** What it makes of a picture: `format:text` of each code that it finds and believes. */
export async function barcodesIn(picture: Sharp | Buffer): Promise<string[]> {
  return (await codesIn(picture)).map(({ format, text }) => `${format}:${text}`);
}

/** The AIM's identifiers of the kinds of codes in a picture: `]d2` is a Data Matrix with elements of GS1. */
export async function kindsIn(picture: Sharp | Buffer): Promise<string[]> {
  return (await codesIn(picture)).map(({ symbologyIdentifier }) => symbologyIdentifier);
}

async function codesIn(picture: Sharp | Buffer): Promise<ReadResult[]> {
  if (!isReady) {
    const wasm = readFileSync(createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm'));
    prepareZXingModule({
      overrides: { wasmBinary: wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.length) },
    });
    isReady = true;
  }
  const image = Buffer.isBuffer(picture) ? sharp(picture, { density: 200 }) : picture;
  const png = await image.flatten({ background: '#fff' }).png().toBuffer();
  const found = await readBarcodes(png, { tryHarder: true });
  return found.filter(({ isValid }) => isValid);
}
