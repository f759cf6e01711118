import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, it } from 'vitest';
import { FAUXQS_VERSION } from '../../packages/aws-local/src/storage/fauxqs.ts';

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
    to: specifier.startsWith('.')
      ? normalize(join(dirname(file), specifier))
      : specifier.replace(/^@platen\//, 'packages/'),
  }));
}

const isOfRepository = ({ to }: Import) => /^(functions|packages|lib|layers|bin|test|bench)\//.test(to);
const groupOf = (path: string) => /^functions\/(\w+)\//.exec(path)?.[1] ?? null;
const packageOf = (path: string) => /^packages\/([\w-]+)/.exec(path)?.[1] ?? null;

function violations(pattern: string, mayImport: (file: string, target: string) => boolean): string[] {
  const files = globSync(pattern).filter((file) => !/\/(?:dist|node_modules)\//.test(file));
  expect(files.length).toBeGreaterThan(0);
  return files
    .flatMap(importsOf)
    .filter(isOfRepository)
    .filter(({ from, to }) => !mayImport(from, to))
    .map(({ from, to }) => `${from} imports ${to}`);
}

/** Which packages a package stands on: no circle, and none but these. */
const STANDS_ON: Readonly<Record<string, readonly string[]>> = {
  core: [],
  jinja: [],
  pdf: ['core'],
  imaging: ['core', 'pdf'],
  locale: [],
  templating: ['core', 'jinja', 'imaging', 'locale'],
  office: ['core', 'jinja', 'imaging', 'templating'],
  print: ['core', 'imaging', 'locale', 'pdf'],
  'factur-x': ['core'],
  signatures: ['core', 'pdf'],
  contract: ['core', 'factur-x', 'imaging', 'locale', 'pdf', 'print', 'signatures'],
  'aws-local': [],
  studio: ['client'],
  cli: ['client', 'core', 'mcp'],
  client: [],
  gotenberg: ['client', 'core'],
  mcp: ['client'],
};

it('a package imports from itself and from the packages it stands on', () => {
  const allowed = (from: string, to: string) => {
    const [own, other] = [packageOf(from), packageOf(to)];
    return own !== null && other !== null && (own === other || (STANDS_ON[own]?.includes(other) ?? false));
  };
  expect(violations('packages/*/src/**/*.ts', allowed)).toEqual([]);
  expect(globSync('packages/*').map(packageOf).sort()).toEqual(Object.keys(STANDS_ON).sort());
});

it('a package is imported by its name, never by a path into it', () => {
  const files = globSync('{functions,lib,bin,layers,packages/*/src}/**/*.ts');
  const paths = files.filter(
    (file) =>
      /from '[./]+\/packages\//.test(readFileSync(file, 'utf8')) ||
      /from '[./]+\/\.\.\/[\w-]+\/src\//.test(readFileSync(file, 'utf8')),
  );
  expect(paths).toEqual([]);
});

it('a function imports from itself, from shared and from packages, nothing else', () => {
  const own = (from: string, to: string) =>
    groupOf(to) === groupOf(from) || groupOf(to) === 'shared' || to.startsWith('packages/');
  expect(violations('functions/*/**/*.ts', own)).toEqual([]);
});

it('shared imports from no function', () => {
  const allowed = (_: string, to: string) => groupOf(to) === 'shared' || to.startsWith('packages/');
  expect(violations('functions/shared/**/*.ts', allowed)).toEqual([]);
});

it('the stacks import the contract only, what builds the layers, and how the Studio is served', () => {
  const allowed = (_: string, to: string) =>
    /^(lib|layers|packages\/contract)\//.test(to) || to === 'packages/studio/site';
  expect(violations('lib/**/*.ts', allowed)).toEqual([]);
});

it('private files of a dependency are imported by one adapter, of the version it was written for (decision 0032)', () => {
  const adapter = 'packages/aws-local/src/storage/fauxqs.ts';
  const files = globSync('{functions,packages,lib,layers,bin}/**/*.{ts,tsx,mjs}').filter(
    (file) => !/\/(?:dist|node_modules)\//.test(file),
  );
  expect(files.length).toBeGreaterThan(0);
  const reaching = files.flatMap(importsOf).filter(({ to }) => to.includes('node_modules/'));
  expect(new Set(reaching.map(({ from }) => from))).toEqual(new Set([adapter]));
  const { version } = JSON.parse(readFileSync('node_modules/fauxqs/package.json', 'utf8')) as {
    version: string;
  };
  expect(FAUXQS_VERSION).toBe(version);
});
