import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fontConfiguration } from '../../functions/convert/fonts.ts';
import { CONFINED } from '../support/confined.ts';
import { LibreOffice, type LibreOfficeOptions } from '../../functions/convert/libreoffice/engine.ts';

/** A LibreOffice for tests, and looks at what it makes. */

export interface TestOffice {
  office: LibreOffice;
  workDir: string;
  /** Ends it. */
  close: () => Promise<void>;
}

export function startOffice(options: Partial<LibreOfficeOptions> = {}): TestOffice {
  const workDir = mkdtempSync(path.join(tmpdir(), 'platen-convert-test-'));
  // Not in the folder of what runs, in which nothing may be left.
  const fonts = mkdtempSync(path.join(tmpdir(), 'platen-convert-fonts-'));
  const office = new LibreOffice({
    place: null,
    workDir,
    fontConfig: fontConfiguration(fonts, true),
    startTimeout: 240_000,
    maxMemory: 2 * 1024 ** 3,
    maxResultBytes: 256 * 1024 ** 2,
    documentsPerProcess: 1_000,
    confinement: CONFINED,
    ...options,
  });
  return {
    office,
    workDir,
    close: async () => {
      await office.close();
      for (const folder of [workDir, fonts]) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Prints a document to PDF, and collects the warnings. */
export async function printed(
  { office }: TestOffice,
  document: Uint8Array,
  from: 'docx' | 'odt' = 'docx',
): Promise<{ pdf: Buffer; warnings: string[] }> {
  const warnings: string[] = [];
  const warn = (text: string): void => void warnings.push(text);
  const pdf = await office.convert({ document, from, to: 'pdf', title: null, warn, timeout: 120_000 });
  return { pdf, warnings };
}

/** Processes of LibreOffice and its host that work below a folder, by id. Zombies count. */
export function processesOf(workDir: string): { pid: number; name: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const isOurs = readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(workDir);
        const name = readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
        return isOurs ? [{ pid: Number(pid), name }] : [];
      } catch {
        // It has ended meanwhile.
        return [];
      }
    });
}

/** Id of LibreOffice itself. */
export function officePid(workDir: string): number {
  const found = processesOf(workDir).find(({ name }) => name.startsWith('soffice'));
  if (!found) throw new Error('LibreOffice does not run.');
  return found.pid;
}

/** Runs `look` with the bytes as a file. */
export function asFile<T>(bytes: Uint8Array, look: (file: string) => T): T {
  const folder = mkdtempSync(path.join(tmpdir(), 'platen-look-'));
  try {
    const file = path.join(folder, 'document');
    writeFileSync(file, bytes);
    return look(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export function pdfText(pdf: Uint8Array): string {
  return asFile(pdf, (file) => execFileSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' }));
}

/** What pdfinfo says, a line each. */
export function pdfInfo(pdf: Uint8Array): string {
  return asFile(pdf, (file) => execFileSync('pdfinfo', [file], { encoding: 'utf8' }));
}

/** Entries of a ZIP file with their text, put together. */
export function zipText(bytes: Uint8Array): string {
  return asFile(bytes, (file) =>
    execFileSync('unzip', ['-p', file], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }),
  );
}

/** Whether any point of page 1 is of this colour (red, green, blue). */
export function showsColour(pdf: Uint8Array, [red, green, blue]: readonly [number, number, number]): boolean {
  const ppm = asFile(pdf, (file) =>
    execFileSync('pdftoppm', ['-r', '20', '-f', '1', '-l', '1', file], { maxBuffer: 64 * 1024 * 1024 }),
  );
  const head = /^P6\s+\d+\s+\d+\s+255\s/.exec(ppm.toString('latin1', 0, 40))?.[0].length ?? 0;
  for (let at = head; at + 2 < ppm.length; at += 3) {
    if (ppm[at] === red && ppm[at + 1] === green && ppm[at + 2] === blue) return true;
  }
  return false;
}
