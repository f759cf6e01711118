import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { imagesOfPages } from '../packages/pdf/src/operations/images.ts';
import { mergePdfs } from '../packages/pdf/src/operations/merge.ts';
import { editPdfMetadata } from '../packages/pdf/src/operations/metadata.ts';
import { splitPdf, splitPdfToZip } from '../packages/pdf/src/operations/split.ts';
import { compressPdf, encryptPdf, inspectPdf } from '../packages/pdf/src/index.ts';
import { goal, highestMemory } from './figures.ts';
import { bigPdf, drawings, duplicates, onePagers, textPdf } from './pdf-inputs.ts';

/**
 * Compares each operation with the native tools that do the same (or less), in one run.
 *
 *   npm run bench -- pdf [part of a name]
 *
 * Ours: one call in a running process, its thread included. Theirs: a whole process. "Start" is the time of a call for
 * a document of one page, and of a native process for the same; the ratio leaves it out. Memory is the peak of a
 * process of its own minus its memory before.
 */

/** Megabytes that merging and splitting may take (`npm run bench -- --summary`). */
const MAX_MEMORY = 200;

const limits = { timeout: 600_000, memory: 1 << 30 };
const { values, positionals } = parseArgs({
  allowPositionals: true,
  // For a child process that runs one case with the inputs of a folder and prints its peak memory.
  options: { 'memory-of': { type: 'string' }, folder: { type: 'string' } },
});
const [only = ''] = positionals;
const given = values.folder;

interface Case {
  name: string;
  ours: () => Promise<unknown>;
  /** Commands of other programs; the ratio refers to the first one. */
  others: string[][];
  /** Files whose sizes are compared, by program. */
  sizes?: Record<string, string>;
}

const folder = given ?? mkdtempSync(join(tmpdir(), 'platen-bench-pdf-'));
if (given === undefined) process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const at = (name: string): string => join(folder, name);

interface Cost {
  /** Milliseconds of clock time. */
  wall: number;
  /** Milliseconds of processor time of all cores, which depends less on other load of the machine. */
  cpu: number;
}

/** Returns the median of some runs, and of fewer if they are slow. */
async function measure(work: () => Promise<number>): Promise<Cost> {
  const costs: Cost[] = [];
  const started = performance.now();
  while (costs.length < 3 || (costs.length < 9 && performance.now() - started < 4000)) {
    const before = performance.now();
    const cpu = await work();
    costs.push({ wall: performance.now() - before, cpu });
  }
  const median = (key: keyof Cost): number =>
    costs.map((cost) => cost[key]).sort((a, b) => a - b)[Math.floor(costs.length / 2)] ?? 0;
  return { wall: median('wall'), cpu: median('cpu') };
}

/** Returns milliseconds of processor time that work takes in all threads of this process. */
function own(work: () => Promise<unknown>): () => Promise<number> {
  return async () => {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
}

/** Returns megabytes that a case takes in a process of its own: this one's threads keep memory of earlier cases. */
function memoryOf(name: string): number {
  const args = [import.meta.filename, `--memory-of=${name}`, `--folder=${folder}`];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return Number(stdout);
}

/** Returns the same for another program, as the shell measures it. */
function native(command: readonly string[]): () => Promise<number> {
  const script = 'TIMEFORMAT="%3U %3S"; time "$@" >/dev/null 2>&1';
  return () => {
    const { status, stderr } = spawnSync('bash', ['-c', script, 'bash', ...command], { encoding: 'utf8' });
    // Exit code 3: qpdf has warned.
    if (status !== 0 && status !== 3) throw new Error(`${command.join(' ')}: ${stderr}`);
    const [user = 0, system = 0] = stderr.trim().split(' ').map(Number);
    return Promise.resolve((user + system) * 1000);
  };
}

interface Inputs {
  big: string[];
  plain: string[];
  outlined: string[];
  thousand: string;
  small: string[];
  same: string;
  pictures: string;
}

/** Writes the input files, or reads those in the given folder. */
async function writtenInputs(): Promise<Inputs> {
  const list = at('inputs.json');
  if (given !== undefined) return JSON.parse(readFileSync(list, 'utf8')) as Inputs;
  const texts = (name: string, outline: boolean): string[] =>
    Array.from({ length: 10 }, (_, n) => textPdf(at(`${name}${n}.pdf`), { seed: n, pages: 200, outline }));
  const inputs = {
    big: [await bigPdf(at('big0.pdf'), 0, 100e6), await bigPdf(at('big1.pdf'), 1, 100e6)],
    plain: texts('plain', false),
    outlined: texts('outlined', true),
    thousand: textPdf(at('thousand.pdf'), { seed: 77, pages: 1000, outline: true }),
    small: onePagers(at, 200),
    same: duplicates(at('same.pdf'), at),
    pictures: drawings(at('pictures.pdf'), at),
  };
  writeFileSync(list, JSON.stringify(inputs));
  return inputs;
}

async function cases(): Promise<Case[]> {
  const { big, plain, outlined, thousand, small, same, pictures } = await writtenInputs();
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
      ours: () => encryptPdf(big[0] ?? '', at('ours.pdf'), { password: 'u' }, { limits }),
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

/** Prints the megabytes that a case takes in this process. */
async function tellMemory(name: string): Promise<void> {
  const wanted = (await cases()).find((one) => one.name === name);
  if (wanted === undefined) throw new Error(`no such case: ${name}`);
  const before = highestMemory();
  await wanted.ours();
  console.log(highestMemory() - before);
}

/** Measures all cases and compares them with other programs. */
async function compareAll(): Promise<void> {
  const tiny = textPdf(at('tiny.pdf'), { seed: 1, pages: 1, outline: false });
  const start = {
    ours: await measure(own(() => inspectPdf(tiny))),
    theirs: await measure(native(['qpdf', '--show-npages', tiny])),
  };
  const shown = ({ wall, cpu }: Cost): string => `${wall.toFixed(0)} ms (cpu ${cpu.toFixed(0)})`;
  console.log(`start: ours ${shown(start.ours)}, native qpdf ${shown(start.theirs)}\n`);

  for (const { name, ours, others, sizes } of await cases()) {
    if (!name.includes(only)) continue;
    await ours();
    const time = await measure(own(ours));
    const memory = memoryOf(name);
    goal(`memory of ${name}`, memory, MAX_MEMORY, ' MB');
    const theirs: Cost[] = [];
    for (const command of others) theirs.push(await measure(native(command)));
    const [first = time] = theirs;
    const ratio = (key: keyof Cost): string => {
      const beyond = (time[key] - start.ours[key]) / Math.max(1, first[key] - start.theirs[key]);
      return `${(time[key] / first[key]).toFixed(2)}, beyond start ${beyond.toFixed(2)}`;
    };
    console.log(name);
    const rest = others.map(([program], index) => `${program} ${shown(theirs[index] ?? time)}`);
    console.log(`  ours ${shown(time)}, ${memory.toFixed(0)} MB; ${rest.join(', ')}`);
    console.log(`  ratio by the clock ${ratio('wall')}; by the processor ${ratio('cpu')}`);
    if (sizes !== undefined) {
      const bytes = Object.entries(sizes).map(
        ([who, file]) => `${who} ${statSync(file.startsWith('/') ? file : at(file)).size}`,
      );
      console.log(`  bytes: ${bytes.join(', ')}`);
    }
  }
}

if (values['memory-of'] === undefined) await compareAll();
else await tellMemory(values['memory-of']);
