import { ContentOperations } from '../content/operations.ts';
import type { Names } from '../model/words.ts';
import { stringOf } from '../model/text.ts';
import { Tokens } from '../rebuild/tokens.ts';
import { isDict, isName, isString, textOf, type PdfDict, type PdfValue } from '../model/values.ts';
import { nameOf } from './content-values.ts';

/** The marks around an operation. */
export interface Marks {
  /** Marked-content identifier of the innermost element. */
  mcid: number | null;
  /** The replacement text of the shown content. */
  actualText: string | null;
}

/** Callbacks while a content stream is read. */
export interface StreamContext {
  /** Returns the properties that a name in `BDC` refers to. */
  properties(name: string): PdfDict;
  /** Returns whether an element of the structure has this content. */
  isOwned(mcid: number): boolean;
  /** Returns whether an object that is shown by `Do` has to be marked here, or has its own marks. */
  object(name: string, isMarked: boolean): 'unmarked' | 'marked';
  /** Called for text outside of all marks. */
  unmarkedText(): void;
  /** Called for each operation that is not part of a path. */
  operation(operations: ContentOperations, marks: Marks): void;
}

/** The kind of a mark: real content of an element, an artifact, or neither. */
interface Mark extends Marks {
  kind: 'real' | 'artifact' | 'neither';
}

interface Edit {
  at: number;
  removed: number;
  text: string;
}

const BEGIN = '/Artifact BMC\n';
const END = '\nEMC';
/** Repeated content of pages: header, footer, page number (ISO 32000-1, table 330). */
const PAGINATION = '/Artifact <</Type /Pagination>> BDC\n';

/** Reads a content stream and marks all unmarked painting as an artifact (ISO 14289-1, 7.1). */
export class Marking {
  /** The stream contains marks of elements, so it cannot be marked from outside. */
  hasContent = false;
  /** Real content is inside an artifact, or vice versa. */
  isMixed = false;
  readonly #operations: ContentOperations;
  readonly #context: StreamContext;
  readonly #text: string;
  #edits: Edit[] = [];
  readonly #marks: Mark[] = [];
  /** Number of open marks that are real content or artifacts. */
  #markedBy = 0;
  #path = -1;
  /** A text object: its start, the text outside of all marks, and whether it contains marks. */
  #object: { start: number; shown: [number, number][]; hasMarks: boolean } | null = null;

  /**
   * @param isPage whether text outside of all marks is content that repeats on the pages
   * @param names that were read before
   */
  constructor(bytes: Uint8Array, context: StreamContext, isPage: boolean, names: Names) {
    this.#operations = new ContentOperations(bytes, names);
    this.#context = context;
    this.#text = isPage ? PAGINATION : BEGIN;
  }

  /** It contains something that is not an operation. */
  get isBroken(): boolean {
    return this.#operations.isBroken;
  }

