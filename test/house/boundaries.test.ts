import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { FAUXQS_VERSION } from '../../packages/aws-local/src/storage/fauxqs.ts';
import { circles, CODE, type Import, importsIn, resolved } from './imports.ts';

/** Who may import whom (architecture, "Rules", 1). */

const imports = importsIn(CODE);

const isOfRepository = ({ to }: Import) => /^(functions|packages|lib|layers|bin|test|bench)\//.test(to);
const groupOf = (path: string) => /^functions\/(\w+)\//.exec(path)?.[1] ?? null;
const packageOf = (path: string) => /^packages\/([\w-]+)/.exec(path)?.[1] ?? null;

/** Imports of the files below a folder that are not allowed. */
function violations(folder: RegExp, mayImport: (file: string, target: string) => boolean): string[] {
  const found = imports.filter(({ from }) => folder.test(from));
  expect(found.length).toBeGreaterThan(0);
  return found
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
  contract: ['core', 'factur-x', 'imaging', 'locale', 'office', 'pdf', 'print', 'signatures', 'templating'],
  'aws-local': [],
  studio: ['client', 'core'],
  cli: ['client', 'core', 'mcp'],
  client: [],
  gotenberg: ['client', 'core', 'print'],
  mcp: ['client'],
};

it('a package imports from itself and from the packages it depends on', () => {
  const allowed = (from: string, to: string) => {
    const [own, other] = [packageOf(from), packageOf(to)];
    return own !== null && other !== null && (own === other || (STANDS_ON[own]?.includes(other) ?? false));
  };
  expect(violations(/^packages\//, allowed)).toEqual([]);
  expect(globSync('packages/*').map(packageOf).sort()).toEqual(Object.keys(STANDS_ON).sort());
});

it('a package is imported by its name, never by a path into it', () => {
  const paths = imports.filter(
    ({ from, to, specifier }) =>
      specifier.startsWith('.') && packageOf(to) !== null && packageOf(to) !== packageOf(from),
  );
  expect(paths.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
});

it('a name with # is resolved to its files', () => {
  const targets = resolved('packages/client/src/files.ts', '#platform');
  expect(targets).toEqual(['packages/client/src/platform-node.ts', 'packages/client/src/platform-web.ts']);
  expect(imports.filter(({ specifier }) => specifier === '#platform').length).toBeGreaterThan(0);
});

it('imports at run time have no cycle, including dynamic imports', () => {
  const twoWays = (from: string, to: string, isType = false) => ({ from, specifier: to, to, isType });
  expect(circles([twoWays('a', 'b'), twoWays('b', 'c'), twoWays('c', 'b')])).toEqual(['b → c → b']);
  expect(circles([twoWays('a', 'b'), twoWays('b', 'a', true)])).toEqual([]);
  expect(circles(imports)).toEqual([]);
});

it('a function imports only from itself, from shared and from packages', () => {
  const own = (from: string, to: string) =>
    groupOf(to) === groupOf(from) || groupOf(to) === 'shared' || to.startsWith('packages/');
  expect(violations(/^functions\//, own)).toEqual([]);
});

it('shared imports from no function', () => {
  const allowed = (_: string, to: string) => groupOf(to) === 'shared' || to.startsWith('packages/');
  expect(violations(/^functions\/shared\//, allowed)).toEqual([]);
});

it('the stacks import only the contract, the builders of the layers, and the server of the Studio', () => {
  const allowed = (_: string, to: string) =>
    /^(lib|layers|packages\/contract)\//.test(to) || to === 'packages/studio/src/site.ts';
  expect(violations(/^lib\//, allowed)).toEqual([]);
});

it('private files of a dependency are imported by one adapter, of the version it was written for (decision 0032)', () => {
  const adapter = 'packages/aws-local/src/storage/fauxqs.ts';
  const reaching = imports.filter(({ to }) => to.includes('node_modules/'));
  expect(new Set(reaching.map(({ from }) => from))).toEqual(new Set([adapter]));
  const { version } = JSON.parse(readFileSync('node_modules/fauxqs/package.json', 'utf8')) as {
    version: string;
  };
  expect(FAUXQS_VERSION).toBe(version);
});
