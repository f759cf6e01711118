import { createWriteStream } from 'node:fs';
import { basename } from 'node:path';
import { finished } from 'node:stream/promises';
import type { ObjectFile } from './object-file.ts';
import { isDict } from './values.ts';
import type { PdfDict, PdfValue, Ref } from './values.ts';

interface Change {
  value: PdfValue;
  stream: boolean;
  /** New data of a stream, encoded as its dictionary declares; without it the data stays unchanged. */
  data?: string;
}

/** Changes to the objects of a PDF, which qpdf applies while it writes the file (`--update-from-json`). */
export class Update {
  readonly #objects: ObjectFile;
  readonly #changes = new Map<Ref, Change>();

  #lastId: number;
  #trailer: PdfDict | undefined;

  constructor(objects: ObjectFile) {
    this.#objects = objects;
    this.#lastId = objects.maxId;
  }

  /** Returns a reference for a new object. */
  allocate(): Ref {
    return `${++this.#lastId} 0 R`;
  }

  setTrailer(trailer: PdfDict): void {
    this.#trailer = trailer;
  }

  get size(): number {
    return this.#changes.size;
  }

  /** The current value of an object. */
  get(ref: Ref): { value: PdfValue; stream: boolean } | undefined {
    return this.#changes.get(ref) ?? this.#objects.get(ref);
  }

  set(ref: Ref, value: PdfValue, stream: boolean): void {
    this.#changes.set(ref, { ...this.#changes.get(ref), value, stream });
  }

  /** @param data a file in the scratch directory of the call */
  setStream(ref: Ref, dict: PdfDict, data: string): void {
    this.#changes.set(ref, { value: dict, stream: true, data });
  }

  /**
   * Writes the changes as qpdf's JSON.
   *
   * @param folder path of the scratch directory as qpdf sees it
   */
  async write(path: string, folder: string): Promise<void> {
    const out = createWriteStream(path);
    const head = {
      jsonversion: 2,
      pdfversion: '1.7',
      pushedinheritedpageresources: false,
      calledgetallpages: false,
      maxobjectid: this.#lastId,
    };
    out.write(`{"version":2,"parameters":{"decodelevel":"none"},"qpdf":[${JSON.stringify(head)},{`);
    let separator = '';
    for (const [ref, change] of this.#changes) {
      const { value, stream, data } = change;
      const body = stream
        ? {
            stream: {
              dict: withoutLength(value),
              ...(data === undefined ? {} : { datafile: `${folder}/${basename(data)}` }),
            },
          }
        : { value };
      out.write(`${separator}${JSON.stringify(`obj:${ref}`)}:${toJson(body)}\n`);
      separator = ',';
    }
    if (this.#trailer !== undefined) out.write(`${separator}"trailer":${toJson({ value: this.#trailer })}`);
    out.end('}]}');
    await finished(out);
  }
}

/** JSON of a value; PDF does not permit exponents, which JavaScript uses for very small numbers. */
function toJson(value: unknown): string {
  return JSON.stringify(value, (_key, entry: unknown) =>
    typeof entry === 'number' && String(entry).includes('e') ? rawJson(entry) : entry,
  );
}

function rawJson(number: number): unknown {
  const text = Math.abs(number) < 1 ? number.toFixed(10) : number.toFixed(0);
  return (JSON as unknown as { rawJSON: (text: string) => unknown }).rawJSON(text);
}

function withoutLength(value: PdfValue): PdfDict {
  if (!isDict(value)) return {};
  const { '/Length': _length, ...rest } = value;
  return rest;
}
