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

/** A sum of the pixels of each page. */
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
