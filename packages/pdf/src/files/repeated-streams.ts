import { createHash } from 'node:crypto';
import { openPdf } from '../model/open.ts';
import { isDict, isRef, type PdfDict, type PdfValue, type Ref } from '../model/values.ts';

/** Chromium writes each soft shadow and each filtered picture anew, as often as it is on a page: one of them is enough. */

/** Minimum bytes of streams that are compared. */
const LEAST = 4096;

/** A stream object of a file: its number, and where it begins and ends. */
interface Place {
  id: number;
  start: number;
  end: number;
}

/** Returns the numbers of streams that equal earlier ones, byte for byte with their dictionaries, with the first of each. */
export function repeatedStreams(bytes: Buffer, streams: readonly Place[]): Map<Ref, Ref> {
  const byLength = new Map<number, Place[]>();
  for (const { id, start, end } of streams) {
    const begin = start + `${id} 0 obj`.length;
    if (end - begin < LEAST) continue;
    const alike = byLength.get(end - begin);
    if (alike === undefined) byLength.set(end - begin, [{ id, start: begin, end }]);
    else alike.push({ id, start: begin, end });
  }
  const repeated = new Map<Ref, Ref>();
  for (const alike of byLength.values()) {
    if (alike.length === 1) continue;
    const firsts = new Map<string, Ref>();
    for (const { id, start, end } of alike) {
      const key = createHash('sha256').update(bytes.subarray(start, end)).digest('base64');
      const first = firsts.get(key);
      if (first === undefined) firsts.set(key, `${id} 0 R`);
      else repeated.set(`${id} 0 R`, first);
    }
  }
  return repeated;
}

/** Returns the file with references to the first streams instead of the repeated ones, which are gone. */
export async function withoutRepeated(
  pdf: Uint8Array,
  repeated: ReadonlyMap<Ref, Ref>,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  const file = await openPdf(pdf);
  for (const ref of file.refs()) {
    const value = file.get(ref)?.value;
    const changed = value === undefined ? undefined : replaced(value, repeated);
    if (changed !== undefined && changed !== value) file.set(ref, changed);
  }
  return await file.save({ signal });
}

/** A value with other references; the same value if it has none of them. */
export function replaced(value: PdfValue, others: ReadonlyMap<Ref, Ref>): PdfValue {
  if (isRef(value)) return others.get(value) ?? value;
  if (Array.isArray(value)) {
    const entries = value.map((entry) => replaced(entry, others));
    return entries.every((entry, index) => entry === value[index]) ? value : entries;
  }
  if (!isDict(value)) return value;
  let isChanged = false;
  const result: PdfDict = {};
  for (const [key, entry] of Object.entries(value)) {
    const next = replaced(entry, others);
    isChanged ||= next !== entry;
    result[key] = next;
  }
  return isChanged ? result : value;
}
