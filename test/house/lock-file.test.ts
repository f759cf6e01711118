import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** Lock files that `npm ci` of every release of npm accepts, with any registry. */

interface Locked {
  link?: boolean;
  resolved?: string;
  optionalDependencies?: Record<string, string>;
}

const LOCK_FILES = ['package-lock.json', 'functions/convert/container/client/package-lock.json'];

const packagesOf = (file: string): Record<string, Locked> =>
  (JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, Locked> }).packages;

/** Returns the places where Node looks for a dependency of a package, as keys of the lock file. */
function placesOf(dependent: string, name: string): string[] {
  const folders = dependent === '' ? [''] : [`${dependent}/`];
  for (let at = dependent.lastIndexOf('node_modules/'); at >= 0;) {
    folders.push(dependent.slice(0, at));
    at = at === 0 ? -1 : dependent.lastIndexOf('node_modules/', at - 1);
  }
  return [...new Set([...folders, ''])].map((folder) => `${folder}node_modules/${name}`);
}

it.each(LOCK_FILES)(
  '%s has an entry for each optional dependency that it names, for all platforms',
  (file) => {
    const packages = packagesOf(file);
    const missing = Object.entries(packages).flatMap(([dependent, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies)
        .filter((name) => !placesOf(dependent, name).some((place) => place in packages))
        .map((name) => `${name} of ${dependent}`),
    );
    expect(missing).toEqual([]);
  },
);

it.each(LOCK_FILES)('%s names no registry', (file) => {
  const named = Object.entries(packagesOf(file)).filter(
    ([, { link, resolved }]) => resolved && link !== true,
  );
  expect(named.map(([place]) => place)).toEqual([]);
});
