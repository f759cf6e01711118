/**
 * Measures images to PDF. A JPEG and a PNG of 12 megapixels are compared with img2pdf (Debian's package), in turns:
 * within a running process, and as a process of its own. Then the time and memory of every other type. Files that are
 * given as arguments are measured as well.
 */
import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { localGhostscript } from '../test/support/local-engines.ts';
import { imageDocument } from '../functions/images/image-document.ts';
import { buildFontsLayer } from '../layers/fonts/build.ts';
import { bundleFunctions } from '../lib/artifacts/bundle.ts';
import { FUNCTIONS } from '../lib/functions.ts';
import { median, timed } from './figures.ts';

const run = promisify(execFile);
const ROOT = path.resolve(import.meta.dirname, '..');
const [WIDTH, HEIGHT] = [4000, 3000];
const ROUNDS = { inside: 15, processes: 7, others: 3 };

/** img2pdf as a library, in a Python process that is already running. */
const PYTHON = `
import sys, time, img2pdf
for line in sys.stdin:
    data = open(line.strip(), 'rb').read()
    started = time.perf_counter()
    img2pdf.convert(data)
    print((time.perf_counter() - started) * 1000, flush=True)
`;

const folder = await mkdtemp(path.join(tmpdir(), 'platen-bench-'));
const fontFolder = path.join((await buildFontsLayer()).dist, 'fonts', 'files');
const engines = { fontFolder, converter: localGhostscript() };

try {
  const files = await makeFiles();
  console.log(`${WIDTH} x ${HEIGHT} pixels; medians\n`);
  await insideOneProcess(files);
  const once = await bundled();
  await oneProcessEach(files, once);
  await others(files, once);
} finally {
  await rm(folder, { recursive: true, force: true });
}

interface Files {
  jpeg: string;
  png: string;
  more: string[];
}

async function makeFiles(): Promise<Files> {
  const raw = { width: WIDTH, height: HEIGHT, channels: 3 } as const;
  const picture = sharp(photograph(), { raw });
  const at = (name: string): string => path.join(folder, name);
  await picture.clone().jpeg({ quality: 90 }).toFile(at('p.jpg'));
  await writeFile(at('p.png'), inOneChunk(await picture.clone().png().toBuffer()));
  const makers: [string, () => Promise<unknown>][] = [
    ['p.webp', () => picture.clone().webp().toFile(at('p.webp'))],
    ['p.gif', () => picture.clone().gif({ effort: 1 }).toFile(at('p.gif'))],
    ['p.tiff', () => picture.clone().tiff({ compression: 'lzw' }).toFile(at('p.tiff'))],
    ['alpha.png', () => picture.clone().ensureAlpha(0.5).png().toFile(at('alpha.png'))],
    ['p.bmp', () => run('convert', [at('p.jpg'), at('p.bmp')])],
    ['p.psd', () => run('convert', [at('p.jpg'), '-depth', '8', at('p.psd')])],
    ['p.ico', () => run('convert', [at('p.jpg'), '-resize', '256x256', at('p.ico')])],
    ['p.heic', () => run('heif-enc', ['-q', '80', at('p.jpg'), '-o', at('p.heic')])],
    ['p.svg', () => writeFile(at('p.svg'), drawing())],
    ['p.eps', () => writeFile(at('p.eps'), postScript())],
    [
      'p.ai',
      () =>
        run('gs', [
          '-q',
          '-dBATCH',
          '-dNOPAUSE',
          '-dEPSCrop',
          '-sDEVICE=pdfwrite',
          '-o',
          at('p.ai'),
          at('p.eps'),
        ]),
    ],
  ];
  const more: string[] = [];
  for (const [name, make] of makers) {
    try {
      await make();
      more.push(at(name));
    } catch {
      console.log(`${name}: cannot be made here`);
    }
  }
  return {
    jpeg: at('p.jpg'),
    png: at('p.png'),
    more: [...more, ...process.argv.slice(2)],
  };
}

/** Returns smooth colours with the noise of a sensor. */
function photograph(): Buffer {
  const pixels = Buffer.alloc(WIDTH * HEIGHT * 3);
  let seed = 1;
  for (let i = 0, y = 0; y < HEIGHT; y += 1) {
    for (let x = 0; x < WIDTH; x += 1, i += 3) {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
      const noise = (seed >> 16) & 15;
      pixels[i] = (x / 16 + noise) & 255;
      pixels[i + 1] = (y / 12 + noise) & 255;
      pixels[i + 2] = ((x + y) / 28 + noise) & 255;
    }
  }
  return pixels;
}

/**
 * Returns a PNG with all its data in one IDAT chunk. With chunks of 8 KB, as libpng writes them, img2pdf takes 40
 * seconds instead of one, which would be no fair comparison.
 */
