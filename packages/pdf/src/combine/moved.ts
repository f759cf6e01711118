import { isDict, isName, isRef, isString, nameText, stringBytes } from '../model/values.ts';
import type { PdfDict, PdfValue, Ref } from '../model/values.ts';

/** The new numbers and names of a document's objects in the combined file. */
export interface Moves {
  /** Offset of object numbers. */
  base: number;
  /** Objects that are replaced by others. */
  others: ReadonlyMap<Ref, Ref>;
  /** Offset of keys of the parent tree (ISO 32000-2, 14.7.5.4). */
  parents: number;
  /** Prefix of the names of destinations and structure elements. */
  prefix: string;
  /** Returns a destination whose page is not a number; undefined for any other value. */
  numbered: (destination: PdfValue) => PdfValue[] | undefined;
}

/** Returns a name or string of one document, distinct from those of all others: by bytes, in the same sort order. */
export function movedName(name: string, { prefix }: Pick<Moves, 'prefix'>): string {
  const bytes = isString(name) ? stringBytes(name) : Buffer.from(nameText(name), 'utf8');
  return `b:${Buffer.concat([Buffer.from(prefix, 'latin1'), bytes]).toString('hex')}`;
}

/** @param ref of a document's object */
export function movedRef(ref: Ref, { base, others }: Moves): Ref {
  return others.get(ref) ?? `${base + Number.parseInt(ref, 10)} 0 R`;
}

/** Returns a value of a document as the combined file contains it. */
export function moved(value: PdfValue, moves: Moves): PdfValue {
  if (isRef(value)) return movedRef(value, moves);
  if (Array.isArray(value)) return value.map((entry) => moved(entry, moves));
  return isDict(value) ? movedDict(value, moves) : value;
}

function movedDict(dict: PdfDict, moves: Moves): PdfDict {
  const copy: PdfDict = {};
  for (const key in dict) {
    const value = dict[key] ?? null;
    copy[key] = movedEntry(dict, key, value, moves) ?? moved(value, moves);
  }
  return copy;
}

/**
 * Returns the new number or name for an entry that is a reference by number or name; undefined for any other
 * entry.
 */
function movedEntry(dict: PdfDict, key: string, value: PdfValue, moves: Moves): PdfValue | undefined {
  switch (key) {
    case '/StructParents':
    case '/StructParent':
      return typeof value === 'number' ? value + moves.parents : undefined;
    case '/D':
    case '/Dest':
      if (key === '/D' && dict['/S'] !== '/GoTo') return undefined;
      if (isString(value) || isName(value)) return movedName(value, moves);
      return moves.numbered(value)?.map((entry) => moved(entry, moves));
    case '/ID':
      return dict['/Type'] === '/StructElem' && isString(value) ? movedName(value, moves) : undefined;
    case '/Headers':
      if (!Array.isArray(value)) return undefined;
      return value.map((id) => (isString(id) ? movedName(id, moves) : moved(id, moves)));
    default:
      return undefined;
  }
}
