import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';

/** What `pdfinfo` says of a document. */
export interface PdfInfo {
  title: string;
  pages: number;
  tagged: boolean;
  /** Of the first page, in points. */
  width: number;
  height: number;
}

/** Runs a poppler program on the document's file. */
function withFile<T>(pdf: Uint8Array, use: (file: string, folder: string) => T): T {
  const folder = mkdtempSync(path.join(tmpdir(), 'platen-pdf-'));
  try {
    const file = path.join(folder, 'document.pdf');
    writeFileSync(file, pdf);
    return use(file, folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Bytes that a program may print: the words of a book with their places are several millions. */
const LONGEST_OUTPUT = 2 ** 26;

function run(program: string, args: string[]): string {
  return execFileSync(program, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: LONGEST_OUTPUT,
  });
}

export function pdfInfo(pdf: Uint8Array): PdfInfo {
  const text = withFile(pdf, (file) => run('pdfinfo', [file]));
  const field = (name: string): string => new RegExp(`^${name}: *(.*)$`, 'm').exec(text)?.[1] ?? '';
  const [width = 0, height = 0] =
    field('Page size')
      .match(/[\d.]+/g)
      ?.map(Number) ?? [];
  return {
    title: field('Title'),
    pages: Number(field('Pages')),
    tagged: field('Tagged') === 'yes',
    width,
    height,
  };
}

/** Text in the order of the page; pages are separated by form feeds. */
export function pdfText(pdf: Uint8Array, page?: number): string {
  const only = page === undefined ? [] : ['-f', String(page), '-l', String(page)];
  return withFile(pdf, (file) => run('pdftotext', ['-layout', ...only, file, '-']));
}

/** A word of a document, and its box in points from the upper left corner of its page. */
export interface PdfWord {
  page: number;
  text: string;
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** The words of a document with their places, in the order of the pages. */
export function pdfWords(pdf: Uint8Array): PdfWord[] {
  const pages = withFile(pdf, (file) => run('pdftotext', ['-bbox', file, '-']))
    .split('<page ')
    .slice(1);
  const WORD = /<word xMin="([\d.-]+)" yMin="([\d.-]+)" xMax="([\d.-]+)" yMax="([\d.-]+)">([^<]*)</g;
  return pages.flatMap((text, index) =>
    Array.from(text.matchAll(WORD), ([, left, top, right, bottom, word = '']) => {
      const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = [left, top, right, bottom].map(Number);
      return { page: index + 1, text: word, left: x0, top: y0, right: x1, bottom: y1 };
    }),
  );
}

/** The tags of a document with their attributes and text, as a tree. */
export function pdfStructure(pdf: Uint8Array): string {
  return withFile(pdf, (file) => run('pdfinfo', ['-struct-text', file]));
}

/** A font of a document. */
export interface PdfFont {
  name: string;
  type: string;
  embedded: boolean;
}

export function pdfFonts(pdf: Uint8Array): PdfFont[] {
  const lines = withFile(pdf, (file) => run('pdffonts', [file]))
    .trimEnd()
    .split('\n')
    .slice(2);
  return lines.map((line) => ({
    name: line.slice(0, 36).trim(),
    type: line.slice(37, 54).trim(),
    embedded: line.slice(72, 75).trim() === 'yes',
  }));
}

/** Fails with qpdf's words when the file is not a sound PDF. */
export function pdfCheck(pdf: Uint8Array): void {
  withFile(pdf, (file) => run('qpdf', ['--check', file]));
}

/** The titles of the outline in order, read by MuPDF; a tab for each level. */
export function pdfOutline(pdf: Uint8Array): string[] {
  const lines = withFile(pdf, (file) => run('mutool', ['show', file, 'outline'])).split('\n');
  return lines.flatMap((line) => {
    const [, level = '', title] = /^.(\t+)"(.*)"\t/.exec(line) ?? [];
    return title === undefined ? [] : [level.slice(1) + title];
  });
}

/** A page as pixels, three bytes each, rows from the top. */
export interface Raster {
  width: number;
  height: number;
  /** Red, green and blue of a pixel. */
  at(x: number, y: number): [number, number, number];
  /** The smallest box that holds every pixel for which `matches` is true; null if there is none. */
  box(
    matches: (rgb: [number, number, number]) => boolean,
  ): { left: number; top: number; right: number; bottom: number } | null;
}

/** A page as a PNG that poppler draws: the same bytes for the same pixels. */
export function pdfPicture(pdf: Uint8Array, page = 1, dpi = 72): Buffer {
  return withFile(pdf, (file, folder) => {
    run('pdftoppm', [
      '-r',
      String(dpi),
      '-f',
      String(page),
      '-l',
      String(page),
      '-png',
      file,
      path.join(folder, 'page'),
    ]);
    const name = readdirSync(folder).find((entry) => entry.endsWith('.png'));
    if (name === undefined) throw new Error(`page ${page} was not drawn`);
    return readFileSync(path.join(folder, name));
  });
}

/** Draws a page with poppler. */
export async function pdfRaster(pdf: Uint8Array, page = 1, dpi = 72): Promise<Raster> {
  const png = pdfPicture(pdf, page, dpi);
  const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number): [number, number, number] => {
    const offset = (y * info.width + x) * 3;
    return [data[offset] ?? 0, data[offset + 1] ?? 0, data[offset + 2] ?? 0];
  };
  return {
    width: info.width,
    height: info.height,
    at,
    box(matches) {
      let box: { left: number; top: number; right: number; bottom: number } | null = null;
      for (let y = 0; y < info.height; y++) {
        for (let x = 0; x < info.width; x++) {
          if (!matches(at(x, y))) continue;
          box ??= { left: x, top: y, right: x, bottom: y };
          box.left = Math.min(box.left, x);
          box.right = Math.max(box.right, x);
          box.bottom = y;
        }
      }
      return box;
    },
  };
}
