import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { debianSource } from '../../../bench/debian-source.ts';
import { buildFontsLayer } from '../../../layers/fonts/build.ts';
import { embeddingOf } from '../../../packages/factur-x/src/embedding.ts';
import { documented, xmlOf } from '../../../packages/factur-x/test/invoices.ts';
import { isPlatenError } from '../../../packages/core/src/errors.ts';
import { withRepair } from '../../../packages/pdf/src/operations/repair.ts';
import { processPdfs, type Step } from '../../../packages/pdf/src/steps/index.ts';
import { judge } from '../../conformance/verapdf.ts';
import { Random } from '../../support/random.ts';
import { richPdf } from '../rich.ts';

/**
 * Carries out every step on PDFs of folders, in threads as the functions do, and looks at each result with qpdf. Without a
 * folder: the test suite in Debian's source package of qpdf, of which many files are broken on purpose.
 *
 *   node test/pdf/steps/verify.ts [folder …] [--files=400] [--minutes=20] [--largest=1000] [--seed=1]
 *     [--steps=fill,words] [--conformant=folder]
 *
 * `--largest` is the size of the files that are taken, in KB; none is begun after `--minutes`. `--conformant` is a folder of
 * files that veraPDF takes for PDF/A or PDF/UA, in folders named after its flavours (`2b`, `ua1`): what the steps make of
 * them has to be so too. Fails where a step ends otherwise than with a result or an error of the contract, takes longer than
 * its limits, or qpdf refuses a result and not the file; where it only warns of a result, that is told.
 */

const TIMEOUT = 20_000;
const { values: wanted, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    files: { type: 'string', default: '400' },
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '20' },
    largest: { type: 'string', default: '1000' },
    steps: { type: 'string' },
    conformant: { type: 'string' },
  },
});
const scratch = mkdtempSync(join(tmpdir(), 'platen-verify-steps-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
const at = (name: string): string => join(scratch, name);
const { dist } = await buildFontsLayer();
const fonts = join(dist, 'fonts', 'files');

const other = richPdf(at('other.pdf'), 'other', 1);
writeFileSync(at('note.txt'), 'a note');
await sharp({ create: { width: 40, height: 40, channels: 4, background: '#ff000080' } })
  .png()
  .toFile(at('red.png'));

const invoice = embeddingOf(Buffer.from(xmlOf(documented(), 'en16931')), 'en16931', new Date(0));

const STEPS: Readonly<Record<string, Step>> = {
  merge: { name: 'merge', options: {} },
  pages: { name: 'pages', options: { pages: '1,1' } },
  rotate: { name: 'rotate', options: { angle: 90 } },
  scale: { name: 'scale', options: { paper: { width: 420, height: 595, follows: true } } },
  impose: { name: 'impose', options: { columns: 2 } },
  text: { name: 'stamp', options: { text: 'Stamp Ж', angle: 30, opacity: 0.5 } },
  image: { name: 'watermark', options: { image: at('red.png'), position: 'top-right' } },
  page: { name: 'stamp', options: { pdf: other, scale: 0.3 } },
  html: { name: 'stamp', options: { html: '<p>printed', position: 'bottom-left' } },
  numbers: { name: 'page_numbers', options: {} },
  letterhead: { name: 'letterhead', options: { pdf: other } },
  attach: { name: 'attach', options: { files: [{ file: at('note.txt'), name: 'note.txt' }] } },
  outline: { name: 'outline', options: { items: [{ title: 'Start', page: 1 }] } },
  metadata: { name: 'metadata', options: { Title: 'Title' } },
  fill: { name: 'fill', options: { data: {}, images: {} } },
  flatten: { name: 'flatten', options: {} },
  areas: { name: 'redact', options: { areas: [{ page: 1, x: 2, y: 2, w: 8, h: 8 }] } },
  words: { name: 'redact', options: { words: ['the', 'page'] } },
  compress: { name: 'compress', options: { quality: 'medium' } },
  conform: { name: 'conform', options: { levels: ['pdf/a-2b'], onViolation: 'warn' } },
  factur_x: { name: 'factur_x', options: { invoice } },
  decrypt: { name: 'decrypt', options: {} },
  encrypt: { name: 'encrypt', options: { password: 'pw' } },
  linearize: { name: 'linearize', options: {} },
};
const names = wanted.steps === undefined ? Object.keys(STEPS) : wanted.steps.split(',');

interface Outcome {
  /** `200` or the code of the error. */
  answer: string;
  milliseconds: number;
}

/** Carries out one step on a file, which is repaired where it must be. */
async function carryOut(name: string, path: string, output: string): Promise<Outcome> {
  const step = STEPS[name];
  if (step === undefined) throw new Error(`there is no step ${name}`);
  const started = performance.now();
  const limits = { timeout: TIMEOUT };
  const inputs = name === 'merge' ? [path, path] : [path];
  let answer = '200';
  try {
    const given = inputs.map((file, index) => ({ path: file, name: `file${index}` }));
    const spent = { milliseconds: 0 };
    await withRepair(given, mkdtempSync(at('repair-')), { limits, spent }, (readable) =>
      processPdfs(
        {
          inputs: readable,
          output,
          steps: [step],
          breakSignatures: true,
          place: null,
          fonts,
          printHtml: (stamps) => Promise.resolve(printed(stamps.sheets.length)),
        },
        { limits, spent },
      ),
    );
  } catch (error) {
    answer = isPlatenError(error) ? error.code : `internal_error: ${String(error).slice(0, 300)}`;
  }
  return { answer, milliseconds: performance.now() - started };
}

/** Stands for what a browser prints: as many pages as are asked for. */
function printed(count: number): Uint8Array {
  const path = at(`printed-${count}.pdf`);
  spawnSync('qpdf', [
    '--empty',
    '--pages',
    ...Array.from({ length: count }, () => [other, '1']).flat(),
    '--',
    path,
  ]);
  return readFileSync(path);
}

/** How qpdf leaves a check: 0, 3 with warnings, 2 with errors. */
function checked(path: string): number {
  const args = [`--as=${2 ** 31}`, 'qpdf', '--check', '--password=pw', path];
  return spawnSync('prlimit', args, { maxBuffer: 2 ** 30, timeout: 60_000 }).status ?? 2;
}

function pdfsIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.toLowerCase().endsWith('.pdf'))
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .sort();
}

