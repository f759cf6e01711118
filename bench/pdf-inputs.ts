import { execFileSync } from 'node:child_process';
import { copyFileSync, writeFileSync } from 'node:fs';
import { PDFDocument } from 'pdf-lib';
import sharp from 'sharp';

/** Documents for measurements, the same in every run. */

/** A pseudo-random number generator: the same seed gives the same numbers. */
function numbers(seed: number): () => number {
  let state = seed + 1;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state;
  };
}

function run(program: string, ...args: string[]): void {
  execFileSync(program, args, { stdio: 'ignore' });
}

/** Returns pages of random words, about 5 KB each, with an entry of the outline for every tenth. */
export function textPdf(path: string, options: { seed: number; pages: number; outline: boolean }): string {
  const next = numbers(options.seed);
  const lines = ['/Helvetica findfont 9 scalefont setfont'];
  for (let page = 1; page <= options.pages; page++) {
    if (options.outline && page % 10 === 1)
      lines.push(`[ /Title (Chapter ${page}) /Page ${page} /OUT pdfmark`);
    for (let line = 0; line < 70; line++) {
      const words = Array.from({ length: 16 }, () =>
        (next() >>> 4).toString(36).slice(0, 1 + ((next() >>> 28) % 7)),
      );
      lines.push(`40 ${780 - line * 10} moveto (${words.join(' ')}) show`);
    }
    lines.push('showpage');
  }
  writeFileSync(`${path}.ps`, lines.join('\n'));
  run('gs', '-q', '-dBATCH', '-dNOPAUSE', '-sDEVICE=pdfwrite', `-sOutputFile=${path}`, `${path}.ps`);
  return path;
}

/** Returns photographs of noise, one megabyte each. */
export async function bigPdf(path: string, seed: number, bytes: number): Promise<string> {
  const next = numbers(seed);
  const document = await PDFDocument.create();
  for (let total = 0; total < bytes;) {
    const noise = new Uint32Array(1000 * 750);
    for (let index = 0; index < noise.length; index++) noise[index] = next();
    const raw = { width: 1000, height: 1000, channels: 3 as const };
    const jpeg = await sharp(new Uint8Array(noise.buffer), { raw }).jpeg({ quality: 85 }).toBuffer();
    total += jpeg.length;
    const image = await document.embedJpg(jpeg);
    document.addPage([500, 500]).drawImage(image, { x: 0, y: 0, width: 500, height: 500 });
  }
  writeFileSync(path, await document.save());
  return path;
}

export function onePagers(at: (name: string) => string, count: number): string[] {
  const first = textPdf(at('one.pdf'), { seed: 5, pages: 1, outline: false });
  return Array.from({ length: count }, (_, n) => {
    copyFileSync(first, at(`one-${n}.pdf`));
    return at(`one-${n}.pdf`);
  });
}

/** Returns two hundred documents with a letterhead and a font each, merged without removing duplicates. */
export function duplicates(path: string, at: (name: string) => string): string {
  run('convert', '-seed', '7', '-size', '300x300', 'plasma:', '-depth', '8', at('head.png'));
  run('img2pdf', at('head.png'), '-o', at('head.pdf'));
  const copies = Array.from({ length: 200 }, (_, n) => {
    copyFileSync(at('head.pdf'), at(`head-${n}.pdf`));
    return at(`head-${n}.pdf`);
  });
  run('qpdf', '--empty', '--pages', ...copies, '--', path);
  return path;
}

/** Returns pictures at 300 dpi, as PNG and as JPEG. */
export function drawings(path: string, at: (name: string) => string): string {
  const files = [1, 2, 3, 4].map((seed) => {
    const png = at(`picture${seed}.png`);
    run(
      'convert',
      '-seed',
      String(seed),
      '-size',
      '1200x1200',
      'plasma:',
      '-blur',
      '0x2',
      '-depth',
      '8',
      png,
    );
    if (seed % 2 === 0) return png;
    run('convert', png, '-quality', '95', at(`picture${seed}.jpg`));
    return at(`picture${seed}.jpg`);
  });
  run('img2pdf', ...files, '--imgsize', '288x288', '-o', path);
  return path;
}
