/**
 * Checks that every package, made by `npm run pack` and installed with npm into an empty folder of its own with
 * nothing but the packages that it depends on, does what the example in its README says. The command line is then a
 * program, and the wheel of the Python client installs into an empty environment. Needs a network.
 */
import { execFileSync, type ExecFileSyncOptions } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { exampleOf } from './example.ts';

const root = path.resolve(import.meta.dirname, '../..');
const packages = globSync('packages/*/package.json', { cwd: root }).map((file) =>
  path.basename(path.dirname(file)),
);
const made = mkdtempSync(path.join(tmpdir(), 'platen-packed-'));
let wrong = 0;
try {
  execFileSync(process.execPath, [path.join(root, 'bin/pack.ts'), '--out', made]);
  for (const name of packages) {
    const { code, output } = exampleOf(readFileSync(path.join(root, 'packages', name, 'README.md'), 'utf8'));
    const printed = runInstalled(name, code);
    const isRight = printed === output;
    if (!isRight) wrong++;
    console.log(`${name}: ${isRight ? 'does what its README says' : `prints ${JSON.stringify(printed)}`}`);
  }
  const printed = runWheel();
  const isRight = printed === 'platen-client 0.1.0 Platen';
  if (!isRight) wrong++;
  console.log(`wheel: ${isRight ? 'can be imported' : `prints ${JSON.stringify(printed)}`}`);
} finally {
  rmSync(made, { recursive: true, force: true });
}
process.exitCode = wrong === 0 ? 0 : 1;

/** Installs one package in an empty folder and runs a program there. @returns what it prints, or why it fails */
function runInstalled(name: string, code: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'platen-installed-'));
  try {
    writeFileSync(path.join(folder, 'package.json'), '{"private":true,"type":"module"}');
    const files = [...withDependencies(name)].flatMap((needed) =>
      globSync(`platen-${needed}-[0-9]*.tgz`, { cwd: made }).map((file) => path.join(made, file)),
    );
    const quiet = ['--no-audit', '--no-fund', '--prefer-offline', '--silent'];
    execFileSync('npm', ['install', ...quiet, ...files], { cwd: folder, stdio: 'inherit' });
    if (name === 'cli') {
      const usage = execFileSync('node_modules/.bin/platen', ['--help'], { cwd: folder, encoding: 'utf8' });
      if (!usage.startsWith('platen COMMAND')) return `platen --help prints ${usage}`;
    }
    writeFileSync(path.join(folder, 'example.js'), code);
    return execFileSync(process.execPath, ['example.js'], { cwd: folder, encoding: 'utf8' }).trimEnd();
  } catch (error) {
    return String(error);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Builds the wheel of the Python client and installs it in an empty environment. @returns what a program prints */
function runWheel(): string {
  const environment = path.join(made, 'python');
  const python = path.join(environment, 'bin/python');
  const source = path.join(root, 'clients/python');
  const quiet: ExecFileSyncOptions = { stdio: ['ignore', 'ignore', 'inherit'] };
  const code =
    'import importlib.metadata as m, platen; print("platen-client", m.version("platen-client"), platen.Platen.__name__)';
  try {
    execFileSync('python3', ['-m', 'venv', environment], quiet);
    execFileSync(python, ['-m', 'pip', '--quiet', 'wheel', '--no-deps', '--wheel-dir', made, source], quiet);
    const wheels = globSync('platen_client-*.whl', { cwd: made }).map((file) => path.join(made, file));
    execFileSync(python, ['-m', 'pip', '--quiet', 'install', ...wheels], quiet);
    return execFileSync(python, ['-c', code], { cwd: made, encoding: 'utf8' }).trim();
  } catch (error) {
    return String(error);
  }
}

/** Names of a package and of the workspaces that it depends on, directly or not. */
function withDependencies(name: string, known = new Set<string>()): Set<string> {
  if (known.has(name)) return known;
  known.add(name);
  const file = path.join(root, 'packages', name, 'package.json');
  const { dependencies = {} } = JSON.parse(readFileSync(file, 'utf8')) as {
    dependencies?: Record<string, string>;
  };
  for (const dependency of Object.keys(dependencies)) {
    if (dependency.startsWith('@platen/')) withDependencies(dependency.slice('@platen/'.length), known);
  }
  return known;
}
