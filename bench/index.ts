/**
 * Checks the goals for speed, size and memory in one run of each script that measures one. With `--summary` it prints
 * goal, figure, and whether it is met; without it, all output of the scripts too.
 *
 *   npm run bench -- --summary [http cold …]
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { GOAL } from './figures.ts';

/** Scripts that report goals, the quickest first. */
const SCRIPTS = ['cold', 'bytes', 'http', 'webkit', 'office', 'pdf-http', 'pdf', 'scale'];

const summary = process.argv.includes('--summary');
const chosen = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const unknown = chosen.filter((name) => !SCRIPTS.includes(name));
if (unknown.length > 0)
  throw new Error(`no such script: ${unknown.join(', ')}; known are ${SCRIPTS.join(', ')}`);

/** @returns lines of goals, and how the script ended */
async function run(name: string): Promise<{ goals: string[]; ended: string }> {
  const child = spawn(process.execPath, ['--expose-gc', join(import.meta.dirname, `${name}.ts`)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const goals: string[] = [];
  const closed = new Promise<string>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) =>
      resolve(code === 0 ? '' : `ended by ${signal ?? `exit code ${code}`}`),
    );
  });
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith(GOAL)) goals.push(line.slice(GOAL.length));
    else if (!summary) console.log(line);
  }
  return { goals, ended: await closed };
}

const missed: string[] = [];
if (summary) console.log('goal | figure | limit | verdict');
for (const name of chosen.length > 0 ? chosen : SCRIPTS) {
  if (!summary) console.log(`\n== ${name}`);
  const { goals, ended } = await run(name);
  for (const line of goals) console.log(line);
  missed.push(...goals.filter((line) => line.endsWith('NOT MET')));
  // A script that fails leaves goals unmeasured, which must not look like goals that are met.
  if (ended === '') continue;
  missed.push(`${name}: ${ended}`);
  console.log(`${name} | not measured, ${ended} | | NOT MET`);
}
if (missed.length > 0) process.exitCode = 1;
