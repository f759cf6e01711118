/**
 * Puts each fault of faults.ts back, one at a time, into a copy of this repository, and looks whether the tests that
 * it was mended with fail. Without any fault they have to pass. Takes half a minute a fault.
 *
 *     npm run verify -- sandbox-faults [words of the names of the faults to try]
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { killTree } from '../../packages/aws-local/src/lambda/process-tree.ts';
import { LAYER_FOLDERS } from '../../layers/layer.ts';
import { type Fault, FAULTS, withFault } from './faults.ts';

const root = path.resolve(import.meta.dirname, '../..');
const copy = mkdtempSync(path.join(tmpdir(), 'platen-faults-'));

/** What is built from files that no fault changes. */
const BUILT = ['chromium', 'fonts', 'native'].map((layer) => `layers/${layer}/${LAYER_FOLDERS.local}`);

interface Report {
  numPassedTests: number;
  testResults: { message: string; assertionResults: Assertion[] }[];
}
interface Assertion {
  status: string;
  title: string;
  failureMessages: string[];
}

/** The files as they are now, and the packages that are installed; of those, this repository's own are the copy's. */
function makeCopy(): void {
  // Functions run as another user.
  chmodSync(copy, 0o755);
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  }).split('\0');
  for (const file of [...files, ...BUILT]) {
    const source = path.join(root, file);
    if (file !== '' && existsSync(source)) cpSync(source, path.join(copy, file), { recursive: true });
  }
  const modules = path.join(copy, 'node_modules');
  mkdirSync(path.join(modules, '@platen'), { recursive: true });
  for (const name of readdirSync(path.join(root, 'node_modules'))) {
    if (name !== '@platen' && name !== '.cache')
      symlinkSync(path.join(root, 'node_modules', name), path.join(modules, name));
  }
  for (const name of readdirSync(path.join(copy, 'packages')))
    symlinkSync(path.join('../../packages', name), path.join(modules, '@platen', name));
}

/** Runs tests in the copy. @returns how many passed, and what failed */
function run(tests: Pick<Fault, 'test' | 'only'>): { passed: number; failed: Assertion[] } {
  const report = path.join(copy, 'node_modules/report.json');
  rmSync(report, { force: true });
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      ...['node_modules/vitest/vitest.mjs', 'run', tests.test, '-t', tests.only, '--maxWorkers=1'],
      ...['--testTimeout=120000', '--reporter=json', `--outputFile=${report}`],
    ],
    { cwd: copy, encoding: 'utf8', maxBuffer: 2 ** 26 },
  );
  if (!existsSync(report)) throw new Error(`${tests.test} could not be run.\n${stdout}\n${stderr}`);
  const { numPassedTests, testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report;
  const broken = testResults.find(
    ({ message, assertionResults }) => message !== '' && assertionResults.length === 0,
  );
  if (broken !== undefined) throw new Error(`${tests.test}: ${broken.message}`);
  const assertions = testResults.flatMap(({ assertionResults }) => assertionResults);
  return { passed: numPassedTests, failed: assertions.filter(({ status }) => status === 'failed') };
}

/** Runs work while only root may read a folder. */
function whileClosed<T>(folder: string | undefined, work: () => T): T {
  if (folder === undefined) return work();
  mkdirSync(folder, { recursive: true });
  const { mode } = statSync(folder);
  chmodSync(folder, 0o700);
  try {
    return work();
  } finally {
    chmodSync(folder, mode);
  }
}

/** Whether the tests fail with it, and pass without it. */
function isSeen(fault: Fault): boolean {
  const place = path.join(copy, fault.file);
  writeFileSync(place, withFault(root, fault));
  const { failed } = whileClosed(fault.closed, () => run(fault));
  cpSync(path.join(root, fault.file), place);
  // What outlives its parent is one of the faults.
  killTree(undefined, copy);
  const [first] = failed;
  console.log(`${first === undefined ? 'NOT SEEN' : 'seen'}: ${fault.name} (${fault.shownBy})`);
  for (const { title, failureMessages } of failed)
    console.log(`    ${title}: ${failureMessages[0]?.split('\n')[0] ?? ''}`);
  return first !== undefined;
}

try {
  const words = process.argv.slice(2);
  const faults = FAULTS.filter(({ name }) => words.every((word) => name.includes(word)));
  for (const fault of faults) withFault(root, fault);
  makeCopy();
  const files = new Map(faults.map(({ test }) => [test, faults.filter((fault) => fault.test === test)]));
  for (const [test, own] of files) {
    const { passed, failed } = run({ test, only: own.map(({ only }) => only).join('|') });
    if (passed === 0 || failed.length > 0) {
      throw new Error(
        `Without a fault ${test} does not pass: ${failed[0]?.failureMessages[0] ?? 'no test was run'}`,
      );
    }
  }
  const seen = faults.filter(isSeen).length;
  console.log(`${seen} of ${faults.length} faults are seen.`);
  if (seen < faults.length || seen === 0) process.exitCode = 1;
} finally {
  rmSync(copy, { recursive: true, force: true });
}
