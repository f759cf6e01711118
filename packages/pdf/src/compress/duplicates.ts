import { createHash } from 'node:crypto';
import { replaced } from '../repeated-streams.ts';
import { isDict, isRef } from '../values.ts';
import type { PdfValue, Ref } from '../values.ts';
import type { Compressed } from './document.ts';

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

/** Bytes of streams that are compared at a time. */
const BATCH = 64 << 20;

/** Streams of more bytes are compared one by one, outside of memory. */
const LARGE = 16 << 20;

/**
 * Finds objects that equal an earlier one (mostly images and fonts) and redirects all references to the first. Two
 * objects are equal when all their parts are. The search repeats until it finds no more, so that two fonts become
 * equal after their descriptors.
 *
 * @returns the objects that are no longer referenced
 */
export async function removeDuplicates(document: Compressed): Promise<Set<Ref>> {
  const contents = await hashesOfStreams(document);
  const refs = document.refs();
  const canonical = new Map<Ref, Ref>();
  for (;;) {
    const before = canonical.size;
    const seen = new Map<string, Ref>();
    for (const ref of refs) {
      if (canonical.has(ref)) continue;
      const object = document.get(ref);
      if (object === undefined || !mayBeShared(object.value)) continue;
      const content = object.stream ? contents.get(ref) : '';
      // No other stream has the same length and dictionary.
      if (content === undefined) continue;
      const key = hash(JSON.stringify(replaced(object.value, canonical)) + content);
      const first = seen.get(key);
      if (first === undefined) seen.set(key, ref);
      else canonical.set(ref, first);
    }
    if (canonical.size === before) break;
  }
  for (const ref of canonical.size > 0 ? refs : []) {
    const object = document.get(ref);
    if (object === undefined || canonical.has(ref)) continue;
    const value = replaced(object.value, canonical);
    if (value !== object.value) document.set(ref, value);
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
async function hashesOfStreams(document: Compressed): Promise<Map<Ref, string>> {
  const alike = new Map<string, { refs: Ref[]; length: number }>();
  for (const ref of document.refs()) {
    const object = document.get(ref);
    if (object?.stream !== true || !isDict(object.value) || !mayBeShared(object.value)) continue;
    const length = object.value['/Length'];
    if (typeof length !== 'number') continue;
    const key = JSON.stringify(object.value, (_key, value: unknown) =>
      isRef(value as PdfValue) ? '' : value,
    );
    const group = alike.get(key);
    if (group === undefined) alike.set(key, { refs: [ref], length });
    else group.refs.push(ref);
  }
  const groups = [...alike.values()].filter(({ refs }) => refs.length > 1);
  const hashes = new Map<Ref, string>();
  for (const batch of batches(groups.filter(({ length }) => length <= LARGE))) {
    for await (const [ref, data] of document.readStreams(batch, 'none')) hashes.set(ref, hash(data));
  }
  for (const ref of groups.filter(({ length }) => length > LARGE).flatMap(({ refs }) => refs)) {
    const digest = await document.digest(ref);
    if (digest !== undefined) hashes.set(ref, digest);
  }
  return hashes;
}

function* batches(groups: readonly { refs: Ref[]; length: number }[]): Generator<Ref[]> {
  let batch: Ref[] = [];
  let bytes = 0;
  for (const { refs, length } of groups) {
    for (const ref of refs) {
      batch.push(ref);
      bytes += length;
      if (bytes > BATCH) {
        yield batch;
        [batch, bytes] = [[], 0];
      }
    }
  }
  if (batch.length > 0) yield batch;
}

function hash(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('base64');
}
