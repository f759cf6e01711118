import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { imagesOfPages } from '../functions/pdf/images.ts';
import { mergePdfs } from '../functions/pdf/merge.ts';
import { editPdfMetadata } from '../functions/pdf/metadata.ts';
import { splitPdf, splitPdfToZip } from '../functions/pdf/split.ts';
import { compressPdf, encryptPdf, inspectPdf } from '../functions/shared/pdf/index.ts';
import { bigPdf, drawings, duplicates, onePagers, textPdf } from './pdf-inputs.ts';

/**
 * Measures each operation beside the native tools that do the same (or less), in one run.
 *
 *   node bench/pdf.ts [part of a name]
 *
 * Ours: one call in a running process, its thread included. Theirs: a whole process. "Start" is what a call on a
 * document of one page takes, and a native process on the same; the ratio is of what goes beyond. Memory is the peak
 * above that of the idle process.
 */

const limits = { timeout: 600_000, memory: 1 << 30 };
const [only = ''] = process.argv.slice(2);

interface Case {
  name: string;
  ours: () => Promise<unknown>;
  /** Commands of other programs; the first is what ours is measured against. */
  others: string[][];
  /** Files whose sizes are compared, by who wrote them. */
  sizes?: Record<string, string>;
}

const folder = mkdtempSync(join(tmpdir(), 'platen-bench-pdf-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const at = (name: string): string => join(folder, name);

/** Median milliseconds of a few runs; fewer of what takes long. */
async function measure(work: () => unknown): Promise<number> {
  const times: number[] = [];
  for (
    const started = performance.now();
    times.length < 3 || (times.length < 7 && performance.now() - started < 4000);
  ) {
    const before = performance.now();
    await work();
    times.push(performance.now() - before);
  }
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}

async function peakMemory(work: () => Promise<unknown>): Promise<number> {
  globalThis.gc?.();
  const idle = process.memoryUsage.rss();
  let peak = idle;
  const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 5);
  await work();
  clearInterval(timer);
  return (peak - idle) / 2 ** 20;
}

function native([program = '', ...args]: readonly string[]): void {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  // 3: qpdf has warned.
  if (status !== 0 && status !== 3) throw new Error(`${program} ${args.join(' ')}: ${stderr}`);
}

async function cases(): Promise<Case[]> {
  const big = [await bigPdf(at('big0.pdf'), 0, 100e6), await bigPdf(at('big1.pdf'), 1, 100e6)];
  const plain = Array.from({ length: 10 }, (_, n) =>
    textPdf(at(`plain${n}.pdf`), { seed: n, pages: 200, outline: false }),
  );
  const outlined = Array.from({ length: 10 }, (_, n) =>
    textPdf(at(`outlined${n}.pdf`), { seed: n, pages: 200, outline: true }),
  );
  const thousand = textPdf(at('thousand.pdf'), { seed: 77, pages: 1000, outline: true });
  const small = onePagers(at, 200);
  const same = duplicates(at('same.pdf'), at);
  const pictures = drawings(at('pictures.pdf'), at);
  const inputs = (paths: readonly string[]): { path: string }[] => paths.map((path) => ({ path }));
  const merge = (name: string, paths: readonly string[]): Case => ({
    name: `merge ${name}`,
    ours: () => mergePdfs(inputs(paths), at('ours.pdf'), { limits }),
    others: [
      ['qpdf', '--empty', '--pages', ...paths.flatMap((path) => [path, '1-z']), '--', at('native.pdf')],
    ],
    sizes: { ours: 'ours.pdf', qpdf: 'native.pdf' },
  });
  const compress = (name: string, path: string, quality: 'lossless' | 'medium'): Case => ({
    name: `compress ${name}, ${quality}`,
    ours: () => compressPdf(path, at('ours.pdf'), { quality }, { limits }),
    others: [
      [
        'qpdf',
        path,
        '--object-streams=generate',
        '--recompress-flate',
        '--compression-level=9',
        at('native.pdf'),
      ],
      ['mutool', 'clean', '-gggg', '-z', path, at('mutool.pdf')],
      [
        'gs',
        '-q',
        '-dBATCH',
        '-dNOPAUSE',
        '-sDEVICE=pdfwrite',
        '-dPDFSETTINGS=/ebook',
        `-sOutputFile=${at('gs.pdf')}`,
        path,
      ],
    ],
    sizes: { input: path, ours: 'ours.pdf', qpdf: 'native.pdf', mutool: 'mutool.pdf', 'gs /ebook': 'gs.pdf' },
  });
  const tens = Array.from({ length: 100 }, (_, n) => [n * 10 + 1, n * 10 + 10]);
  const odd = Array.from({ length: 20 }, (_, n) => [n * 7 + 1, n * 7 + 5]);
  return [
    merge('2 x 100 MB', big),
    merge('10 x 1 MB, nothing but pages', plain),
    merge('10 x 1 MB with outlines', outlined),
    merge('200 x 1 page', small),
    {
      name: 'split 10 of 1000 pages',
      ours: () => splitPdf({ path: thousand }, [1, 10], at('ours.pdf'), { limits }),
      others: [['qpdf', '--empty', '--pages', thousand, '1-10', '--', at('native.pdf')]],
    },
    {
      name: 'split 1000 pages into 100 parts',
      ours: () =>
        splitPdfToZip({ path: thousand }, tens, at('ours.zip'), { name: 'a', scratch: folder }, { limits }),
      others: [['qpdf', thousand, '--split-pages=10', at('part-%d.pdf')]],
    },
    {
      name: 'split into 20 groups of any pages',
      ours: () =>
        splitPdfToZip({ path: thousand }, odd, at('ours.zip'), { name: 'a', scratch: folder }, { limits }),
      others: [
        [
          'bash',
          '-c',
          odd
            .map(([a, b], n) => `qpdf --empty --pages ${thousand} ${a}-${b} -- ${at(`odd-${n}.pdf`)}`)
            .join(';'),
        ],
      ],
    },
    compress('1 MB of text', outlined[0] ?? '', 'lossless'),
    compress('pictures as PNG and JPEG', pictures, 'lossless'),
    compress('pictures as PNG and JPEG', pictures, 'medium'),
    compress('200 pages with the same picture and font', same, 'lossless'),
    {
      name: 'metadata of 100 MB',
      ours: () => editPdfMetadata({ path: big[0] ?? '' }, at('ours.pdf'), { Title: 'x' }, { limits }),
      others: [['qpdf', big[0] ?? '', at('native.pdf')]],
    },
    {
      name: 'encrypt 100 MB',
      ours: () => encryptPdf(big[0] ?? '', at('ours.pdf'), { userPassword: 'u' }, { limits }),
      others: [['qpdf', big[0] ?? '', '--encrypt', 'u', 'o', '256', '--', at('native.pdf')]],
    },
    {
      name: '10 pages as PNG, 150 dpi',
      ours: () =>
        imagesOfPages(
          { path: thousand },
          { format: 'png', pages: '1-10', name: 'a', scratch: folder },
          { limits },
        ),
      others: [
        ['pdftoppm', '-r', '150', '-png', '-l', '10', thousand, at('page')],
        ['mutool', 'draw', '-q', '-r', '150', '-o', at('page-%d.png'), thousand, '1-10'],
      ],
    },
  ];
}

const tiny = textPdf(at('tiny.pdf'), { seed: 1, pages: 1, outline: false });
const start = {
  ours: await measure(() => inspectPdf(tiny)),
  theirs: await measure(() => native(['qpdf', '--show-npages', tiny])),
};
console.log(`start: ours ${start.ours.toFixed(0)} ms, native qpdf ${start.theirs.toFixed(0)} ms\n`);

for (const { name, ours, others, sizes } of await cases()) {
  if (!name.includes(only)) continue;
  await ours();
  const time = await measure(ours);
  const memory = await peakMemory(ours);
  const [first = 0, ...rest] = await measureAll(others);
  const beyond = (time - start.ours) / Math.max(1, first - start.theirs);
  console.log(name);
  console.log(
    `  ours ${time.toFixed(0)} ms, ${memory.toFixed(0)} MB; ${others.map(([program], n) => `${program} ${[first, ...rest][n]?.toFixed(0)} ms`).join(', ')}; ratio ${(time / first).toFixed(2)}, beyond start ${beyond.toFixed(2)}`,
  );
  if (sizes !== undefined) {
    const bytes = Object.entries(sizes).map(
      ([who, file]) => `${who} ${statSync(file.startsWith('/') ? file : at(file)).size}`,
    );
    console.log(`  bytes: ${bytes.join(', ')}`);
  }
}

async function measureAll(commands: readonly string[][]): Promise<number[]> {
  const times: number[] = [];
  for (const command of commands) times.push(await measure(() => native(command)));
  return times;
}
