import { Names } from '../model/words.ts';
import { sharedText } from '../model/text.ts';

/**
 * The operations of a content stream (ISO 32000-1, 7.8.2) with the positions of their bytes, so that a stream can
 * be read once and written again with few changes. Unreadable parts are skipped, as readers do.
 */
export class ContentOperations {
  /** The operator, such as `Tj`. The data of an inline image belongs to `BI`, which ends with `EI`. */
  operator = '';
  /** Start of the operands, or of the operator if it has none. */
  start = 0;
  /** Start of the operator. */
  operatorStart = 0;
  /** Position after the last byte of the operation. */
  end = 0;
  /** Whether data was skipped that is not PDF syntax. */
  isBroken = false;
  readonly bytes: Buffer;
  /** Texts of operands, so that equal ones share a string. */
  readonly names: Names;

  /** @param names that were read before, in other streams of the document */
  constructor(bytes: Uint8Array, names = new Names()) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.names = names;
  }

  /**
   * Advances to the next operation.
   *
   * @returns false after the last one
   */
  next(): boolean {
    const { bytes } = this;
    const { length } = bytes;
    let at = this.end;
    let start = -1;
    while (at < length) {
      const byte = bytes[at] ?? 0;
      const kind = KINDS[byte];
      if (kind === WHITE) {
        at++;
        continue;
      }
      if (byte === 0x25) {
        at = lineEnd(bytes, at);
        continue;
      }
      if (start === -1) start = at;
      if (kind === NUMBER) {
        const first = at++;
        while (at < length && KINDS[bytes[at] ?? 0] === NUMBER) at++;
        if (at - first >= LARGE || (at < length && KINDS[bytes[at] ?? 0] === REGULAR))
          at = this.#afterOddNumber(first, at);
      } else if (kind === REGULAR) {
        const end = wordEnd(bytes, at);
        if (!isKeyword(bytes, at, end)) return this.#found(start, at, end);
        at = end;
      } else at = this.#afterDelimiter(at);
    }
    this.end = length;
    return false;
  }

  /**
   * Skips a number that may be too large, or a word that begins like a number.
   *
   * @param at position after its digits
   */
  #afterOddNumber(start: number, at: number): number {
    const { bytes } = this;
    const end = wordEnd(bytes, at);
    if (end > at) this.isBroken = true;
    if (end - start >= LARGE && Math.abs(Number.parseInt(bytes.toString('latin1', start, end), 10)) > MOST)
      this.isBroken = true;
    return end;
  }

  #afterDelimiter(at: number): number {
    const { bytes } = this;
    const byte = bytes[at];
    switch (byte) {
      case 0x28:
        return this.#ended(stringEnd(bytes, at), 0x29);
      case 0x2f:
        return wordEnd(bytes, at + 1);
      case 0x3c:
        // The values of a dictionary are read one by one.
        return bytes[at + 1] === byte ? at + 2 : this.#ended(behind(bytes, 0x3e, at), 0x3e);
      case 0x3e:
        if (bytes[at + 1] === byte) return at + 2;
        this.isBroken = true;
        return at + 1;
      case 0x5b:
      case 0x5d:
        return at + 1;
      default:
        this.isBroken = true;
        return at + 1;
    }
  }

  /** Returns the end of a string, which may be unterminated. */
  #ended(end: number, by: number): number {
    if (this.bytes[end - 1] !== by) this.isBroken = true;
    return end;
  }

  #found(start: number, operatorStart: number, end: number): boolean {
    this.operator = word(this.bytes, operatorStart, end);
    this.start = start;
    this.operatorStart = operatorStart;
    this.end = this.operator === 'BI' ? this.#ended(inlineImageEnd(this.bytes, end), 0x49) : end;
    return true;
  }
}

/** Readers do not accept larger numbers (ISO 32000-1, annex C). */
const MOST = 2_147_483_647;
/** Number of their digits. */
const LARGE = 10;

/**
 * Classes of bytes, for the start and the rest of a token. Words contain regular characters and those of numbers.
 */
const [REGULAR, WHITE, DELIMITER, NUMBER] = [0, 1, 2, 3];
const KINDS = new Uint8Array(256);
for (const code of [0, 9, 10, 12, 13, 32]) KINDS[code] = WHITE;
for (const char of '()<>[]{}/%') KINDS[char.charCodeAt(0)] = DELIMITER;
for (const char of '0123456789+-.') KINDS[char.charCodeAt(0)] = NUMBER;

const isOfWord = (byte: number): boolean => KINDS[byte] === REGULAR || KINDS[byte] === NUMBER;

/** Operators repeat, so each is stored as one string. */
function word(bytes: Buffer, start: number, end: number): string {
  const length = end - start;
  if (length === 1) return ONE[bytes[start] ?? 0] ?? '';
  const known = length > 3 ? undefined : KNOWN.get(keyOf(bytes, start, length));
  return known ?? sharedText(bytes.toString('latin1', start, end));
}

const ONE = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code));

/** Operators of two and three letters (ISO 32000-1, table A.1), by their bytes. */
const KNOWN = new Map(
  (
    'b* B* BDC BI BMC BT BX cm CS cs d0 d1 Do DP EI EMC ET EX f* gs ID MP re RG rg ri SC sc SCN scn sh T* Tc Td TD Tf ' +
    'Tj TJ TL Tm Tr Ts Tw Tz W*'
  )
    .split(' ')
    .map((operator) => [keyOf(Buffer.from(operator), 0, operator.length), sharedText(operator)]),
);

function keyOf(bytes: Buffer, start: number, length: number): number {
  const third = length === 3 ? (bytes[start + 2] ?? 0) : 0;
  return ((bytes[start] ?? 0) << 16) | ((bytes[start + 1] ?? 0) << 8) | third;
}

