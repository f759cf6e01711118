/**
 * The operations of a content stream (ISO 32000-1, 7.8.2), one after the other, with the places of their bytes: so that
 * a stream can be read once and be written again with little changed. What cannot be read is passed over, as readers do.
 */
export class ContentOperations {
  /** The operator, such as `Tj`. The data of an inline image belong to `BI`, which ends with `EI`. */
  operator = '';
  /** Where the operands begin, or the operator where it has none. */
  start = 0;
  /** Where the operator begins. */
  operatorStart = 0;
  /** Behind the last byte of the operation. */
  end = 0;
  readonly bytes: Buffer;

  constructor(bytes: Uint8Array) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Goes to the next operation. @returns false behind the last one */
  next(): boolean {
    const { bytes } = this;
    let at = this.end;
    let start = -1;
    while (at < bytes.length) {
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
      if (kind === REGULAR) {
        const end = wordEnd(bytes, at);
        if (isOperand(bytes, at, end)) at = end;
        else return this.#found(start, at, end);
      } else at = afterDelimiter(bytes, at);
    }
    this.end = bytes.length;
    return false;
  }

  #found(start: number, operatorStart: number, end: number): boolean {
    this.operator = word(this.bytes, operatorStart, end);
    this.start = start;
    this.operatorStart = operatorStart;
    this.end = this.operator === 'BI' ? inlineImageEnd(this.bytes, end) : end;
    return true;
  }
}

const [REGULAR, WHITE, DELIMITER] = [0, 1, 2];
const KINDS = new Uint8Array(256);
for (const code of [0, 9, 10, 12, 13, 32]) KINDS[code] = WHITE;
for (const char of '()<>[]{}/%') KINDS[char.charCodeAt(0)] = DELIMITER;

/** Operators that come again and again are one text, not one for each time. */
function word(bytes: Buffer, start: number, end: number): string {
  if (end - start === 1) return ONE[bytes[start] ?? 0] ?? '';
  return bytes.toString('latin1', start, end);
}

const ONE = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code));

/** A number, or `true`, `false` and `null`, which are no operators. */
function isOperand(bytes: Buffer, start: number, end: number): boolean {
  const first = bytes[start] ?? 0;
  if ((first >= 0x30 && first <= 0x39) || first === 0x2d || first === 0x2e || first === 0x2b) return true;
  // t, f and n, of which the last two are operators where they stand alone
  if (end - start < 4 || (first !== 0x74 && first !== 0x66 && first !== 0x6e)) return false;
  return ['true', 'false', 'null'].includes(bytes.toString('latin1', start, end));
}

function afterDelimiter(bytes: Buffer, at: number): number {
  const byte = bytes[at];
  if (byte === 0x28) return stringEnd(bytes, at);
  if (byte === 0x2f) return wordEnd(bytes, at + 1);
  if (byte === 0x3c && bytes[at + 1] !== byte) {
    const end = bytes.indexOf(0x3e, at);
    return end === -1 ? bytes.length : end + 1;
  }
  return at + 1;
}

function wordEnd(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.length && KINDS[bytes[at] ?? 0] === REGULAR) at++;
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

/** The data of an inline image begin after `ID` and end at `EI` between white space. */
function inlineImageEnd(bytes: Buffer, start: number): number {
  const data = wordAt(bytes, 'ID', start);
  for (let at = wordAt(bytes, 'EI', data + 2); at < bytes.length; at = wordAt(bytes, 'EI', at + 1)) {
    const after = bytes[at + 2];
    if (after === undefined || KINDS[after] === WHITE) return at + 2;
  }
  return bytes.length;
}

/** Where two letters stand that white space, or the end of a value, is before; the end where they are not. */
function wordAt(bytes: Buffer, letters: string, start: number): number {
  for (let at = bytes.indexOf(letters, start); at !== -1; at = bytes.indexOf(letters, at + 1)) {
    if (KINDS[bytes[at - 1] ?? 32] !== REGULAR) return at;
  }
  return bytes.length;
}
