import { isPlatenError } from '@platen/core/errors';
import type { StreamBytes } from '../model/bytes.ts';
import type { PdfFile } from '../model/file.ts';
import type { PlainTable } from '../model/plain.ts';
import { isDict, isRef, type PdfDict, type PdfValue, type Ref, textOf } from '../model/values.ts';

/** Maximum bytes of a script. */
const MAX_SCRIPT = 1 << 20;

/** A new document, whose objects may all be changed in place. */
export class Target {
  protected readonly file: PdfFile;

  constructor(file: PdfFile) {
    this.file = file;
  }

  allocate(): Ref {
    return this.file.allocate();
  }

  add(value: PdfValue): Ref {
    return this.file.add(value);
  }

  /** @param stream data of a stream, encoded by the filters of its dictionary */
  set(ref: Ref, value: PdfValue, stream?: StreamBytes): void {
    this.file.set(ref, value, stream);
  }

  takeOver(id: number, table: PlainTable, member: number, moved: (id: number) => number): void {
    this.file.takeOver(id, table, member, moved);
  }

  get(ref: Ref): PdfValue {
    return this.file.get(ref)?.value ?? null;
  }

  resolve(value: PdfValue | undefined): PdfValue {
    return isRef(value) ? this.get(value) : (value ?? null);
  }

  edit(ref: Ref): PdfDict {
    const value = this.get(ref);
    if (isDict(value)) return value;
    const dict: PdfDict = {};
    this.file.set(ref, dict);
    return dict;
  }

  text(ref: Ref): string | undefined {
    try {
      const stream = this.file.streamData(ref, MAX_SCRIPT);
      return stream === undefined || stream.filters.length > 0
        ? undefined
        : textOf(`b:${Buffer.from(stream.data).toString('hex')}`);
    } catch (error) {
      if (isPlatenError(error) && error.code.startsWith('pdf_')) return undefined;
      throw error;
    }
  }

  setTrailer(key: string, value: PdfValue): void {
    this.file.setTrailer(key, value);
  }
}

/** A document that has been read: its objects are copied before they are changed. */
export class ReadTarget extends Target {
  override edit(ref: Ref): PdfDict {
    const dict = { ...super.edit(ref) };
    this.file.set(ref, dict);
    return dict;
  }
}
