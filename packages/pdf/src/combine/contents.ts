import { createHash } from 'node:crypto';
import type { PdfFile } from '../model/index.ts';
import { isDict, isRef, type PdfDict, type PdfValue, type Ref } from '../model/values.ts';

/**
 * Returns a function that describes the content of a stream, so that equal streams of different documents have the same
 * description: also of pictures that refer to colour profiles and masks. Null for all others with references, whose
 * targets may have a place of their own in the document.
 */
export function keysOfContents(file: PdfFile): (ref: Ref) => string | null {
  const keys = new Map<Ref, string | null>();
  const keyOf = (ref: Ref, isOfPicture = false): string | null => {
    const known = keys.get(ref);
    if (known !== undefined) return known;
    // A value that leads back to itself has no description.
    keys.set(ref, null);
    const object = file.get(ref);
    if (object === undefined || (isOfPicture && hasOwnPlace(object.value))) return null;
    const { '/Length': _length, ...rest } = isDict(object.value) ? object.value : { '/Value': object.value };
    const refersToShared = isOfPicture || rest['/Subtype'] === '/Image';
    const described = withKeys(rest, (target) => (refersToShared ? keyOf(target, true) : null));
    if (described === null) return null;
    const hash = createHash('sha256').update(JSON.stringify(described));
    if (object.stream !== undefined) hash.update(object.stream.raw);
    const key = hash.digest('base64');
    keys.set(ref, key);
    return key;
  };
  return (ref) => keyOf(ref);
}

/** Whether an object is more than data: a layer, a page, a part of the structure. */
function hasOwnPlace(value: PdfValue): boolean {
  return isDict(value) && !['/XObject', undefined].includes(value['/Type'] as string | undefined);
}

/** A value with descriptions instead of its references; null if one has none. */
function withKeys(value: PdfValue, keyOf: (ref: Ref) => string | null): PdfValue | null {
  if (isRef(value)) {
    const key = keyOf(value);
    return key === null ? null : `= ${key}`;
  }
  if (Array.isArray(value)) {
    const entries = value.map((entry) => (entry === null ? entry : withKeys(entry, keyOf)));
    return entries.some((entry, index) => entry === null && value[index] !== null) ? null : entries;
  }
  if (!isDict(value)) return value;
  const result: PdfDict = {};
  for (const [name, entry] of Object.entries(value)) {
    const described = entry === null ? entry : withKeys(entry, keyOf);
    if (described === null && entry !== null) return null;
    result[name] = described;
  }
  return result;
}
