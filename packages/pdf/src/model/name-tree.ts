import { append } from './lists.ts';
import type { PdfFile } from './file.ts';
import { isDict, isRef, isString, stringBytes } from './values.ts';
import type { PdfDict, PdfValue, Ref } from './values.ts';

/** Name trees and number trees (ISO 32000-1, 7.9.6 and 7.9.7). */

/** A document whose references are resolved. */
type Reader = Pick<PdfFile, 'resolve' | 'dict' | 'array'>;

/** All entries of a tree, in the order they are found. */
export function readTree(
  file: Reader,
  root: PdfValue | undefined,
  leaf: '/Names' | '/Nums',
): [PdfValue, PdfValue][] {
  const entries: [PdfValue, PdfValue][] = [];
  const seen = new Set<Ref>();
  const stack: PdfValue[] = [root ?? null];
  while (stack.length > 0) {
    const next = stack.pop() ?? null;
    if (isRef(next)) {
      if (seen.has(next)) continue;
      seen.add(next);
    }
    const node = file.dict(next);
    const pairs = file.array(node[leaf]);
    for (let at = 0; at + 1 < pairs.length; at += 2) entries.push([pairs[at] ?? null, pairs[at + 1] ?? null]);
    append(stack, file.array(node['/Kids']).toReversed());
  }
  return entries;
}

/** Entries of a name tree. */
export function readNames(file: Reader, root: PdfValue | undefined): [string, PdfValue][] {
  return readTree(file, root, '/Names')
    .map(([key, value]): [PdfValue, PdfValue] => [file.resolve(key), value])
    .filter((entry): entry is [string, PdfValue] => isString(entry[0]));
}

/** Entries of a number tree. */
export function readNumbers(file: Reader, root: PdfValue | undefined): [number, PdfValue][] {
  return readTree(file, root, '/Nums').filter(
    (entry): entry is [number, PdfValue] => typeof entry[0] === 'number',
  );
}

/** Entries of all named destinations (ISO 32000-1, 12.3.2.3): of the dictionary, and of the name tree. */
export function namedDestinations(file: Pick<PdfFile, 'catalog'> & Reader): [string, PdfValue][] {
  const { '/Dests': names, '/Names': trees } = file.catalog;
  return [...Object.entries(file.dict(names)), ...readNames(file, file.dict(trees)['/Dests'])];
}

/** A leaf holds this many entries; larger trees have leaves. */
const LEAF = 256;

/** @returns the root of a tree; its leaves are added through `add`. */
export function writeNames(
  entries: readonly (readonly [string, PdfValue])[],
  add: (node: PdfDict) => Ref,
): PdfDict {
  const sorted = entries
    .map(([key, value]) => ({ key, value, bytes: stringBytes(key) }))
    .sort((a, b) => Buffer.compare(a.bytes, b.bytes));
  return build(sorted, '/Names', add);
}

/** @returns the root of a tree; its leaves are added through `add`. */
export function writeNumbers(
  entries: readonly (readonly [number, PdfValue])[],
  add: (node: PdfDict) => Ref,
): PdfDict {
  const sorted = entries.map(([key, value]) => ({ key, value })).sort((a, b) => a.key - b.key);
  return build(sorted, '/Nums', add);
}

function build(
  sorted: readonly { key: PdfValue; value: PdfValue }[],
  leaf: '/Names' | '/Nums',
  add: (node: PdfDict) => Ref,
): PdfDict {
  const pairs = (from: number, to: number): PdfValue[] =>
    sorted.slice(from, to).flatMap(({ key, value }) => [key, value]);
  if (sorted.length <= LEAF) return { [leaf]: pairs(0, sorted.length) };
  const kids: Ref[] = [];
  for (let from = 0; from < sorted.length; from += LEAF) {
    const to = Math.min(from + LEAF, sorted.length);
    const limits = [sorted[from]?.key ?? null, sorted[to - 1]?.key ?? null];
    kids.push(add({ '/Limits': limits, [leaf]: pairs(from, to) }));
  }
  return { '/Kids': kids };
}

/** Makes names unique that two documents both use: `name`, `name+1`, … */
export class UniqueNames {
  readonly #taken = new Set<string>();
  readonly #last = new Map<string, number>();

  /**
   * @param wanted A PDF name or string.
   * @returns it, with a number if it is already used.
   */
  take(wanted: string): string {
    let name = wanted;
    for (let number = (this.#last.get(wanted) ?? 0) + 1; this.#taken.has(name); number++) {
      name = numbered(wanted, number);
      this.#last.set(wanted, number);
    }
    this.#taken.add(name);
    return name;
  }
}

function numbered(name: string, number: number): string {
  return name.startsWith('b:') ? `${name}${Buffer.from(`+${number}`).toString('hex')}` : `${name}+${number}`;
}

/** The destination of a name: an array, or a dictionary that contains it as /D. */
export function destinationArray(file: PdfFile, value: PdfValue): PdfValue[] {
  const resolved = file.resolve(value);
  return file.array(isDict(resolved) ? resolved['/D'] : resolved);
}