  /**
   * Reads all operations.
   *
   * @returns the stream with additional marks; null if nothing has to change
   */
  run(): Buffer | null {
    const operations = this.#operations;
    while (operations.next()) this.#step(operations);
    for (const { kind } of this.#marks) if (kind !== 'neither') this.hasContent = true;
    if (this.#marks.length > 0) this.#edit(operations.bytes.length, 0, END.repeat(this.#marks.length));
    return this.#edits.length === 0 ? null : this.#edited();
  }

  #step(operations: ContentOperations): void {
    const { operator, start, end } = operations;
    switch (operator) {
      case 'm':
      case 'l':
      case 'c':
      case 'v':
      case 'y':
      case 'h':
      case 're':
      case 'W':
      case 'W*':
        if (this.#path === -1) this.#path = start;
        break;
      case 'f':
      case 'F':
      case 'f*':
      case 'B':
      case 'B*':
      case 'b':
      case 'b*':
      case 'S':
      case 's':
        if (!this.#isMarked()) this.#wrap(this.#path === -1 ? start : this.#path, end, BEGIN);
        this.#path = -1;
        break;
      case 'n':
        this.#path = -1;
        break;
      default:
        this.#stepOther(operations);
    }
  }

  #stepOther(operations: ContentOperations): void {
    const { operator, start, end } = operations;
    switch (operator) {
      case 'BMC':
      case 'BDC':
        this.#begin(operations);
        break;
      case 'EMC':
        // An end mark without a beginning.
        this.#end(start, end);
        break;
      case 'BT':
        this.#object = { start, shown: [], hasMarks: false };
        break;
      case 'ET':
        this.#endText(end);
        break;
      case 'Do': {
        const isMarked = this.#isMarked();
        const kind = this.#context.object(nameOf(operations), isMarked);
        if (!isMarked && kind === 'unmarked') this.#wrap(start, end, this.#text);
        if (kind === 'marked') this.hasContent = true;
        break;
      }
      case 'sh':
      case 'BI':
        if (!this.#isMarked()) this.#wrap(start, end, BEGIN);
        break;
      case 'Tj':
      case 'TJ':
      case "'":
      case '"':
        if (!this.#isMarked()) this.#object?.shown.push([start, end]);
        break;
      default:
    }
    this.#context.operation(operations, this.#marks.at(-1) ?? NO_MARKS);
  }

  #end(start: number, end: number): void {
    const mark = this.#marks.pop();
    if (mark === undefined) this.#edit(start, end - start, '');
    else if (mark.kind !== 'neither') this.#markedBy--;
  }

  /** Marks a text object without marks as a whole; in others, marks the unmarked text. */
  #endText(end: number): void {
    const object = this.#object;
    this.#object = null;
    if (object === null || object.shown.length === 0) return;
    this.#context.unmarkedText();
    if (object.hasMarks) for (const [from, to] of object.shown) this.#wrap(from, to, this.#text);
    else this.#wrap(object.start, end, this.#text);
  }

  #begin(operations: ContentOperations): void {
    const { operator, start, end } = operations;
    const parser = new Tokens(operations.bytes, start, operations.names);
    const tag = parser.value();
    const plain = operator === 'BDC' ? numberIn(operations.bytes, parser.at) : -1;
    const properties =
      operator !== 'BDC' ? {} : plain !== -1 ? { '/MCID': plain } : this.#properties(parser.value());
    const outer = this.#marks.at(-1) ?? NO_MARKS;
    const number = properties['/MCID'];
    const replaced = properties['/ActualText'];
    const mcid = typeof number === 'number' ? number : outer.mcid;
    const actualText = isString(replaced) ? textOf(decodedString(replaced)) : outer.actualText;
    let kind: Mark['kind'] = 'neither';
    if (tag === '/Artifact') kind = 'artifact';
    else if (typeof number === 'number') {
      kind = this.#context.isOwned(number) ? 'real' : 'artifact';
      if (kind === 'artifact') this.#edit(start, end - start, '/Artifact BMC');
    }
    if (kind !== 'neither') {
      this.hasContent = true;
      this.isMixed ||= this.#marks.some((mark) => mark.kind !== 'neither' && mark.kind !== kind);
      this.#markedBy++;
    }
    if (this.#object !== null) this.#object.hasMarks = true;
    this.#marks.push({ mcid, actualText, kind });
  }

  #properties(value: PdfValue): PdfDict {
    if (isDict(value)) return value;
    return isName(value) ? this.#context.properties(value) : {};
  }

  #isMarked(): boolean {
    return this.#markedBy > 0;
  }

  #wrap(start: number, end: number, begin: string): void {
    this.#edit(start, 0, begin);
    this.#edit(end, 0, END);
  }

  #edit(at: number, removed: number, text: string): void {
    this.#edits.push({ at, removed, text });
  }

  #edited(): Buffer {
    const { bytes } = this.#operations;
    // A text object is marked from its beginning once its end is known.
    const edits = this.#edits.sort((a, b) => a.at - b.at);
    const parts: Buffer[] = [];
    let done = 0;
    for (const { at, removed, text } of edits) {
      parts.push(bytes.subarray(done, at), Buffer.from(text, 'latin1'));
      done = at + removed;
    }
    parts.push(bytes.subarray(done));
    return Buffer.concat(parts);
  }
}

const MCID = Buffer.from(' <</MCID ');
const [ZERO, SPACE, GREATER] = [0x30, 0x20, 0x3e];

/**
 * The marked-content identifier of a property list that has nothing else and is written as Chromium does; -1 for
 * others.
 */
function numberIn(bytes: Buffer, start: number): number {
  for (let at = 0; at < MCID.length; at++) if (bytes[start + at] !== MCID[at]) return -1;
  const first = start + MCID.length;
  let [number, at] = [0, first];
  for (let digit = digitAt(bytes, at); digit !== -1; digit = digitAt(bytes, ++at))
    number = 10 * number + digit;
  if (at === first || at - first > MAX_DIGITS) return -1;
  if (bytes[at] === SPACE) at++;
  return bytes[at] === GREATER && bytes[at + 1] === GREATER ? number : -1;
}

const MAX_DIGITS = 9;

function digitAt(bytes: Buffer, at: number): number {
  const digit = (bytes[at] ?? 0) - ZERO;
  return digit >= 0 && digit <= 9 ? digit : -1;
}

/** Decodes a string of bytes as text. */
function decodedString(value: string): string {
  return value.startsWith('b:') ? stringOf(Buffer.from(value.slice(2), 'hex')) : value;
}

const NO_MARKS: Marks = { mcid: null, actualText: null };
