import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { debianSource } from '../../../bench/debian-source.ts';
import { buildFontsLayer } from '../../../layers/fonts/build.ts';
import { embeddingOf } from '../../../packages/factur-x/src/embedding.ts';
import { documented, xmlOf } from '../../../packages/factur-x/test/invoices.ts';
import { claimsOfFile } from '../../../packages/pdf/src/look/claims.ts';
import type { Step } from '../../../packages/pdf/src/steps/index.ts';
import { judge } from '../../conformance/verapdf.ts';
import { Random } from '../../support/random.ts';
import { richPdf } from '../rich.ts';
import type { Outcome } from './verify-child.ts';
import { each, Pool } from './verify-pool.ts';

/**
 * Carries out every step on PDFs of folders, in threads as the functions do, and looks at each result with qpdf.
 * Without a folder: the test suite in Debian's source package of qpdf, of which many files are broken on purpose.
 *
 *   npm run verify -- steps [folder …] [--files=400] [--minutes=20] [--largest=1000] [--seed=1]
 *     [--steps=fill,words] [--conformant] [--chained] [--section=1/4]
 *
 * With `--chained` steps are joined to a few chains, which takes a fourth of the time; those of a chain that does not
 * end with a result that qpdf takes are carried out alone then. `--section` takes each so many files in turn, from
 * that one on. `--largest` is the size of the files that are taken, in KB; none is begun after `--minutes`. With
 * `--conformant` only files are taken that claim to be PDF/A or PDF/UA and are, as veraPDF sees it: what the steps
 * make of them has to be what it claims to be then, and that less is claimed has to be said. Fails where a step ends
 * otherwise than with a result or an error of the contract, takes longer than its limits, or qpdf refuses a result and
 * not the file; where it only warns of a result, that is told.
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
    conformant: { type: 'boolean', default: false },
    chained: { type: 'boolean', default: false },
    section: { type: 'string', default: '1/1' },
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

/** What is done otherwise than by steps (verify-child.ts). */
const OTHERS = ['sign', 'compress_route', 'metadata_route', 'untitled_route'];

function ownKey(): string {
  const [key, certificate, file] = [at('key.pem'), at('certificate.pem'), at('key.p12')];
  const made = ['-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', certificate, '-days', '30'];
  spawnSync('openssl', ['req', '-x509', ...made, '-subj', '/CN=Verify']);
  const packed = ['-export', '-inkey', key, '-in', certificate, '-out', file, '-passout', 'pass:word'];
  spawnSync('openssl', ['pkcs12', ...packed]);
  return file;
}

/** Steps that find the file as it came in, but for what those before them in the chain have changed. */
const CHAINS = [
  'rotate,scale,text,image,page,html,numbers,letterhead,attach,outline,metadata',
  'fill,flatten,areas,words,linearize',
  'merge,impose,factur_x',
  'pages,compress,encrypt',
  'decrypt,conform',
  ...OTHERS,
];
/** The same for conformant files, without what is asked for something else, or to encrypt. */
const KEEPING = CHAINS.map((chain) => chain.replace(/,encrypt$|^decrypt,conform$|,linearize$/, '')).filter(
  Boolean,
);

const names = wanted.steps?.split(',') ?? [...Object.keys(STEPS), ...OTHERS];
const pool = await Pool.start(scratch, [scratch, fonts, other, ownKey(), String(TIMEOUT)], 4 * TIMEOUT);

interface Check {
  /** How qpdf ends: 0, 3 with warnings, 2 with errors. */
  code: number;
  told: string;
}

function checked(path: string): Promise<Check> {
  const args = [`--as=${2 ** 31}`, 'qpdf', '--check', '--password=pw', path];
  return new Promise((resolve) => {
    const limits = { maxBuffer: 2 ** 30, timeout: 60_000 };
    const child = execFile('prlimit', args, limits, (_error, _output, told) =>
      resolve({ code: child.exitCode ?? 2, told }),
    );
  });
}

