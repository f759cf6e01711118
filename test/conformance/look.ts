import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Looking at PDFs with the programs of others. */

const run = promisify(execFile);

function withFile<T>(pdf: Uint8Array, look: (path: string, folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'platen-look-'));
  try {
    writeFileSync(join(folder, 'a.pdf'), pdf);
    return look(join(folder, 'a.pdf'), folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The whole file with nothing compressed. */
export function plainPdf(pdf: Uint8Array): string {
  const options = ['--qdf', '--no-original-object-ids', '--object-streams=disable'];
  return withFile(pdf, (path) =>
    execFileSync('qpdf', [...options, path, '-'], { maxBuffer: 1 << 28 })
      .toString('latin1')
      // One line for each dictionary and array, however deep.
      .replace(/\n\s+/g, ' '),
  );
}

/** The structure tree with its texts, as poppler reads it; Chromium counts its elements on from document to document. */
export function structureText(pdf: Uint8Array): string {
  const text = withFile(pdf, (path) => execFileSync('pdfinfo', ['-struct-text', path], { encoding: 'utf8' }));
  const numbers = new Map<string, number>();
  return text.replace(/\bnode\d+/g, (name) => {
    const number = numbers.get(name) ?? numbers.size;
    numbers.set(name, number);
    return `node${number}`;
  });
}

/**
 * The words of the document in a file with their boxes, page by page and in the order of reading, as poppler finds them. Its
 * text is not compared: where it has empty lines depends on how things are grouped in the content, and Chromium prints one
 * and the same page with a transform, such as `table-margins` of the corpus, in two ways.
 */
export async function wordsOf(path: string): Promise<string> {
  const { stdout } = await run('pdftotext', ['-bbox', path, '-'], { maxBuffer: 1 << 28 });
  return (stdout.match(/<(?:word|page) .*/g) ?? []).join('\n');
}

interface Tag {
  type: string;
  alternate: boolean;
  /** Pictures are right below it. */
  figures: boolean;
  empty: boolean;
}

/**
 * The types of the tags of the documents in files, in the order of reading, as pikepdf finds them, but for those that
 * conformance may add or change: bodies of items, cells without content, and pictures that are but a group of pictures.
 */
export async function tagsOf(paths: readonly string[]): Promise<string[][]> {
  const { stdout } = await run('/usr/bin/python3', [join(import.meta.dirname, 'tags.py'), ...paths], {
    maxBuffer: 1 << 28,
  });
  return stdout
    .trim()
    .split('\n')
    .map((line) =>
      (JSON.parse(line) as Tag[]).flatMap(({ type, alternate, figures, empty }) => {
        if (type === 'LBody' || (type === 'TD' && empty)) return [];
        return [type === 'Figure' && figures && !alternate ? 'Div' : type];
      }),
    );
}

/** The largest difference of the numbers in two texts that are equal without them; infinite if they are not. */
export function movedBy(before: string, after: string): number {
  if (before === after) return 0;
  const parts = [before, after].map((text) => text.split(/(?<==")(-?[\d.]+)(?=")/u));
  const [one = [], other = []] = parts;
  if (one.length !== other.length) return Infinity;
  const moved = one.map((part, at) => {
    const next = other[at] ?? '';
    if (part === next) return 0;
    return at % 2 === 0 ? Infinity : Math.abs(Number(part) - Number(next));
  });
  return moved.reduce((most, value) => Math.max(most, value), 0);
}

/** The share of components of pixels that differ; 1 for pages of other sizes. */
export function differing(before: Buffer, after: Buffer): number {
  if (before.length !== after.length) return 1;
  return before.reduce((count, value, at) => count + (value === after[at] ? 0 : 1), 0) / before.length;
}

/**
 * The pixels of all pages of the document in a file, drawn by poppler or, in the colours of the document alone, by MuPDF.
 */
export async function pixelsOf(path: string, by: 'poppler' | 'mupdf' = 'poppler'): Promise<Buffer> {
  const [program, options]: [string, string[]] =
    by === 'poppler'
      ? ['pdftoppm', ['-r', '60', path]]
      : ['mutool', ['draw', '-q', '-r', '60', '-F', 'ppm', '-o', '-', path]];
  const { stdout } = await run(program, options, { encoding: 'buffer', maxBuffer: 1 << 30 });
  return stdout;
}

/** A sum of the pixels of each page, drawn by poppler. */
export function pagePixels(pdf: Uint8Array): string[] {
  return withFile(pdf, (path, folder) => {
    execFileSync('pdftoppm', ['-r', '60', path, join(folder, 'page')]);
    return readdirSync(folder)
      .filter((name) => name.endsWith('.ppm'))
      .sort()
      .map((name) =>
        createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex'),
      );
  });
}
