import { stringBytes, type PdfDict, type PdfValue } from './values.ts';
import { isPlainNameByte } from './text.ts';

const [OPEN, CLOSE, BACKSLASH] = [0x28, 0x29, 0x5c];
const [SPACE, ZERO, BIG_R] = [0x20, 0x30, 0x52];
/** Longer pieces are copied by Node's own function. */
const SHORT = 48;

/** A growable buffer for PDF bytes: values (values.ts) and the syntax around them. */
export class Sink {
  #bytes: Buffer;
  #length = 0;

  constructor(size = 1 << 14) {
    this.#bytes = Buffer.allocUnsafe(size);
  }

  get length(): number {
    return this.#length;
  }

  /** The written bytes; they are valid until the next write. */
  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Writes text with one byte per character. */
  text(text: string): void {
    this.#reserve(text.length);
    if (text.length > SHORT) this.#length += this.#bytes.write(text, this.#length, 'latin1');
    else for (let at = 0; at < text.length; at++) this.#bytes[this.#length++] = text.charCodeAt(at);
  }

  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** A part of some bytes. */
  part(bytes: Buffer, start: number, end: number): void {
    this.#reserve(end - start);
    if (end - start > SHORT) this.#length += bytes.copy(this.#bytes, this.#length, start, end);
    else for (let at = start; at < end; at++) this.#bytes[this.#length++] = bytes[at] ?? 0;
  }

  /** A reference to an object of generation 0. */
  reference(id: number): void {
    this.integer(id);
    this.#reserve(4);
    const bytes = this.#bytes;
    bytes[this.#length++] = SPACE;
    bytes[this.#length++] = ZERO;
    bytes[this.#length++] = SPACE;
    bytes[this.#length++] = BIG_R;
  }

  /** A non-negative integer. */
  integer(value: number): void {
    this.#reserve(16);
    let digits = 1;
    for (let power = 10; power <= value; power *= 10) digits++;
    let rest = value;
    for (let at = this.#length + digits - 1; at >= this.#length; at--) {
      const next = Math.floor(rest / 10);
      this.#bytes[at] = 0x30 + rest - 10 * next;
      rest = next;
    }
    this.#length += digits;
  }

  /** The PDF syntax of a value (ISO 32000-2, 7.3). */
  value(value: PdfValue): void {
    if (typeof value === 'string') this.#string(value);
    else if (typeof value === 'number') this.text(numberText(value));
    else if (typeof value !== 'object') this.text(value ? 'true' : 'false');
    else if (value === null) this.text('null');
    else if (Array.isArray(value)) {
      this.text('[');
      for (let at = 0; at < value.length; at++) {
        if (at > 0) this.text(' ');
        this.value(value[at] ?? null);
      }
      this.text(']');
    } else this.#dict(value);
  }

  #dict(dict: PdfDict): void {
    let separator = '<<';
    for (const key in dict) {
      const value = dict[key];
      // A key whose value is null is equivalent to a missing key (7.3.7).
      if (value === null || value === undefined) continue;
      this.text(separator);
      this.#name(key);
      this.text(' ');
      this.value(value);
      separator = ' ';
    }
    this.text(separator === '<<' ? '<<>>' : '>>');
  }

  #string(value: string): void {
    switch (value.charCodeAt(0)) {
      case 0x2f: // A name.
        this.#name(value);
        break;
      case 0x75: // `u:`, text.
        this.#textString(value);
        break;
      case 0x62: // `b:`, bytes.
        this.text(`<${value.slice(2)}>`);
        break;
      case 0x6e: // `n:`, a name that is not valid text.
        this.text(value.slice(2));
        break;
      default:
        this.text(value);
    }
  }

  #name(name: string): void {
    if (name.startsWith('n:')) {
      this.text(name.slice(2));
      return;
    }
    for (let at = 1; at < name.length; at++) {
      if (isPlainNameByte(name.charCodeAt(at))) continue;
      this.text('/');
      for (const byte of Buffer.from(name.slice(1))) {
        this.text(isPlainNameByte(byte) ? String.fromCharCode(byte) : hexEscape(byte));
      }
      return;
    }
    this.text(name);
  }

  #textString(value: string): void {
    const bytes = stringBytes(value);
    if (bytes[0] === 0xfe) {
      this.text(`<${bytes.toString('hex')}>`);
      return;
    }
    this.#reserve(2 * bytes.length + 2);
    this.#bytes[this.#length++] = OPEN;
    for (const byte of bytes) {
      if (byte === OPEN || byte === CLOSE || byte === BACKSLASH) this.#bytes[this.#length++] = BACKSLASH;
      // An unescaped end of line would be read as a line feed (7.3.4.2).
      if (byte === 0x0d) this.#bytes.write('\\r', this.#length, 'latin1');
      else this.#bytes[this.#length] = byte;
      this.#length += byte === 0x0d ? 2 : 1;
    }
    this.#bytes[this.#length++] = CLOSE;
  }

  #reserve(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#bytes.length * 2));
    larger.set(this.bytes());
    this.#bytes = larger;
  }
}

function hexEscape(byte: number): string {
  return `#${byte.toString(16).padStart(2, '0')}`;
}

/** PDF has no exponents. */
function numberText(value: number): string {
  if (!Number.isFinite(value)) return '0';
  const text = String(value);
  if (!text.includes('e')) return text;
  // bounded: toFixed gives at most 13 characters
  return Math.abs(value) < 1 ? value.toFixed(10).replace(/\.?0+$/, '') : String(BigInt(value));
}
