import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Engine } from '../../packages/pdf/src/files/engine.ts';

/** PDFs for the tests, made by other programs than the ones under test. */

/** A directory that goes when the test ends. */
export function workspace(): (name: string) => string {
  const folder = mkdtempSync(join(tmpdir(), 'platen-test-pdf-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return (name) => join(folder, name);
}

/** Runs a program of the machine and gives back what it prints. */
export function run(program: string, ...args: string[]): string {
  return execFileSync(program, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 2 ** 28,
  });
}

/** Writes a PDF of some PostScript with Ghostscript. */
export function ghostscript(path: string, postscript: string, ...options: string[]): string {
  const source = `${path}.ps`;
  writeFileSync(source, postscript);
  run('gs', '-q', '-dBATCH', '-dNOPAUSE', '-sDEVICE=pdfwrite', ...options, `-sOutputFile=${path}`, source);
  return path;
}

/** A PDF with one page for each text. */
export function textPages(path: string, texts: readonly string[]): string {
  const pages = texts.map((text) => `72 700 moveto (${text}) show showpage`);
  return ghostscript(path, `/Helvetica findfont 20 scalefont setfont ${pages.join('\n')}`);
}

/** A page in a font that it does not contain, and for which there is no other one of the same widths. */
export function symbolPage(path: string): string {
  return rawPdf(path, [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 200 200] >>',
    '<< /Type /Page /Parent 2 0 R /Resources << /Font << /F 4 0 R >> >> /Contents 5 0 R >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Symbol >>',
    rawStream('', 'BT /F 12 Tf 10 10 Td (abc) Tj ET'),
  ]);
}

/** The text of each page, trimmed. */
export function pageTexts(path: string, password?: string): string[] {
  const unlock = password === undefined ? [] : ['-upw', password];
  return run('pdftotext', '-layout', ...unlock, path, '-')
    .split('\f')
    .slice(0, -1)
    .map((text) => text.trim());
}

/** Fails unless qpdf finds nothing wrong with the file. */
export function expectSound(path: string, password = ''): void {
  run('qpdf', '--check', `--password=${password}`, path);
}

/**
 * Writes a PDF of hand-made objects: number n is `bodies[n - 1]`, number 1 the catalog.
 * @param trailer Entries of the trailer besides /Size and /Root.
 */
export function rawPdf(path: string, bodies: readonly string[], trailer = ''): string {
  const parts = ['%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n'];
  let offset = parts[0]?.length ?? 0;
  const offsets = bodies.map((body, index) => {
    const start = offset;
    const part = `${index + 1} 0 obj\n${body}\nendobj\n`;
    parts.push(part);
    offset += part.length;
    return start;
  });
  const rows = offsets.map((start) => `${String(start).padStart(10, '0')} 00000 n \n`);
  const size = bodies.length + 1;
  parts.push(`xref\n0 ${size}\n0000000000 65535 f \n`, ...rows);
  parts.push(`trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${offset}\n%%EOF\n`);
  writeFileSync(path, parts.join(''), 'latin1');
  return path;
}

/** A stream object's body. */
export function rawStream(dictionary: string, data: string): string {
  return `<< ${dictionary} /Length ${data.length} >>\nstream\n${data}\nendstream`;
}

/** An engine that does no work: for what has to go without qpdf. */
export function noEngine(at?: (name: string) => string): Engine {
  let files = 0;
  return new Proxy({} as Engine, {
    get: (_, name) => {
      if (name === 'temporary' && at !== undefined)
        return (extension: string) => at(`${files++}.${extension}`);
      throw new Error(`qpdf was asked for ${String(name)}`);
    },
  });
}
