import { type OfficePackage, relationshipsPath } from '../package.ts';
import { relativeTarget } from './relationships.ts';

/** Types of relationships to parts that several slides or sheets share. */
const SHARED: ReadonlySet<string> = new Set([
  'slideLayout',
  'slideMaster',
  'theme',
  'themeOverride',
  'image',
  'audio',
  'video',
  'media',
  'notesMaster',
  'slide',
  'commentAuthors',
  'person',
  'pivotCacheDefinition',
  'tableStyles',
]);

/**
 * Returns a slide or sheet and all parts that only it uses: notes, charts, drawings, tables. The main part
 * comes first.
 */
export function ownedParts(file: OfficePackage, main: string): string[] {
  const owned = [main];
  for (const part of owned) {
    for (const { type, path } of file.relationships(part).list()) {
      if (path === null || SHARED.has(type) || owned.includes(path) || !file.has(path)) continue;
      owned.push(path);
    }
  }
  return owned;
}

/** Returns whether a part is a chart: by its type, or the usual path. */
export function isChart(file: OfficePackage, path: string): boolean {
  return /\/charts\/chart\w*\.xml$/.test(path) || file.typeOf(path).endsWith('drawingml.chart+xml');
}

/**
 * Copies parts under new names, with relationships between the copies.
 *
 * @returns new path by old path
 */
export function cloneParts(file: OfficePackage, parts: readonly string[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const part of parts) {
    const [, stem, ending] = /^(.*)\.(\w+)$/.exec(part) ?? [];
    const copy = file.freePath(stem?.replace(/(?<!\d)\d+$/, '') ?? part, ending ?? 'xml');
    names.set(part, copy);
    file.set(copy, file.bytes(part) ?? Buffer.alloc(0));
    const type = file.contentTypes().typeOf(part);
    if (type !== undefined) file.contentTypes().set(copy, type);
  }
  for (const [part, copy] of names) {
    const relations = file.bytes(relationshipsPath(part));
    if (relations === undefined) continue;
    file.set(relationshipsPath(copy), relations);
    const own = file.relationships(copy);
    for (const { id, path } of file.relationships(part).list()) {
      const to = path === null ? undefined : names.get(path);
      // The copies are in the same folders as the originals, so relative targets differ only in the name.
      if (to !== undefined) own.retarget(id, relativeTarget(copy, to));
    }
  }
  return names;
}
