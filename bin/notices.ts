/**
 * `npm run notices` writes THIRD_PARTY_NOTICES: the npm packages that bundles, layers, images, the Studio and published
 * packages contain, with their licences, and the programs beside them. `npm run check` compares the file, and refuses
 * packages under the GPL or AGPL: what is linked must not be under them, and separate programs may.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '..');
export const NOTICES = path.join(ROOT, 'THIRD_PARTY_NOTICES');

interface Locked {
  version: string;
  license?: string;
  link?: boolean;
  resolved?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

export interface Contained {
  name: string;
  version: string;
  license: string;
}

/** Packages that are contained without being dependencies of a package: their files are copied into layers. */
const COPIED = /^(?:@expo-google-fonts\/|@embedpdf\/fonts-|@sparticuz\/chromium$)/;

/** Licences of packages that name none in their manifest, as their files state. */
const STATED: Readonly<Record<string, string>> = { busboy: 'MIT', streamsearch: 'MIT' };

/** Programs and libraries that no npm package names: inside packages, layers and images. */
const PROGRAMS = [
  ['Chromium', 'BSD-3-Clause and others', 'the executable of @sparticuz/chromium, in the Chromium layer; chrome://credits lists its parts'],
  ['PDFium', 'Apache-2.0 and BSD-3-Clause', 'WebAssembly of @embedpdf/pdfium'],
  ['qpdf', 'Apache-2.0', 'WebAssembly of @neslinesli93/qpdf-wasm'],
  ['ImageMagick', 'ImageMagick', 'WebAssembly of @imagemagick/magick-wasm, with its delegate libraries'],
  ['libvips', 'LGPL-3.0-or-later', 'a shared library of sharp (@img/sharp-libvips-*), which can be replaced'],
  ['Typst', 'Apache-2.0', 'WebAssembly of @myriaddreamin/typst-ts-web-compiler'],
  ['HarfBuzz', 'MIT', 'WebAssembly of harfbuzzjs'],
  ['libxml2', 'MIT', 'WebAssembly of libxml2-wasm'],
] as const; // prettier-ignore

/** Returns the packages that are contained in what Platen consists of, in the order of their names. */
export function containedPackages(): Contained[] {
  const { packages } = JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>;
  };
  const found = new Set<string>();
  const visit = (from: string, names: readonly string[]): void => {
    for (const name of names) {
      const place = placeOf(packages, from, name);
      if (place === undefined || found.has(place)) continue;
      found.add(place);
      const locked = packages[place];
      // The places of workspaces are links to their folders, which are visited by themselves.
      if (locked === undefined || locked.link === true) continue;
      visit(place, Object.keys({ ...locked.dependencies, ...locked.optionalDependencies }));
    }
  };
  for (const folder of ['', ...Object.keys(packages).filter((place) => place.startsWith('packages/'))])
    visit(folder, Object.keys(packages[folder]?.dependencies ?? {}));
  for (const place of Object.keys(packages))
    if (COPIED.test(place.replace('node_modules/', ''))) found.add(place);
  return [...found]
    .filter((place) => packages[place]?.link !== true)
    .map((place) => {
      const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
      const { version = '', license = STATED[name] ?? 'unknown' } = packages[place] ?? {};
      return { name, version, license };
    })
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en') || a.version.localeCompare(b.version, 'en'));
}

/** Returns the place of a dependency in the lock file: below its dependent, or below a folder around that. */
function placeOf(packages: Record<string, Locked>, from: string, name: string): string | undefined {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const place = `${at === '' ? '' : `${at}/`}node_modules/${name}`;
    if (packages[place] !== undefined) return place;
    if (at === '') return undefined;
  }
}

/** Returns the packages that must not be linked: whose licence is the GPL or AGPL, or unknown, without another choice. */
export function refusedPackages(contained: readonly Contained[]): Contained[] {
  return contained.filter(({ license }) => {
    const choices = license.replace(/[()]/g, '').split(' OR ');
    return choices.every((choice) => /(?<!L)GPL/.test(choice) || choice === 'unknown');
  });
}

/** Returns the text of the file. */
export function notices(contained: readonly Contained[]): string {
  const users = new Map<string, string[]>();
  for (const { name, version } of contained) {
    const text = licenceTextOf(name);
    if (text !== null) users.set(text, [...(users.get(text) ?? []), `${name} ${version}`]);
  }
  const system = readFileSync(path.join(ROOT, 'functions/convert/container/packages.txt'), 'utf8')
    .trim()
    .split('\n');
  const rule = '-'.repeat(80);
  return [
    'Third-party notices of Platen',
    '',
    'Platen is under the Apache License 2.0 (LICENSE). It contains or comes with the following. `npm run notices` writes',
    'this file.',
    '',
    'Programs and libraries inside packages and layers:',
    '',
    ...PROGRAMS.map(([name, license, where]) => `  ${name} (${license}): ${where}`),
    '',
    'Packages of Debian in the images of the convert function and of the Dockerfile. They are separate programs, among',
    'them LibreOffice (MPL-2.0), WebKitGTK (LGPL-2.0-or-later) and Ghostscript (AGPL-3.0-or-later), and nothing is linked',
    'with them. /usr/share/doc/*/copyright of an image has the licence of each:',
    '',
    ...system.map((name) => `  ${name}`),
    '',
    'Packages of npm:',
    '',
    ...contained.map(({ name, version, license }) => `  ${name} ${version} (${license})`),
    '',
    ...[...users].flatMap(([text, names]) => [rule, names.join(', '), '', text, '']),
  ].join('\n');
}

/** Returns the text of a package's licence; null when it has no file with it, or is for another platform. */
function licenceTextOf(name: string): string | null {
  const folder = path.join(ROOT, 'node_modules', name);
  if (!existsSync(folder)) return null;
  const file = readdirSync(folder)
    .toSorted()
    .find((entry) => /^(?:licen[cs]e|copying)(?:\.(?:md|txt))?$/i.test(entry));
  return file === undefined
    ? null
    : readFileSync(path.join(folder, file), 'utf8').replaceAll('\r', '').trim();
}

/** Returns what is wrong with the licences; empty when nothing is. */
export function licenceFaults(): string[] {
  const contained = containedPackages();
  const refused = refusedPackages(contained).map(
    ({ name, license }) => `${name} is under ${license}: nothing under the GPL or AGPL may be linked.`,
  );
  const listed = existsSync(NOTICES) ? readFileSync(NOTICES, 'utf8') : '';
  const isCurrent = contained.every(({ name, version, license }) =>
    listed.includes(`\n  ${name} ${version} (${license})\n`),
  );
  return isCurrent ? refused : [...refused, 'THIRD_PARTY_NOTICES is not current: run npm run notices.'];
}

if (process.argv[1] === import.meta.filename) writeFileSync(NOTICES, notices(containedPackages()));
