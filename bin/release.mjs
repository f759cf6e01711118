/**
 * Steps of the release workflow: `check v0.1.0` compares the tag with the versions in the repository, and `notes v0.1.0`
 * prints the section of CHANGELOG.md. This file is JavaScript, so that any Node runs it before npm has installed anything.
 */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const [action, tag = ''] = process.argv.slice(2);
const version = tag.replace(/^v/, '');
const textOf = (file) => readFileSync(path.join(root, file), 'utf8');

/** Returns what of the repository is not of this version; empty when it can be released. */
function faults() {
  const manifests = ['package.json', ...globSync('packages/*/package.json', { cwd: root })];
  const found = manifests.map((file) => [file, JSON.parse(textOf(file)).version]);
  found.push([
    'clients/python/pyproject.toml',
    /^version = "(.*)"$/m.exec(textOf('clients/python/pyproject.toml'))?.[1],
  ]);
  const others = found
    .filter(([, stated]) => stated !== version)
    .map(([file, stated]) => `${file} has ${stated}`);
  return section() === null ? [...others, 'CHANGELOG.md has no section of it with a date'] : others;
}

/** Returns the section of CHANGELOG.md about the version, `## [0.1.0] - 2026-12-01`; null when there is none. */
function section() {
  const parts = textOf('CHANGELOG.md').split(/^(?=## )/m);
  const found = parts.find((part) => part.startsWith(`## [${version}] - `));
  return found === undefined ? null : found.slice(found.indexOf('\n')).trim();
}

if (action === 'check') {
  const wrong = faults();
  if (wrong.length > 0) {
    console.error(`${tag} cannot be released: ${wrong.join('; ')}.`);
    process.exitCode = 1;
  }
} else if (action === 'notes') console.log(section() ?? '');
else {
  console.error('node bin/release.mjs check TAG, or notes TAG');
  process.exitCode = 2;
}
