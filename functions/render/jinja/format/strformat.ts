import { claimString, spend } from '../budget.ts';
import { raise } from '../errors.ts';
import { getAttribute, getItem } from '../values/attributes.ts';
import { escape } from '../values/escape.ts';
import { repr, str } from '../values/repr.ts';
import type { Kwargs, Value } from '../values/types.ts';
import { Markup, Obj, textOf } from '../values/types.ts';
import { remembering } from './cache.ts';
import { format } from './spec.ts';

/**
 * `str.format` as Jinja2's sandbox runs it: with Python's `string.Formatter`, fields looked up like attributes and
 * items in a template, and values escaped where the format is Markup.
 */
export function formatWithFields(template: string | Markup, args: Value[], kwargs: Kwargs): string | Markup {
  const formatter = new Formatter(args, kwargs, template instanceof Markup);
  const text = formatter.run(textOf(template), 2);
  return template instanceof Markup ? new Markup(text) : text;
}

/** One piece of a format: literal text, and the field after it if there is one. */
interface Piece {
  literal: string;
  field?: { name: string; conversion: string; spec: string };
}

class Formatter {
  readonly #args: Value[];
  readonly #kwargs: Kwargs;
  readonly #escaping: boolean;
  /** The number of the next `{}`; `manual` once a number was given. */
  #auto: number | 'manual' = 0;

  constructor(args: Value[], kwargs: Kwargs, escaping: boolean) {
    this.#args = args;
    this.#kwargs = kwargs;
    this.#escaping = escaping;
  }

  run(text: string, depth: number): string {
    if (depth < 0) raise('ValueError', 'Max string recursion exceeded');
    let result = '';
    for (const { literal, field } of pieces(text)) {
      result += literal;
      if (field !== undefined) result += this.#field(field, depth);
      claimString(result.length);
    }
    return result;
  }

  #field({ name, conversion, spec }: NonNullable<Piece['field']>, depth: number): string {
    const converted = convert(this.#lookup(this.#numbered(name)), conversion);
    const filledSpec = spec.includes('{') || spec.includes('}') ? this.run(spec, depth - 1) : spec;
    if (!this.#escaping) return format(converted, filledSpec);
    return this.#escaped(converted, filledSpec);
  }

  #escaped(value: Value, spec: string): string {
    if (value instanceof Markup) {
      if (spec !== '') raise('ValueError', 'Unsupported format specification for Markup.');
      return value.text;
    }
    if (value instanceof Obj && value.html() !== undefined && spec === '') return value.html() ?? '';
    return escape(format(value, spec)).text;
  }

  #numbered(name: string): string {
    if (name === '') {
      if (this.#auto === 'manual') {
        raise('ValueError', 'cannot switch from manual field specification to automatic field numbering');
      }
      return String(this.#auto++);
    }
    if (/^\d+$/u.test(name)) {
      if (typeof this.#auto === 'number' && this.#auto > 0) {
        raise('ValueError', 'cannot switch from manual field specification to automatic field numbering');
      }
      this.#auto = 'manual';
    }
    return name;
  }

  #lookup(name: string): Value {
    const first = /^[^.[]*/u.exec(name)?.[0] ?? '';
    let value = this.#argument(first);
    const rest = name.slice(first.length);
    const part = /\.([^.[]*)|\[([^\]]*)\](?=[.[]|$)/uy;
    while (part.lastIndex < rest.length) {
      const start = part.lastIndex;
      const match = part.exec(rest);
      if (!match) return badPath(rest.slice(start));
      const [, attribute, item] = match;
      if (attribute === '' || item === '') raise('ValueError', 'Empty attribute in format string');
      if (attribute !== undefined) value = getAttribute(value, attribute);
      else value = getItem(value, item !== undefined && /^\d+$/u.test(item) ? Number(item) : (item ?? ''));
    }
    return value;
  }

  #argument(name: string): Value {
    if (/^\d+$/u.test(name)) {
      const value = this.#args[Number(name)];
      if (value !== undefined) return value;
      raise('IndexError', 'tuple index out of range');
    }
    const value = this.#kwargs.get(name);
    return value === undefined ? raise('KeyError', repr(name)) : value;
  }
}

function badPath(rest: string): never {
  if (rest.startsWith('[') && !rest.includes(']')) return raise('ValueError', "Missing ']' in format string");
  return raise('ValueError', "Only '.' or '[' may follow ']' in format field specifier");
}

function convert(value: Value, conversion: string): Value {
  switch (conversion) {
    case '':
      return value;
    case 's':
      return str(value);
    case 'r':
      return repr(value);
    case 'a':
      return repr(value).replace(/[^\0-\x7f]/gu, (char) => asciiEscape(char.codePointAt(0) ?? 0));
    default:
      return raise('ValueError', `Unknown conversion specifier ${conversion}`);
  }
}

function asciiEscape(code: number): string {
  if (code <= 0xff) return `\\x${code.toString(16).padStart(2, '0')}`;
  if (code <= 0xffff) return `\\u${code.toString(16).padStart(4, '0')}`;
  return `\\U${code.toString(16).padStart(8, '0')}`;
}

/** A format as literal text and fields. */
const pieces = remembering((text: string): Piece[] => {
  spend(text.length);
  return [...readPieces(text)];
});

function* readPieces(text: string): Generator<Piece> {
  let at = 0;
  while (at < text.length) {
    let literal = '';
    let end = at;
    while (end < text.length && text[end] !== '{' && text[end] !== '}') end++;
    literal = text.slice(at, end);
    const brace = text[end];
    if (brace === undefined) return yield { literal };
    if (text[end + 1] === brace) {
      yield { literal: literal + brace };
      at = end + 2;
      continue;
    }
    if (brace === '}') raise('ValueError', "Single '}' encountered in format string");
    if (end + 1 >= text.length) raise('ValueError', "Single '{' encountered in format string");
    const close = closingBrace(text, end + 1);
    yield { literal, field: parseField(text.slice(end + 1, close)) };
    at = close + 1;
  }
}

function closingBrace(text: string, start: number): number {
  let depth = 1;
  for (let i = start; i < text.length; i++) {
    if (text[i] === '{') depth++;
    else if (text[i] === '}' && --depth === 0) return i;
  }
  return raise('ValueError', "expected '}' before end of string");
}

function parseField(field: string): NonNullable<Piece['field']> {
  let end = 0;
  // Within brackets a colon or an exclamation mark belongs to the key.
  for (let bracket = false; end < field.length; end++) {
    const char = field[end];
    if (char === '[') bracket = true;
    else if (char === ']') bracket = false;
    else if (char === '{') raise('ValueError', "unexpected '{' in field name");
    else if (!bracket && (char === ':' || char === '!')) break;
  }
  const name = field.slice(0, end);
  if (field[end] !== '!') return { name, conversion: '', spec: field.slice(end + 1) };
  const conversion = field[end + 1];
  if (conversion === undefined) raise('ValueError', "unmatched '{' in format spec");
  const after = field[end + 2];
  if (after !== undefined && after !== ':') raise('ValueError', "expected ':' after conversion specifier");
  return { name, conversion, spec: field.slice(end + 3) };
}