/** `true`, `false` and `null`, which are not operators. */
function isKeyword(bytes: Buffer, start: number, end: number): boolean {
  const first = bytes[start] ?? 0;
  // t, f and n; the last two are operators when they stand alone
  if (end - start < 4 || (first !== 0x74 && first !== 0x66 && first !== 0x6e)) return false;
  return ['true', 'false', 'null'].includes(bytes.toString('latin1', start, end));
}

/**
 * Number of bytes of a string that are compared one by one: most strings are too short for an indexed search to
 * pay off.
 */
const SHORT = 32;

/** Returns the position after the next byte of a kind; the end if there is none. */
function behind(bytes: Buffer, byte: number, start: number): number {
  const near = Math.min(bytes.length, start + SHORT);
  for (let at = start; at < near; at++) if (bytes[at] === byte) return at + 1;
  const at = bytes.indexOf(byte, near);
  return at === -1 ? bytes.length : at + 1;
}

function wordEnd(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.length && isOfWord(bytes[at] ?? 0)) at++;
  return at;
}

function lineEnd(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.length && bytes[at] !== 10 && bytes[at] !== 13) at++;
  return at;
}

/** A string in parentheses, which may be nested or escaped. */
function stringEnd(bytes: Uint8Array, start: number): number {
  let depth = 0;
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === 0x5c) at++;
    else if (byte === 0x28) depth++;
    else if (byte === 0x29 && --depth === 0) return at + 1;
  }
  return bytes.length;
}

/**
 * The end of an inline image (ISO 32000-1, 8.9.7): its data begin after `ID`. Their length follows from the entries if
 * no filter applies, else they end at an `EI` between white space that content follows.
 */
function inlineImageEnd(bytes: Buffer, start: number): number {
  const data = wordAt(bytes, 'ID', start) + 3;
  // Data may be shorter than they should be.
  const whole = endMark(bytes, data + leastLength(bytes, start, data));
  const first = whole < bytes.length ? whole : endMark(bytes, data);
  for (let at = first; at < bytes.length; at = endMark(bytes, at + 1)) {
    if (isContent(bytes, at + 2)) return at + 2;
  }
  return Math.min(bytes.length, first + 2);
}

/** Returns the position of the next `EI` between white space; the end if there is none. */
function endMark(bytes: Buffer, start: number): number {
  let at = wordAt(bytes, 'EI', start);
  while (at + 2 < bytes.length && KINDS[bytes[at + 2] ?? 0] !== WHITE) at = wordAt(bytes, 'EI', at + 1);
  return at;
}

/** Components of colour spaces; others are in the resources. */
const COMPONENTS: Readonly<Record<string, number>> = {
  G: 1, DeviceGray: 1, CalGray: 1, RGB: 3, DeviceRGB: 3, CMYK: 4, DeviceCMYK: 4,
}; // prettier-ignore

/** Returns a number of bytes of an inline image within which its data do not end. */
function leastLength(bytes: Buffer, start: number, data: number): number {
  const entries = bytes.toString('latin1', start, data);
  const filter = /\/F(?:ilter)?[\s[]*\/(\w+)/.exec(entries)?.[1];
  if (filter !== undefined) {
    const end = /^A(?:SCII)?(?:85|Hx|Hex)/.test(filter) ? bytes.indexOf('>', data) : -1;
    return end === -1 ? 0 : end - data;
  }
  const number = (name: RegExp): number => Number(name.exec(entries)?.[1] ?? 0);
  const isMask = /\/I(?:M|mageMask)\s+true/.test(entries);
  const space = /\/(?:CS|ColorSpace)([\s[]*)\/(\w+)/.exec(entries);
  const components = isMask || space?.[1]?.includes('[') === true ? 1 : (COMPONENTS[space?.[2] ?? ''] ?? 0);
  const bits = isMask ? 1 : number(/\/(?:BPC|BitsPerComponent)\s+(\d+)/);
  const [width, height] = [number(/\/W(?:idth)?\s+(\d+)/), number(/\/H(?:eight)?\s+(\d+)/)];
  return Math.ceil((width * components * bits) / 8) * height;
}

/** Number of bytes after an inline image that tell whether it has ended. */
const LOOK_AHEAD = 40;

/** Returns whether bytes look like operations, which are ASCII outside of strings, and not like the data of an image. */
function isContent(bytes: Buffer, start: number): boolean {
  for (const byte of bytes.subarray(start, start + LOOK_AHEAD)) {
    if (byte === 0x28) return true;
    if (byte === 0 || byte >= 0x7f || (byte < 0x20 && KINDS[byte] !== WHITE)) return false;
  }
  return true;
}

/**
 * Returns the position of two letters that follow white space or the end of a value; the end if there are none.
 */
function wordAt(bytes: Buffer, letters: string, start: number): number {
  for (let at = bytes.indexOf(letters, start); at !== -1; at = bytes.indexOf(letters, at + 1)) {
    if (!isOfWord(bytes[at - 1] ?? 32)) return at;
  }
  return bytes.length;
}

/** Bytes of content that others replace. */
export interface Edit {
  start: number;
  end: number;
  /** Latin-1. */
  by: string;
}

/** Returns content with edits, which are given in the order of their places: one that overlaps those before is skipped. */
export function spliced(data: Buffer, edits: readonly Edit[]): Buffer {
  const parts: Buffer[] = [];
  let at = 0;
  for (const { start, end, by } of edits) {
    if (start < at) continue;
    parts.push(data.subarray(at, start), Buffer.from(by, 'latin1'));
    at = end;
  }
  return Buffer.concat([...parts, data.subarray(at)]);
}
