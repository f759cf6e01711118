#!/usr/bin/env node
/**
 * `npx platen`: the command line of the service. This file is JavaScript for Node 20 and later. The commands are
 * TypeScript (cli/), so they run in a Node that strips types: this one, or the one among the npm packages.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const main = path.join(root, 'packages/cli/src/main.ts');
const node = path.join(root, 'node_modules/.bin/node');

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const readsTypeScript = major > 23 || (major === 23 && minor >= 6);

if (readsTypeScript) {
  await import(pathToFileURL(main).href);
} else {
  if (!existsSync(node)) {
    spawnSync(process.execPath, [path.join(root, 'bin/pre.mjs'), 'packages'], { stdio: ['ignore', 2, 2] });
  }
  const child = spawn(node, [main, ...process.argv.slice(2)], { stdio: 'inherit' });
  // The terminal sends Ctrl-C to both processes. Signals that only this process receives are forwarded.
  process.on('SIGINT', () => {});
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.once('error', (error) => {
    process.stderr.write(`platen: ${error.message}\n`);
    process.exitCode = 1;
  });
  child.once('exit', (code, signal) => {
    process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 1);
  });
}
