import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, expect, it } from 'vitest';
import { expectSound, pageTexts } from '../pdf/fixtures.ts';
import { richPdf } from '../pdf/rich.ts';
import { pixels } from '../pdf/steps/pixels.ts';
import { partialGif } from '../images/partial-gif.ts';
import { call, expectStatus, form } from './client.ts';

/** The sizes of images as stamps, and drawings that stay drawings (I-46). */

const directory = mkdtempSync(join(tmpdir(), 'platen-api-image-stamps-'));
afterAll(() => rmSync(directory, { recursive: true }));
const at = (name: string): string => join(directory, name);
const file = [readFileSync(richPdf(at('in.pdf'), 'alpha')), 'in.pdf'] as const;

async function stamped(image: Buffer, name: string): Promise<string> {
  const fields = { file: [...file] as [Buffer, string], image: [image, name] as [Buffer, string] };
  const body = form({ ...fields, x: '0', y: '0', pages: '1' });
  const answer = await call('POST', '/v1/pdf/stamp', { body });
  expectStatus(answer, 200);
  const path = at('out.pdf');
  writeFileSync(path, answer.bytes);
  expectSound(path);
  return path;
}

/** The red part of the first page from its upper left corner, in points. */
async function redArea(path: string): Promise<[width: number, height: number]> {
  const seen = await pixels(path, 1);
  const isRed = ([r = 0, g = 0]: number[]): boolean => r > 240 && g < 30;
  const least = (length: number, place: (at: number) => number[]): number => {
    const end = Array.from({ length }, (_, index) => index).find((index) => !isRed(place(index)));
    return end ?? length;
  };
  return [least(seen.width, (x) => seen.at(x, 10)), least(seen.height, (y) => seen.at(10, y))];
}

const RED = { width: 96, height: 192, channels: 3, background: '#f00' } as const;

/** A chunk of a PNG before its data, with pixels per metre. */
function withResolution(png: Buffer, x: number, y: number): Buffer {
  const content = Buffer.alloc(13);
  content.write('pHYs', 'latin1');
  content.writeUInt32BE(x, 4);
  content.writeUInt32BE(y, 8);
  return withChunk(png, Buffer.concat([content.subarray(0, 12), Buffer.from([1])]));
}

function withChunk(png: Buffer, content: Buffer): Buffer {
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length - 4);
  sum.writeUInt32BE(crc32(content));
  const header = 8 + 25;
  return Buffer.concat([png.subarray(0, header), length, content, sum, png.subarray(header)]);
}

it('has 96 dpi without a resolution', async () => {
  for (const format of ['png', 'jpeg', 'webp', 'gif'] as const) {
    const image = await sharp({ create: RED }).toFormat(format).toBuffer();
    expect(await redArea(await stamped(image, `a.${format}`)), format).toEqual([72, 144]);
  }
});

it('is transparent around the first picture of a GIF', async () => {
  const path = await stamped(partialGif(), 'a.gif');
  const { at: colour } = await pixels(path, 1);
  expect(colour(11, 11)).toEqual([255, 255, 255]);
  expect(colour(5, 5)).toEqual([255, 0, 0]);
});

it('has the resolution of the file in both directions, also where the picture is turned', async () => {
  const plain = await sharp({ create: RED }).png().toBuffer();
  const png = withResolution(plain, Math.ceil(96 / 0.0254), Math.ceil(192 / 0.0254));
  expect(await redArea(await stamped(png, 'a.png'))).toEqual([72, 72]);
  const jpeg = await sharp({ create: RED }).withMetadata({ density: 192, orientation: 6 }).jpeg().toBuffer();
  expect(await redArea(await stamped(jpeg, 'a.jpg'))).toEqual([72, 36]);
});

it.each([
  ['pixels', 'width="96" height="48" viewBox="0 0 10 5"', [72, 36]],
  ['inches', 'width="1in" height="0.5in" viewBox="0 0 10 5"', [72, 36]],
  ['its viewBox alone', 'viewBox="0 0 960 96"', [595, 72]],
])('stays a drawing as large as it says in %s', async (_, root, [width, height]) => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${root}><rect width="100%" height="100%" fill="#f00"/><text y="4" font-size="3" fill="#f00">Drawn</text></svg>`;
  const path = await stamped(Buffer.from(svg), 'a.svg');
  const seen = await redArea(path);
  expect(seen[0]).toBeCloseTo(width ?? 0, -0.5);
  expect(seen[1]).toBeCloseTo(height ?? 0, -0.5);
  expect(pageTexts(path)[0]).toContain('Drawn');
  const images = (pdf: string): string => execFileSync('pdfimages', ['-list', pdf], { encoding: 'utf8' });
  expect(images(path)).toBe(images(at('in.pdf')));
});
