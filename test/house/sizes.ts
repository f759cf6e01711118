/**
 * Prints how large the code is: lines of the folders that have to stay thin, files over 400 lines (but for those that a
 * program writes), functions over 80 lines, and imports that go round in circles. Run with `npm run sizes`; ends with 1
 * where something is over its limit.
 */
import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { circles, CODE as ALL_CODE, importsIn } from './imports.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Lines that the code of a folder may have together. */
const FOLDERS: Readonly<Record<string, number>> = { 'functions/render': 6_000, 'functions/shared': 8_000 };
const FILE_LINES = 400;
const FUNCTION_LINES = 80;
/** The comment at the head of a file that a program writes: nobody reads or changes it, so it may be of any length. */
const GENERATED = /^\/\*\*[^/]*not to be changed by hand/;
const CODE = ['bin', 'functions', 'layers', 'lib', ...globSync('packages/*/src', { cwd: ROOT })];

const RULES = {
  'max-lines-per-function': ['error', { max: FUNCTION_LINES, skipBlankLines: false, skipComments: false }],
  'max-lines': ['error', { max: FILE_LINES, skipBlankLines: false, skipComments: false }],
};

interface Diagnostic {
  message: string;
  filename: string;
  labels: { span: { line: number } }[];
}

/** What the linter finds with the rules above alone. */
function findings(): Diagnostic[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'platen-sizes-'));
  try {
    const config = path.join(folder, 'oxlint.json');
    writeFileSync(config, JSON.stringify({ categories: { correctness: 'off' }, rules: RULES }));
    const linter = path.join(ROOT, 'node_modules/.bin/oxlint');
    const output = execFileSync(
      'sh',
      ['-c', '"$@" || true', 'sh', linter, '-c', config, '-f', 'json', ...CODE],
      {
        cwd: ROOT,
        encoding: 'utf8',
        maxBuffer: 2 ** 26,
      },
    );
    const { diagnostics } = JSON.parse(output) as { diagnostics: Diagnostic[] };
    return diagnostics.filter(
      ({ filename }) => !GENERATED.test(readFileSync(path.join(ROOT, filename), 'utf8')),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function linesIn(folder: string): number {
  return globSync(`${folder}/**/*.ts`, { cwd: ROOT })
    .map((file) => readFileSync(path.join(ROOT, file), 'utf8').split('\n').length - 1)
    .reduce((sum, lines) => sum + lines, 0);
}

let over = 0;
for (const [folder, most] of Object.entries(FOLDERS)) {
  const lines = linesIn(folder);
  if (lines > most) over += 1;
  console.log(`${folder}: ${lines} lines of ${most}`);
}
const found = findings();
for (const { filename, labels, message } of found)
  console.log(`${filename}:${labels[0]?.span.line ?? 1}: ${message}`);
const round = circles(importsIn(ALL_CODE));
for (const circle of round) console.log(`imports go round in a circle: ${circle}`);
console.log(
  `${found.length} files over ${FILE_LINES} lines, functions over ${FUNCTION_LINES}; ${round.length} circles of imports`,
);
process.exitCode = over + found.length + round.length === 0 ? 0 : 1;
