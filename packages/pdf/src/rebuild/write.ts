import { isDict, isRef, serialize } from '../model/values.ts';
import type { PdfDict, PdfValue } from '../model/values.ts';
import type { FoundDocument } from './document.ts';
import { type FoundObject, valueOf } from './scan.ts';

interface Entry {
  id: number;
  generation: number;
  value: PdfValue;
  data: Buffer | undefined;
}

/** Writes a repaired document with a cross-reference table (ISO 32000-1, 7.5.4). */
export function writePdf(version: string, document: FoundDocument, trailer: PdfDict): Buffer {
  const { objects, changed } = document;
  const ids = [...new Set([...objects.keys(), ...changed.keys()])].sort((a, b) => a - b);
  // Encryption depends on object numbers; otherwise new ones avoid gaps, which qpdf treats as damage.
  const numbers =
    trailer['/Encrypt'] === undefined ? new Map(ids.map((id, index) => [id, index + 1])) : undefined;
  const renumbered = (value: PdfValue): PdfValue =>
    numbers === undefined ? value : translate(value, numbers);
  const output = new Output(`%PDF-${version}\n%\u00e2\u00e3\u00cf\u00d3\n`);
  for (const id of ids) {
    const entry = entryOf(id, objects.get(id), changed.get(id));
    // Entries that describe the previous arrangement of the file.
    if (isDict(entry.value) && entry.value['/Linearized'] !== undefined) continue;
    const place = numbers?.get(id);
    output.write({
      ...entry,
      ...(place === undefined ? {} : { id: place, generation: 0 }),
      value: renumbered(entry.value),
    });
  }
  const end = renumbered(trailer);
  return output.finish(isDict(end) ? end : {});
}

function entryOf(
  id: number,
  found: FoundObject | undefined,
  change: { generation: number; value: PdfDict } | undefined,
): Entry {
  const data = found?.data === undefined ? undefined : found.bytes.subarray(...found.data);
  const value = change?.value ?? (found === undefined ? null : valueOf(found));
  return { id, generation: change?.generation ?? found?.generation ?? 0, value, data };
}

/** A value with the new numbers of its references; those to missing objects are null. */
function translate(value: PdfValue, numbers: ReadonlyMap<number, number>): PdfValue {
  if (isRef(value)) {
    const number = numbers.get(Number.parseInt(value, 10));
    return number === undefined ? null : `${number} 0 R`;
  }
  if (Array.isArray(value)) return value.map((entry) => translate(entry, numbers));
  if (!isDict(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, translate(entry, numbers)]));
}

class Output {
  readonly #parts: Buffer[] = [];
  #position = 0;
  readonly #places: { id: number; generation: number; position: number }[] = [];

  constructor(header: string) {
    this.#add(header);
  }

  write({ id, generation, value, data }: Entry): void {
    this.#places.push({ id, generation, position: this.#position });
    this.#add(`${id} ${generation} obj\n`);
    if (data === undefined || !isDict(value)) this.#add(`${serialize(value)}\nendobj\n`);
    else {
      this.#add(`${serialize({ ...value, '/Length': data.length })}\nstream\n`);
      this.#add(data);
      this.#add('\nendstream\nendobj\n');
    }
  }

  finish(trailer: PdfDict): Buffer {
    const start = this.#position;
    const sections = ['xref\n0 1\n0000000000 65535 f \n'];
    let rows: string[] = [];
    let first = 0;
    const flush = (): void => {
      if (rows.length > 0) sections.push(`${first} ${rows.length}\n${rows.join('')}`);
      rows = [];
    };
    for (const [index, { id, generation, position }] of this.#places.entries()) {
      if (id !== (this.#places[index - 1]?.id ?? -1) + 1) {
        flush();
        first = id;
      }
      rows.push(`${String(position).padStart(10, '0')} ${String(generation).padStart(5, '0')} n \n`);
    }
    flush();
    const size = (this.#places.at(-1)?.id ?? 0) + 1;
    this.#add(sections.join(''));
    this.#add(`trailer\n${serialize({ ...trailer, '/Size': size })}\nstartxref\n${start}\n%%EOF\n`);
    return Buffer.concat(this.#parts);
  }

  #add(data: string | Buffer): void {
    const bytes = typeof data === 'string' ? Buffer.from(data, 'latin1') : data;
    this.#parts.push(bytes);
    this.#position += bytes.length;
  }
}
