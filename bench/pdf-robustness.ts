import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import {
  createWriteStream,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { bodyText } from '../test/support/gateway-event.ts';
import { debianSource } from './debian-source.ts';
import { mutate, randomNumbers } from './pdf-mutations.ts';
import { type Operation, OPERATIONS, pdfClient, SEALING } from './pdf-operations.ts';

/**
 * Sends every PDF of a folder, and mutations of them, through the PDF function, and counts the results. Without a
 * folder: the test suite in Debian's source package of qpdf, in which many files are damaged intentionally.
 *
 *   npm run hostile -- pdf-files [folder] [--mutations=200] [--seed=1] [--kinds=split,compress,…]
 *
 * Fails if a response has status 500, an operation exceeds its limits, or a result is not a valid PDF.
 */

const TIMEOUT = 20_000;
const ask = pdfClient(TIMEOUT);
const scratch = mkdtempSync(join(tmpdir(), 'platen-robustness-'));

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    mutations: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    kinds: {
      type: 'string',
      default: 'split,compress,metadata,encrypt,image,info,attachments,text,form,fill,flatten',
    },
  },
});
const folder = positionals[0] ?? debianSource('qpdf');
const mutations = Number(options.mutations);

interface Outcome {
  /** `200` or the code of the error. */
  answer: string;
  milliseconds: number;
  /** Returns the faults of a successful result. */
  wrong?: string | undefined;
}

async function send(operation: Operation, content: Buffer): Promise<Outcome> {
  const started = performance.now();
  const reply = await ask(operation, content);
  let answer = String(reply.status);
  let wrong: string | undefined;
  if (reply.body instanceof Readable) {
    const output = join(scratch, `output-${Math.random()}`);
    await pipeline(reply.body, createWriteStream(output));
    if (operation.pages !== undefined) wrong = faultOf(output, content, operation.pages);
    rmSync(output);
  } else if (reply.status !== 200) answer = String((JSON.parse(bodyText(reply)) as { code: unknown }).code);
  const milliseconds = performance.now() - started;
  await reply.close?.();
  return { answer, milliseconds, wrong };
}

/** Runs native qpdf with two gigabytes of memory: the objects of one file of 3 KB would need fifteen. */
function qpdf(args: readonly string[]): SpawnSyncReturns<string> {
  return spawnSync('prlimit', [`--as=${2 ** 31}`, 'qpdf', ...args], { encoding: 'utf8', maxBuffer: 2 ** 30 });
}

/** Returns the errors that native qpdf finds in a result but not in the input. */
function faultOf(output: string, input: Buffer, pages: (of: number) => number): string | undefined {
  if (isUnsound(output) && !isUnsound(input)) return 'it is not sound';
  const before = withFile(input, soundPagesOf);
  const after = pagesOf(output);
  // If native qpdf cannot open the input, there is no number of pages to compare with.
  if (before === undefined || before === 0 || after === pages(before)) return undefined;
  return `it has ${after} pages, made of ${before}`;
}

function pagesOf(path: string): number | undefined {
  const { status, stdout } = qpdf(['--show-npages', '--password=pw', path]);
  return status === 0 || status === 3 ? Number(stdout) : undefined;
}

/** Returns the existing pages: of a damaged document, native qpdf also counts and copies pages whose object is lost. */
function soundPagesOf(path: string): number | undefined {
  const what = ['--json=1', '--json-key=pages', '--json-key=objects'];
  const { status, stdout } = qpdf([...what, '--password=pw', path]);
  // Invalid names in the file truncate qpdf's output.
  if ((status !== 0 && status !== 3) || !stdout.trimEnd().endsWith('}')) return undefined;
  const { pages, objects } = JSON.parse(stdout) as {
    pages: { object: string }[];
    objects: Record<string, unknown>;
  };
  return pages.filter(({ object }) => typeof objects[object] === 'object' && objects[object] !== null).length;
}

function withFile<T>(content: Buffer, look: (path: string) => T): T {
  const path = join(scratch, `input-${Math.random()}`);
  writeFileSync(path, content);
  const result = look(path);
  rmSync(path);
  return result;
}

/** Returns whether qpdf finds errors in it. Errors in a content stream of the input are in the result as well. */
function isUnsound(pdf: string | Buffer): boolean {
  if (typeof pdf === 'string') return qpdf(['--check', '--password=pw', pdf]).status === 2;
  return withFile(pdf, isUnsound);
}

/** Counts the responses by status, and collects failures. */
class Tally {
  readonly #counts = new Map<string, number>();
  readonly #faults: string[] = [];
  #slowest = { name: '', milliseconds: 0 };

