import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'vite';

/** What the code imports, as its parser and the manifests of the packages say. */

const ROOT = path.resolve(import.meta.dirname, '../..');

export interface Import {
  from: string;
  /** As it is written. */
  specifier: string;
  /** Path in the repository; of what is not of it the specifier. */
  to: string;
  /** Nothing of it is left at run time. */
  isType: boolean;
}

interface Manifest {
  exports?: Record<string, string>;
  /** Modules by names with `#`, each one file or several by where it runs. */
  imports?: Record<string, string | Record<string, string>>;
}

const manifests = new Map<string, Manifest>();

function manifestOf(name: string): Manifest {
  const known = manifests.get(name);
  if (known !== undefined) return known;
  const file = path.join(ROOT, 'packages', name, 'package.json');
  const manifest = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Manifest) : {};
  manifests.set(name, manifest);
  return manifest;
}

/** Where a specifier leads to: a name with `#` may lead to several files. */
export function resolved(from: string, specifier: string): string[] {
  if (specifier.startsWith('.')) return [path.normalize(path.join(path.dirname(from), specifier))];
  if (specifier.startsWith('#')) {
    const own = /^packages\/([\w-]+)\//.exec(from)?.[1] ?? '';
    const target = manifestOf(own).imports?.[specifier];
    if (target === undefined) throw new Error(`${from}: nothing is named ${specifier}`);
    return [...new Set(typeof target === 'string' ? [target] : Object.values(target))].flatMap((file) =>
      file.startsWith('.') ? path.join('packages', own, file) : resolved(from, file),
    );
  }
  const [, name, rest = ''] = /^@platen\/([\w-]+)(.*)$/.exec(specifier) ?? [];
  if (name === undefined) return [specifier];
  const target = manifestOf(name).exports?.[`.${rest}`];
  if (target === undefined) throw new Error(`${from}: ${name} exports no ${specifier}`);
  return [path.join('packages', name, target)];
}

/** Everything that a file imports, statically, when it is needed, or as a type. */
function importsOf(file: string): Import[] {
  const source = readFileSync(path.join(ROOT, file), 'utf8');
  const { module, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const { staticImports, staticExports, dynamicImports } = module;
  const found = new Map<string, boolean>();
  const add = (specifier: string, isType: boolean): void => {
    found.set(specifier, isType && (found.get(specifier) ?? true));
  };
  // Types that are named where they stand are in no record of the parser.
  for (const [, specifier = ''] of source.matchAll(/\bimport\('([^']+)'\)/g)) add(specifier, true);
  for (const { moduleRequest, entries } of staticImports) {
    add(moduleRequest.value, entries.length > 0 && entries.every(({ isType }) => isType));
  }
  for (const { moduleRequest, isType } of staticExports.flatMap(({ entries }) => entries)) {
    if (moduleRequest !== null) add(moduleRequest.value, isType);
  }
  for (const { moduleRequest } of dynamicImports) {
    const text = source.slice(moduleRequest.start, moduleRequest.end);
    if (/^'[^']*'$/.test(text)) add(text.slice(1, -1), false);
  }
  return Array.from(found).flatMap(([specifier, isType]) =>
    resolved(file, specifier).map((to) => ({ from: file, specifier, to, isType })),
  );
}

/** What all files of a pattern import. */
export function importsIn(pattern: string): Import[] {
  return globSync(pattern, { cwd: ROOT })
    .filter((file) => !/\/(?:dist|node_modules)\/|\.d\.m?ts$/.test(file))
    .flatMap(importsOf);
}

/** Imports that lead back to where they began, also those that are carried out later; types do no harm. */
export function circles(imports: readonly Import[]): string[] {
  const next = new Map<string, string[]>();
  for (const { from, to, isType } of imports) if (!isType) next.set(from, [...(next.get(from) ?? []), to]);
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, way: readonly string[]): void => {
    const start = way.indexOf(file);
    if (start !== -1) found.push([...way.slice(start), file].join(' → '));
    if (start !== -1 || done.has(file)) return;
    for (const to of next.get(file) ?? []) visit(to, [...way, file]);
    done.add(file);
  };
  for (const file of next.keys()) visit(file, []);
  return found;
}

/** All code of the house but tests. */
export const CODE = '{bin,functions,layers,lib,packages/*/src}/**/*.{ts,tsx}';
