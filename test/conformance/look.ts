import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Looking at PDFs with the programs of others. */

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

/** The text of a document, as poppler reads it. */
export function textOf(pdf: Uint8Array): string {
  return withFile(pdf, (path) =>
    execFileSync('pdftotext', [path, '-'], { encoding: 'utf8', maxBuffer: 1 << 28 }),
  );
}

interface Tag {
  type: string;
  alternate: boolean;
  /** Pictures are right below it. */
  figures: boolean;
  empty: boolean;
}

/**
 * The types of the tags in the order of reading, as pikepdf finds them, but for those that conformance may add or change:
 * bodies of items, cells without content, and pictures that are but a group of pictures.
 */
export function tagsOf(pdf: Uint8Array): string[] {
  const found = withFile(pdf, (path) =>
    execFileSync('/usr/bin/python3', [join(import.meta.dirname, 'tags.py'), path], {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    }),
  );
  return (JSON.parse(found) as Tag[]).flatMap(({ type, alternate, figures, empty }) => {
    if (type === 'LBody' || (type === 'TD' && empty)) return [];
    return [type === 'Figure' && figures && !alternate ? 'Div' : type];
  });
}

/** A sum of the pixels of each page, drawn by poppler or, in the colours of the document alone, by MuPDF. */
export function pagePixels(pdf: Uint8Array, by: 'poppler' | 'mupdf' = 'poppler'): string[] {
  return withFile(pdf, (path, folder) => {
    if (by === 'poppler') execFileSync('pdftoppm', ['-r', '60', path, join(folder, 'page')]);
    else
      execFileSync('mutool', ['draw', '-q', '-r', '60', '-o', join(folder, 'page%04d.ppm'), path], {
        stdio: 'pipe',
      });
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
