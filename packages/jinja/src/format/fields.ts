import { spend } from '../budget.ts';
import { raise, TemplateError } from '../errors.ts';
import type { Value } from '../values/types.ts';
import { cached } from './cache.ts';

/** The fields of a `str.format` format, parsed as Python's `string.Formatter` parses them. */

/** One step from the argument to the value: an attribute or an item. */
export type Step = { attribute: string } | { item: Value };

export interface Field {
  /** Empty for `{}`, whose argument is the next one. */
  name: string;
  /** The argument: a number or a name. */
  argument: number | string;
  path: readonly Step[];
  /** The fault in the path after its last step. */
  pathError: string | undefined;
  conversion: string;
  spec: string;
}

/** Literal text, and the field after it if there is one. */
export interface Piece {
  literal: string;
  field?: Field;
  /** The fault at this place of the format. */
  error?: TemplateError;
}

/** Splits a format into literal text and fields, up to its first fault. */
export const pieces = cached((text: string): readonly Piece[] => {
  spend(text.length);
  const result: Piece[] = [];
  try {
    for (const piece of readPieces(text)) result.push(piece);
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    // A new error each time, because its place is set later.
    result.push({ literal: '', error });
  }
  return result;
});

function* readPieces(text: string): Generator<Piece> {
  let at = 0;
  while (at < text.length) {
    let end = at;
    while (end < text.length && text[end] !== '{' && text[end] !== '}') end++;
    const literal = text.slice(at, end);
    const brace = text[end];
    if (brace === undefined) return yield { literal };
    if (text[end + 1] === brace) {
      yield { literal: literal + brace };
      at = end + 2;
      continue;
    }
    if (brace === '}') raise('ValueError', "Single '}' encountered in format string");
    if (end + 1 >= text.length) raise('ValueError', "Single '{' encountered in format string");
    const { field, next } = readField(text, end + 1);
    yield { literal, field };
    at = next;
  }
}

/**
 * Reads a field after its opening brace, and returns it with the next position. Faults are found in CPython's
 * order.
 */
function readField(text: string, start: number): { field: Field; next: number } {
  const end = nameEnd(text, start);
  const closer = text[end];
  if (closer === undefined) raise('ValueError', "expected '}' before end of string");
  const name = parseName(text.slice(start, end));
  let at = end + 1;
  if (closer === '}') return { field: { ...name, conversion: '', spec: '' }, next: at };
  let conversion = '';
  if (closer === '!') {
    conversion = text[at++] ?? raise('ValueError', 'end of string while looking for conversion specifier');
    const after = text[at++];
    if (after === '}') return { field: { ...name, conversion, spec: '' }, next: at };
    if (after !== undefined && after !== ':') {
      raise('ValueError', "expected ':' after conversion specifier");
    }
  }
  const close = closingBrace(text, at);
  return { field: { ...name, conversion, spec: text.slice(at, close) }, next: close + 1 };
}

/** Returns the end of a field's name. Between brackets everything belongs to the key. */
function nameEnd(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    const char = text[at];
    if (char === '{') raise('ValueError', "unexpected '{' in field name");
    if (char === '[') {
      const close = text.indexOf(']', at);
      at = close === -1 ? text.length : close;
    } else if (char === '}' || char === ':' || char === '!') return at;
  }
  return text.length;
}

/** Returns the brace that ends a format spec, which may contain fields. */
function closingBrace(text: string, start: number): number {
  let depth = 1;
  for (let i = start; i < text.length; i++) {
    if (text[i] === '{') depth++;
    else if (text[i] === '}' && --depth === 0) return i;
  }
  return raise('ValueError', "unmatched '{' in format spec");
}

function isDigits(text: string): boolean {
  return /^\d+$/u.test(text);
}

function parseName(name: string): Omit<Field, 'conversion' | 'spec'> {
  const first = /^[^.[]*/u.exec(name)?.[0] ?? '';
  const rest = name.slice(first.length);
  const path: Step[] = [];
  const result = { name, argument: isDigits(first) ? Number(first) : first, path };
  const part = /\.([^.[]*)|\[([^\]]*)\](?=[.[]|$)/uy;
  while (part.lastIndex < rest.length) {
    const start = part.lastIndex;
    const match = part.exec(rest);
    if (!match) return { ...result, pathError: pathError(rest.slice(start)) };
    const [, attribute, item = ''] = match;
    if (attribute === '' || (attribute === undefined && item === '')) {
      return { ...result, pathError: 'Empty attribute in format string' };
    }
    path.push(attribute === undefined ? { item: isDigits(item) ? Number(item) : item } : { attribute });
  }
  return { ...result, pathError: undefined };
}

function pathError(rest: string): string {
  if (rest.startsWith('[') && !rest.includes(']')) return "Missing ']' in format string";
  return "Only '.' or '[' may follow ']' in format field specifier";
}
