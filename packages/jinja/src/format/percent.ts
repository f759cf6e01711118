import { claimAppend, claimString, spend } from '../budget.ts';
import { raise } from '../errors.ts';
import { Dict, Tuple } from '../values/containers.ts';
import { repr } from '../values/repr.ts';
import type { Value } from '../values/types.ts';
import { isString, Markup, Obj, textOf } from '../values/types.ts';
import { cached } from './cache.ts';
import { convertValue } from './conversions.ts';
import type { Conversion } from './conversions.ts';

/** Returns the arguments of a format one after the other, or by name. */
class Arguments {
  readonly #values: readonly Value[];
  readonly #mapping: Value | undefined;
  #used = 0;

  constructor(value: Value) {
    const isTuple = value instanceof Tuple;
    this.#values = isTuple ? value.items : [value];
    this.#mapping = !isTuple && !isString(value) && isSubscriptable(value) ? value : undefined;
  }

  next(): Value {
    const value = this.#values[this.#used++];
    return value === undefined ? raise('TypeError', 'not enough arguments for format string') : value;
  }

  named(name: string): Value {
    if (!(this.#mapping instanceof Dict)) raise('TypeError', 'format requires a mapping');
    this.#used = this.#values.length;
    const value = this.#mapping.get(name);
    return value === undefined ? raise('KeyError', repr(name)) : value;
  }

  finish(): void {
    // A mapping may be left unused.
    if (this.#used >= this.#values.length || this.#mapping !== undefined) return;
    raise('TypeError', 'not all arguments converted during string formatting');
  }
}

function isSubscriptable(value: Value): boolean {
  return Array.isArray(value) || (value instanceof Obj && value.subscriptable);
}

/** `*` stands for a number among the arguments. */
type Size = number | '*';

/** Text, and the conversion after it if there is one. */
interface Segment {
  literal: string;
  conversion?: Omit<Conversion, 'width' | 'precision'> & {
    name: string | undefined;
    width: Size;
    precision: Size | undefined;
    /** The fault of an incomplete conversion. */
    error: string | undefined;
  };
}

/** `format % argument`. When the format is Markup, inserted values are escaped. */
export function formatPercent(format: string | Markup, argument: Value): string | Markup {
  const values = new Arguments(argument);
  const escaping = format instanceof Markup;
  let result = '';
  for (const { literal, conversion } of segments(textOf(format))) {
    const text = conversion === undefined ? '' : run(conversion, values, escaping);
    claimAppend(result.length, literal.length + text.length);
    result += literal + text;
  }
  values.finish();
  return escaping ? new Markup(result) : result;
}

function run(conversion: NonNullable<Segment['conversion']>, values: Arguments, escaping: boolean): string {
  const { name, error, type } = conversion;
  const named = name === undefined ? undefined : values.named(name);
  const width = size(conversion.width, values);
  const precision = conversion.precision === undefined ? undefined : size(conversion.precision, values);
  if (error !== undefined) raise('ValueError', error);
  if (type === '%') return '%';
  const value = named === undefined ? values.next() : named;
  const left = conversion.left || width < 0;
  return convertValue(
    {
      ...conversion,
      left,
      width: claimString(Math.abs(width)),
      precision: precision === undefined ? undefined : claimString(Math.max(0, precision)),
    },
    value,
    escaping,
  );
}

function size(given: Size, values: Arguments): number {
  if (given !== '*') return given;
  const value = values.next();
  return typeof value === 'number' ? value : raise('TypeError', '* wants int');
}

const segments = cached((text: string): Segment[] => {
  spend(text.length);
  const result: Segment[] = [];
  const reader = new ConversionReader(text);
  for (let percent = text.indexOf('%'); percent !== -1; percent = text.indexOf('%', reader.at)) {
    const literal = text.slice(reader.at, percent);
    result.push({ literal, conversion: reader.read(percent + 1) });
  }
  if (reader.at < text.length) result.push({ literal: text.slice(reader.at) });
  return result;
});

/** Python's largest C int. */
const MAX_SIZE = 2 ** 31 - 1;

/** Reads the conversions of a format one after the other. */
class ConversionReader {
  readonly #text: string;
  /** The end of the last conversion. */
  at = 0;
  #error: string | undefined;
  /** The characters up to an offset, so that a format with many conversions is counted once. */
  #counted = { offset: 0, characters: 0 };

  constructor(text: string) {
    this.#text = text;
  }

  #charactersBefore(offset: number): number {
    const { offset: from, characters } = this.#counted;
    this.#counted = { offset, characters: characters + Array.from(this.#text.slice(from, offset)).length };
    return this.#counted.characters;
  }

  /** Returns the next character; at the end of the text the conversion is incomplete. */
  #char(): string {
    const char = this.#text[this.at];
    if (char === undefined) this.#error ??= 'incomplete format';
    return char ?? '';
  }

  /** Reads the conversion whose `%` ends at an offset. */
  read(start: number): NonNullable<Segment['conversion']> {
    this.at = start;
    this.#error = undefined;
    const name = this.#char() === '(' ? this.#name() : undefined;
    let flags = '';
    while (this.#char() !== '' && '#0- +'.includes(this.#char())) flags += this.#text[this.at++] ?? '';
    const width = this.#size('width') ?? 0;
    let precision: Size | undefined;
    if (this.#char() === '.') {
      this.at++;
      precision = this.#size('precision') ?? 0;
    }
    if (this.#char() !== '' && 'hlL'.includes(this.#char())) this.at++;
    const type = this.#char();
    const index = this.#charactersBefore(this.at);
    this.at++;
    return {
      name,
      width,
      precision,
      type,
      index,
      alternate: flags.includes('#'),
      zero: flags.includes('0'),
      left: flags.includes('-'),
      space: flags.includes(' '),
      plus: flags.includes('+'),
      error: this.#error,
    };
  }

  #name(): string | undefined {
    const start = ++this.at;
    for (let depth = 1; ; this.at++) {
      const char = this.#text[this.at];
      if (char === undefined) {
        this.#error ??= 'incomplete format key';
        return undefined;
      }
      if (char === '(') depth++;
      if (char === ')' && --depth === 0) return this.#text.slice(start, this.at++);
    }
  }

  #size(what: string): Size | undefined {
    if (this.#char() === '*') {
      this.at++;
      return '*';
    }
    const start = this.at;
    while (/^[0-9]$/u.test(this.#char())) this.at++;
    if (this.at === start) return undefined;
    const number = Number(this.#text.slice(start, this.at));
    if (number > MAX_SIZE) this.#error ??= `${what} too big`;
    return number;
  }
}
