import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const ROOT = path.join(import.meta.dirname, '../..');
/** Where `pretest` puts releases of Python packages. */
const PACKAGES = path.join(ROOT, 'node_modules/.cache/platen/python');

/** What a program of Python that judges others prints; 1 is its exit code where it found something. */
function judged(program: string, args: readonly string[], input = ''): string {
  const { status, stdout, stderr } = spawnSync('/usr/bin/python3', ['-m', program, ...args], {
    cwd: ROOT,
    encoding: 'utf8',
    input,
    env: { ...process.env, PYTHONPATH: PACKAGES },
  });
  if (status !== 0 && status !== 1) throw new Error(`${program} ended with ${String(status)}: ${stderr}`);
  return stdout;
}

/** What Ruff finds in a text of Python, or in files. */
function findings(args: readonly string[], input = ''): string {
  return judged('ruff', ['check', '--no-cache', '--output-format=concise', '--quiet', ...args], input);
}

/** What mypy finds in files, or in a text; LibreOffice and GObject have no types. */
function typeFaults(args: readonly string[]): string {
  const options = [
    '--no-incremental',
    '--ignore-missing-imports',
    '--check-untyped-defs',
    '--no-error-summary',
  ];
  return judged('mypy', [...options, ...args]);
}

it('the Python of the repository keeps the rules of ruff.toml', () => {
  const files = globSync('{clients/python,functions,lib,test}/**/*.py', { cwd: ROOT });
  expect(files).toContain('functions/convert/libreoffice/host.py');
  expect(findings(files)).toBe('');
  expect(findings(['--stdin-filename', 'a.py', '-'], 'import os\n')).toContain('F401');
});

it('the Python of the convert function has no type errors', () => {
  expect(typeFaults(['functions/convert'])).toBe('');
  expect(typeFaults(['-c', 'def double(n):\n    return n + 1\n\nlen(3)\n'])).toContain('[arg-type]');
});