/** Whether all that is wrong is content of pages that could not be decoded in the file either, of which qpdf saw no page. */
function isDamagedBefore(before: Check, after: Check): boolean {
  const errors = after.told.split('\n').filter((line) => line.startsWith('ERROR: '));
  return (
    before.told.includes('error decoding stream data') &&
    errors.every((error) => error.endsWith('errors while decoding content stream'))
  );
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
const [section = 1, sections = 1] = wanted.section.split('/').map(Number);
const chosen = some(fitting, Number(wanted.files)).filter((_, index) => index % sections === section - 1);
const counts = new Map<string, Map<string, number>>();
let slowest = { name: '', milliseconds: 0 };
let results = 0;

/** Carries out one step, or a chain of steps by their names, and notes what none may end with. */
async function stepOf(name: string, path: string, output: string): Promise<Outcome> {
  const steps = name.split(',').flatMap((one) => STEPS[one] ?? []);
  const outcome = await pool.carryOut({ path, output, work: steps.length > 0 ? steps : name });
  const { answer, milliseconds } = outcome;
  const label = `${name} of ${basename(path)}`;
  for (const one of name.split(',')) {
    const of = counts.get(one) ?? new Map<string, number>();
    // What a chain ends with is told of the steps that it has, which are carried out alone then.
    if (answer === '200' || UNOPENED.has(answer) || steps.length < 2)
      counts.set(one, of.set(answer, (of.get(answer) ?? 0) + 1));
  }
  if (answer.startsWith('internal_error')) note(`${label}: ${answer}`);
  if (answer === 'hung' || milliseconds > 3 * TIMEOUT)
    note(`${label}: hung for ${Math.round(milliseconds)} ms`);
  if (milliseconds > slowest.milliseconds) slowest = { name: label, milliseconds };
  return outcome;
}

/** Answers that any step gives that opens a file in the same way. */
const UNOPENED = new Set(['pdf_password_required', 'pdf_damaged', 'pdf_invalid']);

/** Carries out each step on files, and has qpdf look at the results while the next step is at work. */
async function verifySound(files: readonly string[]): Promise<void> {
  let [begun, done] = [0, 0];
  await each(files, async (path) => {
    if (performance.now() > Number(wanted.minutes) * 60_000) return;
    begun++;
    const before = checked(path);
    const looks: Promise<void>[] = [];
    const left = wanted.chained ? [...CHAINS] : [...names];
    for (let name = left.shift(); name !== undefined; name = left.shift()) {
      const output = at(`output-${results++}.pdf`);
      const { answer } = await stepOf(name, path, output);
      if (answer === '200') looks.push(look(`${name} of ${path}`, before, output));
      else if (name.includes(',') && !UNOPENED.has(answer)) left.unshift(...name.split(','));
    }
    await Promise.all(looks);
    if (++done % 20 === 0) console.log(`${done} of ${files.length} files: ${basename(path)}`);
  });
  console.log(`${begun} of ${files.length} files, ${names.length} steps each`);
}

async function look(label: string, given: Promise<Check>, output: string): Promise<void> {
  const [before, after] = [await given, await checked(output)];
  if (after.code === 2 && before.code !== 2) {
    if (isDamagedBefore(before, after)) console.log(`of content that was damaged before: ${label}`);
    else note(`${label}: qpdf refuses it`);
  } else if (after.code === 3 && before.code === 0) console.log(`warned of: ${label}`);
  rmSync(output, { force: true });
}

/** A claim as veraPDF names it. */
const flavourOf = (claim: string): string => claim.replace(/^pdf\/a-/, '').replace(/^pdf\/ua-/, 'ua');

const FLAVOURS: ReadonlySet<string> = new Set('1a 1b 2a 2b 2u 3a 3b 3u 4 4e 4f ua1 ua2'.split(' '));

/** The files that are what they claim to be, and their claims; in one folder, since veraPDF's answers are told apart by name. */
async function conformant(paths: readonly string[]): Promise<Map<string, readonly string[]>> {
  const byFlavour = new Map<string, string[]>();
  const claimed = new Map<string, readonly string[]>();
  mkdirSync(at('claiming'));
  for (const [index, path] of paths.entries()) {
    const claims = await claimsOfFile(path);
    // Some files of veraPDF claim levels that do not exist.
    if (claims.length === 0 || !claims.every((claim) => FLAVOURS.has(flavourOf(claim)))) continue;
    const link = at(`claiming/${index}-${basename(path)}`);
    symlinkSync(path, link);
    claimed.set(link, claims);
    for (const claim of claims) group(byFlavour, flavourOf(claim)).push(link);
  }
  for (const [flavour, links] of byFlavour) {
    const unfit = await judge(flavour, links);
    for (const link of links) if (unfit.has(basename(link))) claimed.delete(link);
    console.log(`${flavour}: ${links.length} claim it, ${unfit.size} are not it`);
  }
  return claimed;
}

function group(groups: Map<string, string[]>, name: string): string[] {
  const found = groups.get(name) ?? [];
  groups.set(name, found);
  return found;
}

/** Carries out the steps on conformant files, and has veraPDF judge the results by what they claim. */
async function verifyConformant(files: ReadonlyMap<string, readonly string[]>): Promise<void> {
  const made = new Map<string, string[]>();
  const kept = new Map<string, { all: number; same: number; other: number; none: number }>();
  await each(files, async ([path, before]) => {
    if (performance.now() > Number(wanted.minutes) * 60_000) return;
    for (const name of wanted.chained ? KEEPING : names) {
      const sum = kept.get(name) ?? { all: 0, same: 0, other: 0, none: 0 };
      kept.set(name, sum);
      const output = at(`${results++}-${name.split(',')[0]}-${basename(path)}`);
      const { answer, said, claims } = await stepOf(name, path, output);
      if (answer !== '200') continue;
      for (const reason of said) console.log(`${name} of ${basename(path)}: ${reason}`);
      sum.all++;
      if (before.every((claim) => claims.includes(claim))) sum.same++;
      else if (claims.length > 0) sum.other++;
      else sum.none++;
      // `conform` is asked for something else, and what is encrypted is not looked into.
      const isMeant = name === 'conform' || name === 'encrypt';
      if (claims.length === 0 && said.length === 0 && !isMeant)
        note(`${name} of ${basename(path)}: ${before.join(', ')} is gone without a word`);
      for (const claim of claims) group(made, flavourOf(claim)).push(output);
      if (claims.length === 0) rmSync(output);
    }
  });
  for (const [name, { all, same, other, none }] of kept)
    console.log(`${name}: of ${all} ${same} claim the same, ${other} something else, ${none} nothing`);
  for (const [flavour, outputs] of made) {
    const wrong = await judge(flavour, outputs);
    for (const [file, rules] of wrong) note(`${flavour}: ${file}: ${rules.join('; ')}`);
    console.log(`${flavour}: ${outputs.length} judged by veraPDF, ${wrong.size} refused`);
  }
}

if (wanted.conformant) {
  await verifyConformant(await conformant(chosen));
} else await verifySound(chosen);
pool.end();
for (const [name, of] of counts)
  console.log(`${name}: ${Array.from(of, ([answer, count]) => `${answer} ${count}`).join(', ')}`);
console.log(`slowest: ${slowest.name}, ${Math.round(slowest.milliseconds)} ms`);
console.log(faults.length === 0 ? 'no fault' : `${faults.length} faults`);
process.exitCode = faults.length === 0 ? 0 : 1;
