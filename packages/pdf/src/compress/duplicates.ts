import { createHash } from 'node:crypto';
import { replaced } from '../files/repeated-streams.ts';
import type { PdfFile } from '../model/index.ts';
import { isDict, isRef } from '../model/values.ts';
import type { PdfValue, Ref } from '../model/values.ts';

/** Types of objects whose identity matters, so that equal ones are not merged. */
const UNIQUE_TYPES = new Set([
  '/Page',
  '/Pages',
  '/Catalog',
  '/Annot',
  '/StructElem',
  '/StructTreeRoot',
  '/OBJR',
  '/OCG',
  '/Sig',
  '/Outlines',
  '/Thread',
  '/Bead',
  '/XRef',
  '/ObjStm',
]);

/** Keys of objects that have their own place in a tree, a list or a form. */
const UNIQUE_KEYS = ['/Parent', '/P', '/Prev', '/Next', '/StructParent', '/StructParents', '/FT', '/Kids'];

/**
 * Finds objects that equal an earlier one (mostly images and fonts) and redirects all references to the first. Two
 * objects are equal when all their parts are. The search repeats until it finds no more, so that two fonts become
 * equal after their descriptors.
 *
 * @param refs the objects of the document
 * @returns the objects that are no longer referenced
 */
export function removeDuplicates(file: PdfFile, refs: readonly Ref[]): Set<Ref> {
  const contents = hashesOfStreams(file, refs);
  const canonical = new Map<Ref, Ref>();
  for (;;) {
    const before = canonical.size;
    const seen = new Map<string, Ref>();
    for (const ref of refs) {
      if (canonical.has(ref)) continue;
      const object = file.get(ref);
      if (object === undefined || !mayBeShared(object.value)) continue;
      const content = object.stream === undefined ? '' : contents.get(ref);
      // No other stream has the same length and dictionary.
      if (content === undefined) continue;
      const value = JSON.stringify(replaced(object.value, canonical));
      const key = createHash('sha256')
        .update(value + content)
        .digest('base64');
      const first = seen.get(key);
      if (first === undefined) seen.set(key, ref);
      else canonical.set(ref, first);
    }
    if (canonical.size === before) break;
  }
  for (const ref of canonical.size > 0 ? refs : []) {
    const object = file.get(ref);
    if (object === undefined || canonical.has(ref)) continue;
    const value = replaced(object.value, canonical);
    if (value !== object.value) file.set(ref, value);
  }
  return new Set(canonical.keys());
}

function mayBeShared(value: PdfValue): boolean {
  if (Array.isArray(value)) return true;
  if (!isDict(value)) return false;
  const type = value['/Type'];
  if (typeof type === 'string' && UNIQUE_TYPES.has(type)) return false;
  const subtype = value['/Subtype'];
  if (subtype === '/Widget' || subtype === '/Link') return false;
  return !UNIQUE_KEYS.some((key) => key in value);
}

/** Reads the content of streams whose length and dictionary equal those of another stream. */
function hashesOfStreams(file: PdfFile, refs: readonly Ref[]): Map<Ref, string> {
  const alike = new Map<string, Ref[]>();
  for (const ref of refs) {
    const object = file.get(ref);
    if (object?.stream === undefined || !mayBeShared(object.value)) continue;
    const dict = JSON.stringify(object.value, (_key, value: unknown) =>
      isRef(value as PdfValue) ? '' : value,
    );
    const key = `${object.stream.length} ${dict}`;
    const group = alike.get(key);
    if (group === undefined) alike.set(key, [ref]);
    else group.push(ref);
  }
  const hashes = new Map<Ref, string>();
  for (const ref of [...alike.values()].filter((group) => group.length > 1).flat()) {
    const digest = createHash('sha256');
    for (const piece of file.get(ref)?.stream?.pieces() ?? []) digest.update(piece);
    hashes.set(ref, digest.digest('base64'));
  }
  return hashes;
}
