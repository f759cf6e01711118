import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { isPlatenError } from '../../packages/core/src/errors.ts';
import { readText } from '../../packages/pdf/src/look/text-task.ts';
import { Engine } from '../../packages/pdf/src/files/engine.ts';
import { compilePdfium } from '../../packages/pdf/src/pdfium/binary.ts';
import { compileQpdf } from '../../packages/pdf/src/files/qpdf.ts';
import { Random } from '../support/random.ts';

/**
 * Compares the words that /v1/pdf/text reads in PDFs of folders with those by poppler and mupdf.
 *
 *   npm run verify -- text folder … [--files=200] [--seed=1] [--worst=10]
 *
 * The words of a document are those that two of the three readers have: a word that only one has counts against it,
 * and a word that only one lacks too. Prints the harmonic mean of precision and recall for each folder, and the
 * documents in which the service has the most missing and wrong words beyond those of the better one of the others.
 * Fails where it is behind in a folder.
 */

const { values: wanted, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    files: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    worst: { type: 'string', default: '10' },
  },
});
const scratch = mkdtempSync(join(tmpdir(), 'platen-verify-text-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
const engine = new Engine(await compileQpdf(), scratch);
const pdfium = await compilePdfium();
const random = new Random(Number(wanted.seed));

const printed = (program: string, ...args: string[]): string =>
  spawnSync(program, args, { encoding: 'utf8', maxBuffer: 2 ** 28, timeout: 60_000 }).stdout;

async function byService(path: string): Promise<string> {
  const output = join(scratch, 'text.txt');
  await readText(engine, { pdfium, input: { path }, output, format: 'text', range: undefined });
  return readFileSync(output, 'utf8');
}

type Words = Map<string, number>;

function wordsOf(text: string): Words {
  const words: Words = new Map();
  const plain = text
    .normalize('NFKC')
    .replace(/[\p{Cf}\p{Cc}\p{Co}]/gu, (char) => (/\s/.test(char) ? ' ' : ''));
  for (const word of plain.split(/\s+/u))
    if (/[\p{L}\p{N}]/u.test(word)) words.set(word, (words.get(word) ?? 0) + 1);
  return words;
}

/** What at least two of three readers have. */
function agreed(readings: readonly Words[]): Words {
  const words: Words = new Map();
  for (const word of new Set(readings.flatMap((reading) => [...reading.keys()]))) {
    const [, middle = 0] = readings.map((reading) => reading.get(word) ?? 0).toSorted((a, b) => b - a);
    if (middle > 0) words.set(word, middle);
  }
  return words;
}

const size = (words: Words): number => [...words.values()].reduce((sum, count) => sum + count, 0);

class Score {
  #common = 0;
  #all = 0;

  /** @returns the number of words that are missing or wrong */
  add(words: Words, truth: Words): number {
    let common = 0;
    for (const [word, count] of words) common += Math.min(count, truth.get(word) ?? 0);
    const all = size(words) + size(truth);
    this.#common += 2 * common;
    this.#all += all;
    return all - 2 * common;
  }

  get value(): number {
    return this.#all === 0 ? 1 : this.#common / this.#all;
  }
}

for (const folder of positionals) {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.toLowerCase().endsWith('.pdf'))
    .sort();
  const scores = { service: new Score(), poppler: new Score(), mupdf: new Score() };
  const behind: { name: string; by: number; lacks: string[]; adds: string[] }[] = [];
  let [documents, words] = [0, 0];
  while (documents < Number(wanted.files) && paths.length > 0) {
    const [name = ''] = paths.splice(random.below(paths.length), 1);
    const path = join(folder, name);
    let service: string;
    try {
      service = await byService(path);
    } catch (error) {
      if (!isPlatenError(error)) throw error;
      continue;
    }
    const readings = {
      service: wordsOf(service),
      poppler: wordsOf(printed('pdftotext', path, '-')),
      mupdf: wordsOf(printed('mutool', 'draw', '-q', '-F', 'txt', path)),
    };
    const truth = agreed(Object.values(readings));
    if (size(truth) === 0) continue;
    documents++;
    words += size(truth);
    const own = scores.service.add(readings.service, truth);
    const others = [scores.poppler.add(readings.poppler, truth), scores.mupdf.add(readings.mupdf, truth)];
    const lacks = [...truth.keys()].filter((word) => !readings.service.has(word));
    const adds = [...readings.service.keys()].filter((word) => !truth.has(word));
    behind.push({ name, by: own - Math.min(...others), lacks, adds });
  }
  const { service, poppler, mupdf } = scores;
  const figures = [service, poppler, mupdf].map(({ value }) => (100 * value).toFixed(2));
  console.log(`${basename(folder)} | ${documents} documents | ${words} words | ${figures.join(' | ')}`);
  for (const { name, by, lacks, adds } of behind
    .toSorted((a, b) => b.by - a.by)
    .slice(0, Number(wanted.worst))) {
    if (by > 0)
      console.log(
        `  ${name}: ${by}; lacks ${lacks.slice(0, 6).join(' ')}; adds ${adds.slice(0, 6).join(' ')}`,
      );
  }
  if (service.value < Math.max(poppler.value, mupdf.value)) process.exitCode = 1;
}