function inOneChunk(png: Buffer): Buffer {
  const parts: Buffer[] = [];
  const data: Buffer[] = [];
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at);
    const chunk = png.subarray(at, at + 12 + length);
    if (chunk.toString('latin1', 4, 8) === 'IDAT') data.push(chunk.subarray(8, 8 + length));
    else parts.push(chunk);
    at += 12 + length;
  }
  const body = Buffer.concat([Buffer.from('IDAT'), ...data]);
  const head = Buffer.alloc(4);
  head.writeUInt32BE(body.length - 4);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  const end = parts.pop() ?? Buffer.alloc(0);
  return Buffer.concat([png.subarray(0, 8), ...parts, head, body, checksum, end]);
}

function drawing(): string {
  const shapes = Array.from({ length: 2000 }, (_, i) => {
    const [x, y] = [(i * 97) % 1200, (i * 61) % 900];
    return `<path d="M${x} ${y}c40 10 60 50 20 90s-80 10-20-90" fill="hsl(${i % 360} 70% 50%)" opacity=".5"/>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="900">${shapes.join('')}<text x="99" y="99">Text</text></svg>`;
}

function postScript(): string {
  const shapes = Array.from({ length: 2000 }, (_, i) => {
    const [x, y] = [(i * 97) % 1200, (i * 61) % 900];
    return `${(i % 10) / 10} .5 .5 setrgbcolor ${x} ${y} moveto ${x + 40} ${y} ${x + 60} ${y + 50} ${x} ${y + 90} curveto fill`;
  });
  return `%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 1200 900\n%%EndComments\n${shapes.join('\n')}\nshowpage\n%%EOF\n`;
}

async function insideOneProcess({ jpeg, png }: Files): Promise<void> {
  // Debian's package requires Debian's Python.
  const python = spawn('/usr/bin/python3', ['-c', PYTHON], { stdio: ['pipe', 'pipe', 'inherit'] });
  const answers = createInterface({ input: python.stdout })[Symbol.asyncIterator]();
  console.log('within a running process      platen   img2pdf   ratio');
  for (const [name, file, rounds] of [
    ['JPEG', jpeg, ROUNDS.inside],
    ['PNG', png, ROUNDS.inside],
  ] as const) {
    const image = { bytes: await readFile(file), hints: [] };
    const [ours, theirs]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round += 1) {
      ours.push(await timed(() => imageDocument(image, {}, engines, { deadline: Date.now() + 60_000 })));
      python.stdin.write(`${file}\n`);
      theirs.push(Number((await answers.next()).value));
    }
    report(name, median(ours), median(theirs));
  }
  python.kill();
}

/** Bundles the function's code as for deployment, with a main module of its own. @returns the folder */
async function bundled(): Promise<string> {
  const outdir = path.join(folder, 'bundle');
  const spec = { ...FUNCTIONS.images, entry: 'bench/images-once.ts' };
  await bundleFunctions(ROOT, new Map([['images', spec]]), outdir);
  await symlink(path.join(ROOT, 'node_modules'), path.join(outdir, 'images', 'node_modules'));
  return path.join(outdir, 'images', 'index.mjs');
}

async function oneProcessEach({ jpeg, png }: Files, once: string): Promise<void> {
  console.log('\na process of its own          platen   img2pdf   ratio');
  const output = path.join(folder, 'out.pdf');
  for (const [name, file] of [
    ['JPEG', jpeg],
    ['PNG', png],
  ] as const) {
    const [ours, theirs]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS.processes; round += 1) {
      ours.push(await timed(() => run(process.execPath, [once, file, output])));
      theirs.push(await timed(() => run('img2pdf', [file, '-o', output])));
    }
    report(name, median(ours), median(theirs));
  }
}

function report(name: string, ours: number, theirs: number): void {
  const [a, b] = [ours, theirs].map((value) => value.toFixed(1).padStart(9));
  console.log(`${name.padEnd(26)}${a} ${b}    ${(ours / theirs).toFixed(2)}`);
}

async function others({ more }: Files, once: string): Promise<void> {
  console.log('\na process of its own            ms    MB at most   PDF, KB');
  const output = path.join(folder, 'out.pdf');
  for (const file of more) {
    const times: number[] = [];
    let memory = '';
    try {
      for (let round = 0; round < ROUNDS.others; round += 1) {
        times.push(
          await timed(async () => {
            ({ stdout: memory } = await run(process.execPath, [once, file, output, fontFolder]));
          }),
        );
      }
    } catch (error) {
      console.log(`${path.basename(file)}: ${String(error).split('\n')[0]}`);
      continue;
    }
    const size = Math.round((await readFile(output)).length / 1024);
    console.log(
      `${path.basename(file).padEnd(26)}${median(times).toFixed(0).padStart(8)} ${memory.trim().padStart(13)} ${String(size).padStart(9)}`,
    );
  }
}