  add(name: string, { answer, milliseconds, wrong }: Outcome): void {
    this.#counts.set(answer, (this.#counts.get(answer) ?? 0) + 1);
    if (answer === 'internal_error') this.#faults.push(`500: ${name}`);
    if (milliseconds > 3 * TIMEOUT) this.#faults.push(`hung for ${Math.round(milliseconds)} ms: ${name}`);
    if (wrong !== undefined) this.#faults.push(`wrong result: ${name}: ${wrong}`);
    if (milliseconds > this.#slowest.milliseconds) this.#slowest = { name, milliseconds };
  }

  report(title: string): number {
    const sorted = [...this.#counts].sort(([, a], [, b]) => b - a);
    console.log(`${title}: ${sorted.map(([answer, count]) => `${answer} ${count}`).join(', ')}`);
    console.log(`  slowest: ${this.#slowest.name}, ${Math.round(this.#slowest.milliseconds)} ms`);
    for (const fault of this.#faults) console.log(`  ${fault}`);
    return this.#faults.length;
  }
}

async function inTurns<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = [...items];
  const worker = async (): Promise<void> => {
    for (let next = rest.shift(); next !== undefined; next = rest.shift()) await work(next);
  };
  await Promise.all([worker(), worker()]);
}

function pdfsIn(path: string): string[] {
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.pdf') && statSync(join(path, name)).isFile())
    .sort();
}

/** Returns whether native qpdf opens the file, for comparison. */
function opensNatively(path: string): boolean {
  const output = join(scratch, `native-${Math.random()}.pdf`);
  const { status } = qpdf(['--empty', '--pages', path, '1-z', '--', output]);
  rmSync(output, { force: true });
  return status === 0 || status === 3;
}

const names = pdfsIn(folder);
console.log(`${names.length} PDFs`);
let faults = 0;

const native = new Tally();
const split = new Tally();

/** Prints the files that only native qpdf opens, and those that only this service opens. */
class Comparison {
  readonly #lost: string[] = [];
  #gained = 0;

  add(name: string, opens: boolean, { answer }: Outcome): void {
    if (opens && answer !== '200') this.#lost.push(`${name} (${answer})`);
    if (!opens && answer === '200') this.#gained++;
  }

  report(): void {
    console.log(`  opened by native qpdf only: ${this.#lost.length}`);
    for (const name of this.#lost.slice(0, 40)) console.log(`    ${name}`);
    console.log(`  opened by this service only: ${this.#gained}`);
  }
}
const compared = new Comparison();
await inTurns(names, async (name) => {
  const path = join(folder, name);
  const outcome = await send(OPERATIONS['merge'] as Operation, readFileSync(path));
  split.add(name, outcome);
  const opens = opensNatively(path);
  native.add(name, { answer: opens ? 'opened' : 'refused', milliseconds: 0 });
  compared.add(name, opens, outcome);
});
native.report('native qpdf');
faults += split.report('merge');
compared.report();

for (const kind of options.kinds.split(',')) {
  const tally = new Tally();
  await inTurns(names, async (name) => {
    const path = join(folder, name);
    tally.add(name, await send(OPERATIONS[kind] as Operation, readFileSync(path)));
  });
  faults += tally.report(kind);
}

const random = randomNumbers(Number(options.seed));
const mutants = Array.from({ length: mutations }, (_, index) => {
  const name = names[Math.floor(random() * names.length)] ?? '';
  const kinds = Object.keys(OPERATIONS).filter((kind) => kind !== 'split-zip' && !SEALING.includes(kind));
  return {
    index,
    name,
    kind: kinds[index % kinds.length] ?? '',
    bytes: mutate(readFileSync(join(folder, name)), random),
  };
});
const mutated = new Tally();
const comparedMutants = new Comparison();
await inTurns(mutants, async ({ index, name, kind, bytes }) => {
  const label = `${kind} of mutation ${index} of ${name}`;
  const outcome = await send(OPERATIONS[kind] as Operation, bytes);
  mutated.add(label, outcome);
  comparedMutants.add(label, withFile(bytes, opensNatively), outcome);
  if (outcome.answer === 'internal_error') writeFileSync(join(tmpdir(), `platen-mutant-${index}.pdf`), bytes);
});
faults += mutated.report(`${mutations} mutations`);
comparedMutants.report();

rmSync(scratch, { recursive: true });
console.log(faults === 0 ? 'no 500, nothing hung, every result sound' : `${faults} faults`);
process.exitCode = faults === 0 ? 0 : 1;
