import { execFile } from 'node:child_process';
import { inflateSync } from 'node:zlib';
import { readZip } from '../../../packages/core/src/zip.ts';
import type { Random } from '../../support/random.ts';

/** Marks of documents: words and colours that no other document has, and how they are found again. */

/** Without letters that fonts join. */
const LETTERS = 'abcdeghkmnoprsuvwxz';
const WORDS = /Mq[a-z]{12}q/g;

export interface Mark {
  word: string;
  colour: readonly [red: number, green: number, blue: number];
}

let marks = 0;

/** Returns a mark that no other call returns; the colours of 16 million are different, and those that follow each other very. */
export function newMark(random: Random): Mark {
  marks += 1;
  const number = Math.imul(marks, 0x9e3779b1);
  const colour = [(number >> 16) & 0xff, (number >> 8) & 0xff, number & 0xff] as const;
  const letters = Array.from({ length: 12 }, () => random.pick([...LETTERS]));
  return { word: `Mq${letters.join('')}q`, colour };
}

/** An html template whose pages have the colour, and the word where its data is. */
export function coloured({ colour }: Mark): string {
  return `<style>@page{margin:0}html{background:rgb(${colour.join(',')})}</style><p style="padding:3cm">{{ mark }} and {{ other }}</p>`;
}

/** @returns what is wrong with the words of a document; empty when nothing is */
export function wordsFault(text: string, expected: readonly string[]): string {
  const found = [...new Set(text.match(WORDS))].sort().join(' ');
  const wanted = [...new Set(expected)].sort().join(' ');
  return found === wanted ? '' : `has the words "${found}" instead of "${wanted}"`;
}

export async function pdfFault(pdf: Buffer, expected: readonly string[]): Promise<string> {
  return wordsFault((await run('pdftotext', ['-', '-'], pdf)).toString(), expected);
}

/** Compares the colour of what is on the first page, which is one picture. */
export async function pictureColourFault(pdf: Buffer, { colour }: Mark): Promise<string> {
  const ppm = await run('pdftoppm', ['-r', '20', '-singlefile', '-'], pdf);
  const [head = ''] = /^P6\s+\d+\s+\d+\s+255\s/.exec(ppm.toString('latin1', 0, 50)) ?? [];
  const counts = new Map<string, number>();
  for (let at = head.length; at < ppm.length; at += 3) {
    const pixel = ppm.subarray(at, at + 3).join(' ');
    if (pixel !== '255 255 255') counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  return colourFault(most?.[0].split(' ').map(Number) ?? [], colour);
}

/** Compares the first pixel of a PNG of 8 bits. */
export function pngColourFault(png: Buffer, { colour }: Mark): string {
  if (png.toString('latin1', 1, 4) !== 'PNG') return `is no PNG: ${png.toString('latin1', 0, 80)}`;
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    const type = png.toString('latin1', at + 4, at + 8);
    const content = png.subarray(at + 8, at + 8 + png.readUInt32BE(at));
    chunks.set(type, Buffer.concat([chunks.get(type) ?? Buffer.alloc(0), content]));
  }
  const pixels = inflateSync(chunks.get('IDAT') ?? Buffer.alloc(0));
  const palette = chunks.get('PLTE');
  const first = pixels[1] ?? 0;
  const found = palette ? palette.subarray(first * 3, first * 3 + 3) : pixels.subarray(1, 4);
  return colourFault([...found], colour);
}

function colourFault(found: readonly number[], expected: readonly number[]): string {
  // Engines store colours as fractions of 1.
  const same = found.length === 3 && found.every((value, at) => Math.abs(value - (expected[at] ?? -9)) <= 1);
  return same ? '' : `has the colour ${found.join(' ')} instead of ${expected.join(' ')}`;
}

/** Returns the files of a ZIP in their order. */
export async function filesOfZip(zip: Buffer): Promise<Buffer[]> {
  const { wanted } = await readZip(zip, () => true);
  return [...wanted.values()].map((file) => Buffer.from(file));
}

function run(program: string, args: readonly string[], input: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const options = { encoding: 'buffer', maxBuffer: 2 ** 26 } as const;
    const child = execFile(program, args, options, (error, stdout) => {
      if (error) reject(error);
      else resolve(stdout);
    });
    child.stdin?.on('error', () => {
      // The program has ended, which its result says.
    });
    child.stdin?.end(input);
  });
}
