/**
 * `npm run verify:packages`: every package, made by `npm run pack` and installed with npm into an empty folder, does what
 * the example in its README says. Takes a network and a minute.
 */
import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { exampleOf } from './example.ts';

const root = path.resolve(import.meta.dirname, '../..');
const packages = globSync('packages/*/package.json', { cwd: root }).map((file) =>
  path.basename(path.dirname(file)),
);
const made = mkdtempSync(path.join(tmpdir(), 'platen-packed-'));
const folder = mkdtempSync(path.join(tmpdir(), 'platen-installed-'));
let wrong = 0;
try {
  execFileSync(process.execPath, [path.join(root, 'bin/pack.ts'), '--out', made]);
  writeFileSync(path.join(folder, 'package.json'), '{"private":true,"type":"module"}');
  const files = globSync('*.tgz', { cwd: made }).map((file) => path.join(made, file));
  execFileSync('npm', ['install', '--no-audit', '--no-fund', ...files], { cwd: folder, stdio: 'inherit' });
  for (const name of packages) {
    const { code, output } = exampleOf(readFileSync(path.join(root, 'packages', name, 'README.md'), 'utf8'));
    const program = path.join(folder, `${name}.js`);
    writeFileSync(program, code);
    const printed = execFileSync(process.execPath, [program], { cwd: folder, encoding: 'utf8' }).trimEnd();
    const isRight = printed === output;
    if (!isRight) wrong++;
    console.log(`${name}: ${isRight ? 'does what its README says' : `prints ${JSON.stringify(printed)}`}`);
  }
} finally {
  for (const place of [made, folder]) rmSync(place, { recursive: true, force: true });
}
process.exitCode = wrong === 0 ? 0 : 1;
