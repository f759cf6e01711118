import { Dict } from './containers.ts';
import type { Value } from './types.ts';
import { Float, integer } from './types.ts';

/** A text that is not JSON. `line` and `column` start at 1. */
export class JsonError extends Error {
  override readonly name = 'JsonError';
  readonly line: number;
  readonly column: number;

  constructor(message: string, text: string, at: number) {
    const before = text.slice(0, at);
    const line = before.split('\n').length;
    const column = at - (before.lastIndexOf('\n') + 1) + 1;
    super(`${message} (line ${line}, column ${column})`);
    this.line = line;
    this.column = column;
  }
}

/** Maximum nesting of arrays and objects. */
const MAX_NESTING = 500;

/**
 * Parses JSON like Python's `json.loads` and unlike JavaScript's `JSON.parse`: it keeps the order of keys,
 * `1` is an int and `1.0` a float, large integers keep every digit, and `NaN`, `Infinity` and `-Infinity` are
 * floats. @throws JsonError
 */
export function parseJson(text: string): Value {
  return new JsonReader(text).read();
}

const NUMBER = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;
const WHITE = /[ \t\n\r]*/y;
/** The content of a string up to its end, an escape, or a forbidden character. */
// oxlint-disable-next-line eslint/no-control-regex -- control characters are what JSON forbids in strings
const PLAIN = /[^"\\\x00-\x1f]*/y;
/** The characters that a simple string does not contain. */
// oxlint-disable-next-line eslint/no-control-regex -- control characters are what JSON forbids in strings
const SPECIAL = /[\\\x00-\x1f]/;
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

class JsonReader {
  readonly #text: string;
  #at: number;
  #nesting = 0;

  constructor(text: string) {
    this.#text = text;
    // A byte order mark is not part of the text.
    this.#at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  }

  read(): Value {
    const value = this.#value();
    this.#skipWhite();
    if (this.#at < this.#text.length) this.#fail('unexpected text after the value');
    return value;
  }

  #fail(message: string): never {
    throw new JsonError(message, this.#text, this.#at);
  }

  #skipWhite(): void {
    // The regular expression runs only when there is something to skip: most values follow one another
    // directly.
    const unit = this.#text.charCodeAt(this.#at);
    if (unit > 0x20) return;
    WHITE.lastIndex = this.#at;
    WHITE.test(this.#text);
    this.#at = WHITE.lastIndex;
  }

  #value(): Value {
    this.#skipWhite();
    switch (this.#text[this.#at]) {
      case '{':
        return this.#nested(() => this.#object());
      case '[':
        return this.#nested(() => this.#array());
      case '"':
        return this.#string();
      case 't':
        return this.#word('true', true);
      case 'f':
        return this.#word('false', false);
      case 'n':
        return this.#word('null', null);
      case 'N':
        return this.#word('NaN', new Float(NaN));
      case 'I':
        return this.#word('Infinity', new Float(Infinity));
      case undefined:
        return this.#fail('unexpected end of the text');
      default:
        return this.#number();
    }
  }

  #nested<T>(read: () => T): T {
    if (++this.#nesting > MAX_NESTING) this.#fail(`nested more than ${MAX_NESTING} deep`);
    const value = read();
    this.#nesting--;
    return value;
  }

  #word(word: string, value: Value): Value {
    if (!this.#text.startsWith(word, this.#at)) this.#fail('unexpected character');
    this.#at += word.length;
    return value;
  }

  #number(): Value {
    NUMBER.lastIndex = this.#at;
    const match = NUMBER.exec(this.#text);
    if (match === null) return this.#word('-Infinity', new Float(-Infinity));
    this.#at = NUMBER.lastIndex;
    const [digits, fraction, exponent] = match;
    if (fraction !== undefined || exponent !== undefined) return new Float(Number(digits));
    if (digits.length < 16) return Number(digits) + 0;
    // Python refuses longer ones too, because their conversion takes quadratic time.
    if (digits.length > 4301) return this.#fail('a number has more than 4300 digits');
    return integer(BigInt(digits));
  }

  /** Returns whether `close` comes next, otherwise requires a comma; skips either. */
  #closes(close: string): boolean {
    this.#skipWhite();
    const char = this.#text[this.#at];
    if (char !== ',' && char !== close) this.#fail(`expected ',' or '${close}'`);
    this.#at++;
    return char === close;
  }

  #array(): Value[] {
    this.#at++;
    const items: Value[] = [];
    this.#skipWhite();
    if (this.#text[this.#at] === ']') {
      this.#at++;
      return items;
    }
    do items.push(this.#value());
    while (!this.#closes(']'));
    return items;
  }

  #object(): Dict {
    this.#at++;
    const dict = new Dict();
    this.#skipWhite();
    if (this.#text[this.#at] === '}') {
      this.#at++;
      return dict;
    }
    do {
      this.#skipWhite();
      if (this.#text[this.#at] !== '"') this.#fail('expected a key in double quotes');
      const key = this.#string();
      this.#skipWhite();
      if (this.#text[this.#at] !== ':') this.#fail("expected ':'");
      this.#at++;
      dict.load(key, this.#value());
    } while (!this.#closes('}'));
    return dict;
  }

  #string(): string {
    this.#at++;
    // Most strings are simple and end at the next quotation mark.
    const end = this.#text.indexOf('"', this.#at);
    const plain = end === -1 ? '' : this.#text.slice(this.#at, end);
    if (end === -1 || SPECIAL.test(plain)) return this.#longString();
    this.#at = end + 1;
    return plain;
  }

  #longString(): string {
    let result = '';
    for (;;) {
      PLAIN.lastIndex = this.#at;
      PLAIN.test(this.#text);
      result += this.#text.slice(this.#at, PLAIN.lastIndex);
      this.#at = PLAIN.lastIndex;
      const char = this.#text[this.#at];
      if (char === '"') break;
      if (char === undefined) return this.#fail('a string does not end');
      if (char !== '\\') return this.#fail('a control character in a string');
      result += this.#escape();
    }
    this.#at++;
    return result;
  }

  #escape(): string {
    const char = this.#text[this.#at + 1] ?? '';
    if (char === 'u') {
      const digits = this.#text.slice(this.#at + 2, this.#at + 6);
      if (!/^[\da-fA-F]{4}$/u.test(digits)) this.#fail('an escape that is not complete');
      this.#at += 6;
      return String.fromCharCode(Number.parseInt(digits, 16));
    }
    const escaped = ESCAPES[char];
    if (escaped === undefined) return this.#fail('an unknown escape');
    this.#at += 2;
    return escaped;
  }
}