/** As many of them as are asked for, the same for the same seed. */
function some(paths: readonly string[], count: number): string[] {
  const random = new Random(Number(wanted.seed));
  const rest = [...paths];
  const chosen: string[] = [];
  while (chosen.length < count && rest.length > 0) chosen.push(...rest.splice(random.below(rest.length), 1));
  return chosen.sort();
}

const faults: string[] = [];
const note = (fault: string): void => {
  faults.push(fault);
  console.log(`FAULT ${fault}`);
};

const folders = positionals.length > 0 ? positionals : [debianSource('qpdf')];
const fitting = folders
  .flatMap(pdfsIn)
  .filter((path) => statSync(path).size <= Number(wanted.largest) * 1024);
const files = some(fitting, Number(wanted.files));
const counts = new Map<string, Map<string, number>>();
let slowest = { name: '', milliseconds: 0 };
let done = 0;
for (const path of files) {
  if (performance.now() > Number(wanted.minutes) * 60_000) break;
  done++;
  const before = checked(path);
  for (const name of names) {
    const output = at('output.pdf');
    const { answer, milliseconds } = await carryOut(name, path, output);
    const label = `${name} of ${basename(path)}`;
    const of = counts.get(name) ?? new Map<string, number>();
    counts.set(name, of.set(answer, (of.get(answer) ?? 0) + 1));
    if (answer.startsWith('internal_error')) note(`${label}: ${answer}`);
    if (milliseconds > 3 * TIMEOUT) note(`${label}: hung for ${Math.round(milliseconds)} ms`);
    if (milliseconds > slowest.milliseconds) slowest = { name: label, milliseconds };
    if (answer !== '200') continue;
    const after = checked(output);
    if (after === 2 && before !== 2) note(`${label}: qpdf refuses it`);
    else if (after === 3 && before === 0) console.log(`warned of: ${label}`);
    rmSync(output, { force: true });
  }
}
for (const [name, of] of counts)
  console.log(`${name}: ${Array.from(of, ([answer, count]) => `${answer} ${count}`).join(', ')}`);
console.log(`slowest: ${slowest.name}, ${Math.round(slowest.milliseconds)} ms`);

/** Steps after which a file cannot be what it was: PDF/A knows no encryption. */
const UNLIKE = new Set(['encrypt']);

/** Carries out the steps on conformant files, and has veraPDF judge the results. */
async function verifyConformant(folder: string): Promise<number> {
  let judged = 0;
  for (const flavour of readdirSync(folder)) {
    const given = pdfsIn(join(folder, flavour));
    const unfit = await judge(flavour, given);
    const fit = given.filter((path) => !unfit.has(basename(path)));
    const target = mkdtempSync(at(`${flavour}-`));
    const results: string[] = [];
    for (const name of names.filter((step) => !UNLIKE.has(step))) {
      for (const path of fit) {
        const output = join(target, `${name}-${basename(path)}`);
        const { answer } = await carryOut(name, path, output);
        if (answer === '200') results.push(output);
        else if (answer.startsWith('internal_error')) note(`${name} of ${basename(path)}: ${answer}`);
      }
    }
    judged += results.length;
    for (const [file, rules] of await judge(flavour, results))
      note(`${flavour}: ${file}: ${rules.join('; ')}`);
    rmSync(target, { recursive: true });
  }
  return judged;
}

const judged = wanted.conformant === undefined ? 0 : await verifyConformant(wanted.conformant);
console.log(`${done} files, ${names.length} steps each; ${judged} results judged by veraPDF`);
console.log(faults.length === 0 ? 'no fault' : `${faults.length} faults`);
process.exitCode = faults.length === 0 ? 0 : 1;
