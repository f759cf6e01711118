import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, it } from 'vitest';

/** Who may import whom (architecture, "Rules of the house", 1). */

interface Import {
  from: string;
  /** Path in the repository, or the name of a package. */
  to: string;
}

/** Everything a file imports, statically or when it is needed; types too. */
function importsOf(file: string): Import[] {
  const source = readFileSync(file, 'utf8').replace(/^\s*(\/\/|\*|\/\*).*$/gm, '');
  const specifiers = source.matchAll(/(?:\bfrom\s+|\bimport\s*\(\s*|^\s*import\s+)'([^']+)'/gm);
  return Array.from(specifiers, ([, specifier = '']) => ({
    from: file,
    to: specifier.startsWith('.') ? normalize(join(dirname(file), specifier)) : specifier,
  }));
}

const isOfRepository = ({ to }: Import) => /^(functions|lib|local|layers|bin|cli|test|bench)\//.test(to);
const groupOf = (path: string) => /^functions\/(\w+)\//.exec(path)?.[1] ?? null;

function violations(pattern: string, mayImport: (file: string, target: string) => boolean): string[] {
  const files = globSync(pattern).filter((file) => !file.includes('/dist/'));
  expect(files.length).toBeGreaterThan(0);
  return files
    .flatMap(importsOf)
    .filter(isOfRepository)
    .filter(({ from, to }) => !mayImport(from, to))
    .map(({ from, to }) => `${from} imports ${to}`);
}

it('a function imports from itself and from shared, nothing else', () => {
  const own = (from: string, to: string) => groupOf(to) === groupOf(from) || groupOf(to) === 'shared';
  expect(violations('functions/*/**/*.ts', own)).toEqual([]);
});

it('shared imports from no function', () => {
  expect(violations('functions/shared/**/*.ts', (_, to) => groupOf(to) === 'shared')).toEqual([]);
});

it('the interpreter imports nothing of Platen', () => {
  const inside = (_: string, to: string) => to.startsWith('functions/render/jinja/');
  expect(violations('functions/render/jinja/**/*.ts', inside)).toEqual([]);
});

it('the stacks import the contract only, and what builds the layers', () => {
  const allowed = (_: string, to: string) => /^(lib|layers|functions\/shared\/contract)\//.test(to);
  expect(violations('lib/**/*.ts', allowed)).toEqual([]);
});

it('the command line imports nothing of the service: it speaks HTTP', () => {
  expect(violations('cli/**/*.ts', (_, to) => to.startsWith('cli/'))).toEqual([]);
});

it('the local service imports no product code: it speaks the Lambda protocol', () => {
  expect(violations('local/**/*.ts', (_, to) => to.startsWith('local/'))).toEqual([]);
});
