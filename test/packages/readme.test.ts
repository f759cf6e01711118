import { execFile } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { exampleOf } from './example.ts';

/** Each package's README has one example, which does what it says. */

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../..');
const packages = globSync('packages/*/package.json', { cwd: root }).map((file) =>
  path.basename(path.dirname(file)),
);

it.each(packages)('the example of %s prints the output in its README', async (name) => {
  const { code, output } = exampleOf(readFileSync(path.join(root, 'packages', name, 'README.md'), 'utf8'));
  // In a folder from where the packages are found by name.
  const folder = mkdtempSync(path.join(root, 'node_modules/.example-'));
  try {
    const program = path.join(folder, 'example.mjs');
    writeFileSync(program, code);
    const { stdout } = await run(process.execPath, [program]);
    expect(stdout.trimEnd()).toBe(output);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
