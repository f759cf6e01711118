import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { ensureAssembly } from '@platen/aws-local/synth';
import { licenceFaults } from './notices.ts';
import { ROOT } from './service.ts';
import { vocabularyFaults } from './vocabulary.ts';

/**
 * `npm run check`: checks the licences, the words of texts for users, the format, the lint rules, the types and unused code, and synthesises the stacks for
 * the services of the tests. The checks run in parallel on two cores. All of them run even if one fails; the exit
 * code is then 1.
 */

/**
 * Runs a program of the installed packages and shows its output.
 *
 * @throws Error if the program fails
 */
async function run(program: string, ...args: string[]): Promise<void> {
  const child = spawn(path.join(ROOT, 'node_modules/.bin', program), args, { cwd: ROOT, stdio: 'inherit' });
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  if (code !== 0) throw new Error(`${program} ended with ${code ?? signal}.`);
}

async function rulesAndTypes(): Promise<void> {
  const faults = [...licenceFaults(), ...vocabularyFaults(ROOT)];
  if (faults.length > 0) throw new Error(faults.join('\n'));
  await run('oxlint', '--type-aware');
  await run('tsc', '--noEmit');
  await run('tsc', '--noEmit', '-p', 'packages/studio');
  await run('knip', '--no-progress', '--no-config-hints');
  await ensureAssembly({ root: ROOT });
}

const checked = await Promise.allSettled([run('prettier', '--check', '.'), rulesAndTypes()]);
for (const result of checked) {
  if (result.status === 'rejected') {
    console.error(String(result.reason));
    process.exitCode = 1;
  }
}
