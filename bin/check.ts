import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { ensureAssembly } from '@platen/aws-local/synth';
import { ROOT } from './service.ts';

/**
 * `npm run check`: format, rules, types and what nothing uses, and the stacks that the services of the tests are made of. Side by side, as far as
 * two cores go; everything is checked, also where something is wrong, and the exit code is then 1.
 */

/** Runs a program of the packages, its output on ours. @throws Error where it does not end well */
async function run(program: string, ...args: string[]): Promise<void> {
  const child = spawn(path.join(ROOT, 'node_modules/.bin', program), args, { cwd: ROOT, stdio: 'inherit' });
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  if (code !== 0) throw new Error(`${program} ended with ${code ?? signal}.`);
}

async function rulesAndTypes(): Promise<void> {
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
