import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Random } from '../../support/random.ts';
import { process as runSteps } from './chain.ts';
import { htmlOf, SCRIPTS, startPrinters, type Text, wantedOf } from './redaction-documents.ts';
import { isLeftInPlace, linesOf } from './redaction-places.ts';
import { findersOf, plain, textsOf } from './redaction-readers.ts';

/**
 * Redacts words and phrases out of documents of all scripts and layouts by Chrome, WebKit, LibreOffice and reportlab,
 * and looks for them with poppler, mupdf, PDFium and in all strings.
 *
 *   npm run verify -- redaction-scripts [--words=25] [--seed=1] [--python=path] [--scripts=Thai,Han]
 *     [--programs=chrome] [--keep=folder]
 *
 * `--words` are taken out of each document; `--python` has reportlab. Fails where a word is found, and where more than
 * a hundredth of the other words are gone. A word that a reader puts together of letters that followed each other in
 * no line before, such as those of two cells with a redacted one between them, is counted as joined.
 */

const { values: wanted } = parseArgs({
  options: {
    words: { type: 'string', default: '25' },
    seed: { type: 'string', default: '1' },
    python: { type: 'string' },
    scripts: { type: 'string' },
    programs: { type: 'string' },
    keep: { type: 'string' },
  },
});
/** Words that are taken out of a document together. */
const TOGETHER = 5;
const scratch = mkdtempSync(path.join(tmpdir(), 'platen-verify-scripts-'));
const PROGRAMS = ['chrome', 'webkit', 'libreoffice', 'reportlab'];
const programs = wanted.programs?.split(',') ?? PROGRAMS;
const printers = await startPrinters(scratch, programs, wanted.python);
const chosen = wanted.scripts?.split(',');
const total = {
  words: 0,
  readable: 0,
  found: 0,
  joined: 0,
  refused: 0,
  unfound: 0,
  others: 0,
  lost: 0,
  documents: 0,
};

/** Number of times that a text has a word. */
const count = (text: string, word: string): number => text.split(plain(word).trim()).length - 1;

async function redactFrom(
  input: string,
  words: readonly string[],
  text: Text,
  place: string,
  before: Record<string, string>,
): Promise<void> {
  const output = path.join(wanted.keep ?? scratch, `${place}.pdf`);
  total.words += words.length;
  const { notes } = await runSteps({
    inputs: [{ path: input }],
    output,
    steps: [{ name: 'redact', options: { words } }],
    breakSignatures: true,
  });
  const after = plainTexts(await textsOf(output));
  const missing = notes.flatMap((note) =>
    typeof note === 'object' && 'missing' in note ? note.missing : [],
  );
  for (const word of words) {
    const readable = findersOf(before, word);
    if (readable.length > 0) total.readable++;
    const finders = findersOf(after, word).filter((reader) =>
      isLeft(before[reader] ?? '', after[reader] ?? '', word, words),
    );
    if (missing.includes(word)) {
      total.unfound++;
      console.log(`${place}: not found: ${word} (${readable.join(' ')})`);
    }
    if (finders.length === 0) continue;
    const isJoined = isLeftInPlace(linesOf(input), linesOf(output), word) === false;
    total[isJoined ? 'joined' : 'found']++;
    console.log(`${isJoined ? 'JOINED' : 'FAULT'} ${place}: ${word} is found by ${finders.join(' ')}`);
  }
  // Other words, of which no redacted one is a part.
  const others = new Set(text.words.filter((word) => !words.some((gone) => overlaps(word, gone))));
  for (const word of others) {
    const [had, has] = [count(before['poppler'] ?? '', word), count(after['poppler'] ?? '', word)];
    total.others += had;
    total.lost += Math.max(0, had - has);
    if (has < had) console.log(`${place}: ${had - has} of ${had} ${word} lost`);
  }
}

/** Number of characters beside a word that tell where it was before. */
const BESIDE = 4;

/**
 * Returns whether a word is where it was before. Words that only became neighbours, because the ones between them are
 * gone, are no phrase.
 */
function isLeft(before: string, after: string, word: string, gone: readonly string[]): boolean {
  const wanted = plain(word).trim();
  const rest = without(before, gone);
  for (let at = after.indexOf(wanted); at !== -1; at = after.indexOf(wanted, at + 1)) {
    const around = after.slice(Math.max(0, at - BESIDE), at + wanted.length + BESIDE);
    if (before.includes(around) && after.split(around).length > rest.split(around).length) return true;
  }
  return false;
}

/** A text without words, wherever they stand. */
function without(text: string, words: readonly string[]): string {
  const isGone = new Uint8Array(text.length);
  for (const word of words.map((one) => plain(one).trim())) {
    for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1))
      isGone.fill(1, at, at + word.length);
  }
  const left = text.split('').filter((_, at) => isGone[at] === 0);
  return left.join('').replace(/ +/gu, ' ');
}

function overlaps(word: string, gone: string): boolean {
  const [one, other] = [plain(word), plain(gone)];
  return one.includes(other) || other.includes(one);
}

const plainTexts = (texts: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).map(([reader, text]) => [reader, plain(text)]));

try {
  for (const [number, script] of SCRIPTS.entries()) {
    if (chosen?.includes(script.name) === false) continue;
    for (const [program, print] of Object.entries(printers.print)) {
      // Each document can be made again by itself.
      const random = new Random(1000 * Number(wanted.seed) + 10 * number + PROGRAMS.indexOf(program));
      const { html, text } = htmlOf(script, random);
      const name = `${script.name}-${program}`;
      const input = path.join(wanted.keep ?? scratch, `${name}.pdf`);
      writeFileSync(input, await print(html, text, script));
      total.documents++;
      const before = plainTexts(await textsOf(input));
      const words = wantedOf(text, random, Number(wanted.words));
      for (let at = 0; at < words.length; at += TOGETHER) {
        try {
          await redactFrom(input, words.slice(at, at + TOGETHER), text, `${name}-${at}`, before);
        } catch (error) {
          total.refused++;
          console.log(`REFUSED ${name}: ${words.slice(at, at + TOGETHER).join(', ')}: ${String(error)}`);
        }
      }
      console.log(`${name}: ${JSON.stringify(total)}`);
    }
  }
} finally {
  await printers.stop();
  rmSync(scratch, { recursive: true });
}
const isGood = total.found === 0 && total.refused === 0 && total.lost <= total.others / 100;
process.exitCode = isGood ? 0 : 1;
