import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ENGINES } from '../../bin/engines.mjs';
import { FUNCTIONS } from '../../lib/functions.ts';
import { instructionsOf } from '../support/dockerfile.ts';

/** The recipe of the convert image is the same one tomorrow; `npm run verify -- convert` takes its steps. */

const ROOT = path.resolve(import.meta.dirname, '../..');
const CONTAINER = path.join(ROOT, FUNCTIONS.convert.container ?? '');

const read = (...names: string[]): string => readFileSync(path.join(...names), 'utf8');
const json = (...names: string[]): unknown => JSON.parse(read(...names));

test('bases are named by the version of Node that tests run', () => {
  const { devDependencies } = json(ROOT, 'package.json') as { devDependencies: Record<string, string> };
  const bases = instructionsOf(read(CONTAINER, 'Dockerfile')).filter(({ name }) => name === 'FROM');
  expect(bases.map(({ rest }) => rest)).toEqual([
    `node:${devDependencies['node']}-trixie AS client`,
    `node:${devDependencies['node']}-trixie-slim`,
  ]);
});

test('the client is installed from a lock file with its scripts allowed, and its native part is checked', () => {
  const { dependencies, allowScripts } = json(CONTAINER, 'client/package.json') as {
    dependencies: Record<string, string>;
    allowScripts: Record<string, boolean>;
  };
  expect(Object.keys(allowScripts)).toEqual(Object.keys(dependencies));
  const { packages } = json(CONTAINER, 'client/package-lock.json') as {
    packages: Record<string, { version?: string; resolved?: string; integrity?: string }>;
  };
  for (const [name, version] of Object.entries(dependencies))
    expect(packages[`node_modules/${name}`]?.version).toBe(version);
  // Each by its content, whatever registry it comes from.
  const locked = Object.entries(packages).filter(([name]) => name !== '');
  expect(
    locked.filter(([, { integrity, resolved }]) => integrity === undefined || resolved !== undefined),
  ).toEqual([]);
  const steps = instructionsOf(read(CONTAINER, 'Dockerfile')).filter(({ name }) => name === 'RUN');
  const install = steps.find(({ rest }) => rest.includes('npm ci'))?.rest ?? '';
  expect(install).toContain('test -f node_modules/aws-lambda-ric/rapid-client.node');
  expect(steps.some(({ rest }) => /npm (install|i)\b/.test(rest))).toBe(false);
});

test('the client gets the name of its handler as an argument, because Lambda does not set it for images', () => {
  const instructions = instructionsOf(read(CONTAINER, 'Dockerfile'));
  const argumentsOf = (wanted: string): string[] =>
    JSON.parse(instructions.find(({ name }) => name === wanted)?.rest ?? '[]') as string[];
  const [program = '', ...args] = [...argumentsOf('ENTRYPOINT'), ...argumentsOf('CMD')];
  // What the client finds, in its place.
  const shown = args.map((arg) => arg.replace(/exec .*/, 'exec printenv _HANDLER'));
  const env = { PATH: '/usr/bin:/bin', _HANDLER: '' };
  expect(execFileSync(program, shown, { env, encoding: 'utf8' }).trim()).toBe('index.handler');
});

test('the image has the packages of all engines that a laptop has', () => {
  const installed = read(CONTAINER, 'packages.txt').split('\n');
  const wanted = ENGINES.filter(({ use }) => use === 'start').flatMap(({ packages }) => packages);
  // The other packages depend on it.
  expect(wanted.filter((name) => name !== 'fontconfig' && !installed.includes(name))).toEqual([]);
});
