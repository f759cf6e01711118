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
import { claimsOfFile } from '../../../packages/pdf/src/look/claims.ts';
import { compressPdf } from '../../../packages/pdf/src/index.ts';
import type { PdfNote } from '../../../packages/pdf/src/notes.ts';
import { editPdfMetadata } from '../../../packages/pdf/src/operations/metadata.ts';
import { withRepair } from '../../../packages/pdf/src/operations/repair.ts';
import { processPdfs, type Step } from '../../../packages/pdf/src/steps/index.ts';
import { keySigner, readPkcs12, signPdf } from '../../../packages/signatures/src/index.ts';
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
 * them has to be what it claims to be then, and that less is claimed has to be said. Fails where a step ends otherwise than with a result or an error of the contract, takes longer than
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
  text: { name: 'stamp', options: { text: 'Stamp Ж', angle: 30, opacity: 0.5, color: '#c00000' } },
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

/** What is done otherwise than by steps. */
const OTHERS: Readonly<Record<string, (path: string, output: string) => Promise<readonly PdfNote[] | void>>> =
  {
    /** Behind all other steps (functions/pdf), with a key of its own. */
    sign: async (path, output) =>
      writeFileSync(output, await signPdf(readFileSync(path), signer, { appearance: SEAL, fonts })),
    // The routes of these names, which write files in ways of their own.
    compress_route: (path, output) => compressPdf(path, output, { quality: 'medium' }, LIMITS),
    metadata_route: (path, output) => editPdfMetadata({ path }, output, { Title: 'Ж', Author: 'A' }, LIMITS),
    untitled_route: (path, output) => editPdfMetadata({ path }, output, { Title: null }, LIMITS),
  };
const LIMITS = { limits: { timeout: TIMEOUT } };

const SEAL = { page: 1, x: 2, y: 2, w: 5, h: 2, text: 'Signed Ж' };
const signer = keySigner(readPkcs12(ownKey(), 'word'));

function ownKey(): Buffer {
  const [key, certificate, file] = [at('key.pem'), at('certificate.pem'), at('key.p12')];
  const made = ['-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', certificate, '-days', '30'];
  spawnSync('openssl', ['req', '-x509', ...made, '-subj', '/CN=Verify']);
  const packed = ['-export', '-inkey', key, '-in', certificate, '-out', file, '-passout', 'pass:word'];
  spawnSync('openssl', ['pkcs12', ...packed]);
  return readFileSync(file);
}

const names = wanted.steps?.split(',') ?? [...Object.keys(STEPS), ...Object.keys(OTHERS)];

interface Outcome {
  /** `200` or the code of the error. */
  answer: string;
  /** What was said of claims that are not those of the file. */
  said: readonly PdfNote[];
  milliseconds: number;
}

/** Carries out one step on a file, which is repaired where it must be. */
async function carryOut(name: string, path: string, output: string): Promise<Outcome> {
  const step = STEPS[name];
  const other = OTHERS[name];
  if (step === undefined && other === undefined) throw new Error(`there is no step ${name}`);
  const started = performance.now();
  const inputs = name === 'merge' ? [path, path] : [path];
  let answer = '200';
  let said: readonly PdfNote[] = [];
  try {
    const given = inputs.map((file, index) => ({ path: file, name: `file${index}` }));
    const spent = { milliseconds: 0 };
    if (step === undefined) {
      said = (await other?.(path, output)) ?? [];
      return { answer, said, milliseconds: performance.now() - started };
    }
    const done = await withRepair(given, mkdtempSync(at('repair-')), { ...LIMITS, spent }, (readable) =>
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
        { ...LIMITS, spent },
      ),
    );
    said = done.notes.filter((note) => typeof note !== 'string');
  } catch (error) {
    answer = isPlatenError(error) ? error.code : `internal_error: ${String(error).slice(0, 300)}`;
  }
  return { answer, said, milliseconds: performance.now() - started };
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

const isOnlyConformant = positionals.length === 0 && wanted.conformant !== undefined;
const folders = positionals.length > 0 || isOnlyConformant ? positionals : [debianSource('qpdf')];
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

/** A claim as veraPDF names it. */
const flavourOf = (claim: string): string => claim.replace(/^pdf\/a-/, '').replace(/^pdf\/ua-/, 'ua');

/** Carries out the steps on conformant files, and has veraPDF judge the results by what they claim. */
async function verifyConformant(folder: string): Promise<void> {
  const made = new Map<string, string[]>();
  const kept = new Map<string, { all: number; same: number; other: number }>();
  for (const flavour of readdirSync(folder)) {
    const given = pdfsIn(join(folder, flavour));
    const unfit = await judge(flavour, given);
    const fit = given.filter((path) => !unfit.has(basename(path)));
    const target = mkdtempSync(at(`${flavour}-`));
    for (const name of names) {
      const sum = kept.get(name) ?? { all: 0, same: 0, other: 0 };
      kept.set(name, sum);
      for (const path of fit) {
        const output = join(target, `${name}-${basename(path)}`);
        const { answer, said } = await carryOut(name, path, output);
        if (answer.startsWith('internal_error')) note(`${name} of ${basename(path)}: ${answer}`);
        if (answer !== '200') continue;
        for (const one of said)
          if (typeof one !== 'string') console.log(`${name} of ${basename(path)}: ${one.reason}`);
        const [before, claims] = [await claimsOfFile(path), await claimsOfFile(output)];
        sum.all++;
        if (before.every((claim) => claims.includes(claim))) sum.same++;
        else if (claims.length > 0) sum.other++;
        // `conform` is asked for something else, and what is encrypted is not looked into.
        else if (said.length === 0 && name !== 'conform' && name !== 'encrypt')
          note(`${name} of ${basename(path)}: ${before.join(', ')} is gone without a word`);
        for (const claim of claims) {
          const of = made.get(flavourOf(claim)) ?? [];
          made.set(flavourOf(claim), of.concat(output));
        }
      }
    }
  }
  for (const [name, { all, same, other }] of kept)
    console.log(`${name}: of ${all} ${same} claim the same, ${other} something else`);
  for (const [flavour, results] of made) {
    const wrong = await judge(flavour, results);
    for (const [file, rules] of wrong) note(`${flavour}: ${file}: ${rules.join('; ')}`);
    console.log(`${flavour}: ${results.length} judged by veraPDF, ${wrong.size} refused`);
  }
}

if (wanted.conformant !== undefined) await verifyConformant(wanted.conformant);
console.log(`${done} files, ${names.length} steps each`);
console.log(faults.length === 0 ? 'no fault' : `${faults.length} faults`);
process.exitCode = faults.length === 0 ? 0 : 1;
