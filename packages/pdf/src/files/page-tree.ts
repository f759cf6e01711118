import { readFile, stat } from 'node:fs/promises';
import { inflateSync } from 'node:zlib';
import { PlatenError } from '@platen/core/errors';
import { afterLineEnd, Tokens } from '../rebuild/tokens.ts';
import { isDict, isRef } from '../model/values.ts';
import type { PdfValue, Ref } from '../model/values.ts';

/**
 * Maximum number of pages of a document. Its page tree may share branches, so that a file of two kilobytes has a
 * thousand million pages, and qpdf copies each repeated one.
 */
export const MAX_PAGES = 200_000;

/** Maximum depth of a page tree; writers use three or four levels for a thousand pages. */
const MAX_LEVELS = 100;

/** Maximum size of a document whose bytes are searched, which takes a tenth of qpdf's time. */
const SMALL = 1 << 18;

/** Signs of names that are not visible in the bytes: encrypted objects, and escaped characters. */
const HIDDEN_NAMES = /\/Encrypt|\/[^\s/<>[\](){}%#]{0,40}#[\da-f]{2}/i;

/** Maximum bytes of the object streams of such a document, which are decompressed for a search. */
const MAX_UNPACKED = 16 << 20;

/**
 * Searches the bytes of a small file for names.
 *
 * @returns their number; undefined if that cannot be determined without parsing the PDF
 */
export async function namesIn(path: string, names: RegExp): Promise<number | undefined> {
  if ((await stat(path)).size > SMALL) return undefined;
  const bytes = await readFile(path);
  const packed = unpackedStreams(bytes);
  if (packed === undefined) return undefined;
  const text = `${bytes.toString('latin1')}\n${packed}`;
  return HIDDEN_NAMES.test(text) ? undefined : [...text.matchAll(names)].length;
}

/** The text of all object streams; undefined if one of them is unusual. */
function unpackedStreams(bytes: Buffer): string | undefined {
  const parts: string[] = [];
  let left = MAX_UNPACKED;
  // Each byte is read once, regardless of the number of matches.
  let end = 0;
  for (let at = bytes.indexOf('/ObjStm'); at !== -1; at = bytes.indexOf('/ObjStm', end)) {
    const open = bytes.lastIndexOf('<<', at);
    if (open < end) return undefined;
    const tokens = new Tokens(bytes, open);
    const dict = tokens.value();
    if (!isDict(dict) || dict['/Type'] !== '/ObjStm' || !tokens.takes('stream')) return undefined;
    const length = dict['/Length'];
    const isFlate = dict['/Filter'] === '/FlateDecode' && !('/DecodeParms' in dict);
    if (!isFlate || typeof length !== 'number' || left <= 0) return undefined;
    const start = afterLineEnd(bytes, tokens.at);
    end = Math.max(start + length, start);
    try {
      const data = inflateSync(bytes.subarray(start, end), { maxOutputLength: left });
      left -= data.length;
      parts.push(data.toString('latin1'));
    } catch {
      // The data is damaged or too large.
      return undefined;
    }
  }
  return parts.join('\n');
}

/** True if a document clearly has only one inner node, and so no shared branch. */
export async function hasOneNode(path: string): Promise<boolean> {
  return ((await namesIn(path, /\/Kids/g)) ?? 2) < 2;
}

/** Reads objects of a document, or its `trailer`. */
type Read = (refs: readonly string[]) => Promise<ReadonlyMap<string, PdfValue>>;

/**
 * Visits a page tree level by level, each node once, even if it is referenced repeatedly.
 *
 * @returns whether all objects that its nodes refer to can be read
 * @throws PlatenError `pdf_too_complex` for more than `MAX_PAGES`, with repeated ones counted each time, and
 * for a tree that is too deep for qpdf
 */
export async function checkPageTree(read: Read): Promise<boolean> {
  const { nodes, isWhole } = await nodesOf(read);
  const counts = new Map<Ref, number>();
  // Without recursion, which a deep tree would exhaust: a node is finished after its children.
  const stack: Ref[] = [...nodes.keys()];
  const open = new Set<Ref>();
  for (let ref = stack.at(-1); ref !== undefined; ref = stack.at(-1)) {
    const kids = nodes.get(ref);
    if (kids === undefined || counts.has(ref)) {
      stack.pop();
      continue;
    }
    if (!open.has(ref)) {
      open.add(ref);
      // A node that is being counted is an ancestor of this one: qpdf reports the cycle.
      for (const kid of kids) if (nodes.has(kid) && !counts.has(kid) && !open.has(kid)) stack.push(kid);
      continue;
    }
    stack.pop();
    let pages = 0;
    for (const kid of kids) pages += nodes.has(kid) ? (counts.get(kid) ?? 0) : 1;
    if (pages > MAX_PAGES) throw tooManyPages();
    counts.set(ref, pages);
  }
  return isWhole;
}

/** The inner nodes of the tree with their children, and whether each of them is a dictionary. */
async function nodesOf(read: Read): Promise<{ nodes: Map<Ref, readonly Ref[]>; isWhole: boolean }> {
  const nodes = new Map<Ref, readonly Ref[]>();
  const seen = new Set<Ref>();
  let isWhole = true;
  const trailer = (await read(['trailer'])).get('trailer');
  const catalogRef = isDict(trailer) ? trailer['/Root'] : undefined;
  const catalog = isRef(catalogRef) ? (await read([catalogRef])).get(catalogRef) : undefined;
  const root = isDict(catalog) ? catalog['/Pages'] : undefined;
  if (!isRef(root)) return { nodes, isWhole: false };
  let level = [root];
  for (let levels = 0; level.length > 0; levels++) {
    if (levels > MAX_LEVELS) throw tooComplex(`The page tree of the PDF has more than ${MAX_LEVELS} levels.`);
    const values = await read(level);
    const lists = level.map((ref): readonly [Ref, PdfValue] => {
      const value = values.get(ref);
      if (!isDict(value)) isWhole = false;
      return [ref, isDict(value) ? (value['/Kids'] ?? null) : null];
    });
    const shared = await read(lists.map(([, kids]) => kids).filter(isRef));
    const below: Ref[] = [];
    for (const [ref, list] of lists) {
      const array = isRef(list) ? shared.get(list) : list;
      if (!Array.isArray(array)) continue;
      if (array.length > MAX_PAGES) throw tooManyPages();
      const kids = array.filter(isRef);
      nodes.set(ref, kids);
      for (const kid of kids) {
        if (seen.has(kid)) continue;
        seen.add(kid);
        below.push(kid);
      }
    }
    if (seen.size > 2 * MAX_PAGES) throw tooManyPages();
    level = below;
  }
  return { nodes, isWhole };
}

function tooManyPages(): PlatenError {
  return tooComplex(`The PDF has more than ${MAX_PAGES} pages.`);
}

function tooComplex(message: string): PlatenError {
  return new PlatenError('pdf_too_complex', message);
}
