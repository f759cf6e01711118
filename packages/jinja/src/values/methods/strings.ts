import { claimAppend, claimList, claimString, scan, step } from '../../budget.ts';
import { raise } from '../../errors.ts';
import { formatWithFields, type Lookup } from '../../format/strformat.ts';
import { stripTags, unescapeHtml } from '../../format/html.ts';
import { Dict, Tuple } from '../containers.ts';
import { escape } from '../escape.ts';
import { iteratorOf, toList, truthy } from '../iterate.ts';
import { methods } from '../native.ts';
import type { MethodTable } from '../native.ts';
import { codePoints, textLength } from '../text.ts';
import type { Value } from '../types.ts';
import { isString, Markup, NO_KWARGS, textOf, typeName } from '../types.ts';
import * as casing from './casing.ts';
import * as split from './splitting.ts';

/** Returns the characters of an argument that must be a `str`. */
export function text(value: Value | undefined, what = ''): string {
  if (value !== undefined && isString(value)) return textOf(value);
  return raise('TypeError', `${what}must be str, not ${typeName(value ?? null)}`);
}

/** Returns an argument that must be an `int`. */
export function int(value: Value | undefined): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'bigint') return value > 0n ? Number.MAX_SAFE_INTEGER : Number.MIN_SAFE_INTEGER;
  return raise('TypeError', `'${typeName(value ?? null)}' object cannot be interpreted as an integer`);
}

/**
 * Returns the part of a text that `start` and `end` select, and its beginning; undefined if `start` lies
 * beyond the end.
 */
function window(
  self: string,
  start: Value | undefined,
  end: Value | undefined,
): { part: string; offset: number; chars: string[] } | undefined {
  const chars = codePoints(self);
  const clamp = (value: Value | undefined, otherwise: number): number => {
    if (value === null || value === undefined) return otherwise;
    const index = int(value);
    return index < 0 ? Math.max(0, index + chars.length) : index;
  };
  const from = clamp(start, 0);
  const to = Math.min(clamp(end, chars.length), chars.length);
  if (from > to) return undefined;
  return { part: chars.slice(from, to).join(''), offset: from, chars };
}

function find(self: string, args: Value[], last: boolean): number {
  const wanted = text(args[0]);
  const view = window(self, args[1], args[2]);
  if (view === undefined) return -1;
  const at = last ? view.part.lastIndexOf(wanted) : view.part.indexOf(wanted);
  return at === -1 ? -1 : view.offset + Array.from(view.part.slice(0, at)).length;
}

function index(self: string, args: Value[], last: boolean): number {
  const at = find(self, args, last);
  return at === -1 ? raise('ValueError', 'substring not found') : at;
}

function beginsOrEnds(self: string, args: Value[], name: 'startswith' | 'endswith'): boolean {
  const [wanted = null] = args;
  const view = window(self, args[1], args[2]);
  const candidates = wanted instanceof Tuple ? wanted.items : [wanted];
  for (const candidate of candidates) {
    step();
    if (isString(candidate)) continue;
    if (wanted instanceof Tuple) {
      raise('TypeError', `tuple for ${name} must only contain str, not ${typeName(candidate)}`);
    }
    raise('TypeError', `${name} first arg must be str or a tuple of str, not ${typeName(candidate)}`);
  }
  if (view === undefined) return false;
  const test = (part: string): boolean => {
    scan(part.length);
    return name === 'startswith' ? view.part.startsWith(part) : view.part.endsWith(part);
  };
  return candidates.some((candidate) => test(text(candidate)));
}

function count(self: string, args: Value[]): number {
  const wanted = text(args[0]);
  const view = window(self, args[1], args[2]);
  if (view === undefined) return 0;
  if (wanted === '') return textLength(view.part) + 1;
  return view.part.split(wanted).length - 1;
}

/** `str.replace`: at most `limit` times, all if negative. */
export function replaceText(self: string, old: string, replacement: string, limit: number): string {
  scan(self.length);
  const parts = old === '' ? ['', ...codePoints(self), ''] : self.split(old);
  const most = claimList(parts.length) - 1;
  const times = limit < 0 ? most : Math.min(limit, most);
  claimString(self.length + times * Math.max(0, replacement.length - old.length));
  const replaced = parts.slice(0, times + 1).join(replacement);
  return times < most ? replaced + old + parts.slice(times + 1).join(old) : replaced;
}

function fillCharacter(value: Value): string {
  if (isString(value)) return textOf(value);
  return raise('TypeError', `The fill character must be a unicode character, not ${typeName(value)}`);
}

/** Fills a text up to a width: on the left, on the right, or on both sides as `str.center` does. */
export function pad(self: string, width: Value, fill: Value, side: 'left' | 'right' | 'both'): string {
  const filling = fillCharacter(fill);
  if (textLength(filling) !== 1) {
    raise('TypeError', 'The fill character must be exactly one character long');
  }
  const wanted = int(width);
  const missing = wanted - textLength(self);
  if (missing <= 0) return self;
  claimString(wanted);
  if (side === 'left') return filling.repeat(missing) + self;
  if (side === 'right') return self + filling.repeat(missing);
  // When the fill is odd, CPython puts the extra character on the left if the width is odd too.
  const left = (missing >> 1) + (missing & wanted & 1);
  return filling.repeat(left) + self + filling.repeat(missing - left);
}

/** `sep.join(items)`. */
function join(self: string, items: Value): string {
  if (iteratorOf(items) === undefined) raise('TypeError', 'can only join an iterable');
  const parts = toList(items).map((item, i) =>
    isString(item)
      ? textOf(item)
      : raise('TypeError', `sequence item ${i}: expected str instance, ${typeName(item)} found`),
  );
  claimString(parts.reduce((sum, part) => sum + part.length + self.length, 0));
  return parts.join(self);
}

function expandTabs(self: string, size: number): string {
  let column = 0;
  let result = '';
  for (const char of codePoints(self)) {
    if (char === '\t') {
      const spaces = size > 0 ? size - (column % size) : 0;
      claimAppend(result.length, spaces);
      result += ' '.repeat(spaces);
      column += spaces;
    } else {
      result += char;
      column = char === '\n' || char === '\r' ? 0 : column + 1;
    }
  }
  return result;
}

function zeroFill(self: string, width: number): string {
  const missing = width - textLength(self);
  if (missing <= 0) return self;
  claimString(width);
  const sign = /^[+-]/u.exec(self)?.[0] ?? '';
  return sign + '0'.repeat(missing) + self.slice(sign.length);
}

function translate(self: string, table: Value): string {
  if (!(table instanceof Dict)) return raise('TypeError', `'${typeName(table)}' object is not subscriptable`);
  let result = '';
  for (const char of codePoints(self)) {
    const mapped = table.get(char.codePointAt(0) ?? 0);
    if (mapped === null) continue;
    const made =
      mapped === undefined ? char : typeof mapped === 'number' ? String.fromCodePoint(mapped) : text(mapped);
    claimAppend(result.length, made.length);
    result += made;
  }
  return result;
}

const FROM = 'start=None, end=None, /';

/** The methods of `str`, with Python's signatures. */
const TEXT_METHODS: Record<string, (self: string, ...args: Value[]) => Value> = {
  'capitalize(/)': casing.capitalize,
  'casefold(/)': casing.caseFold,
  "center(width, fillchar=' ', /)": (self, width, fill) => pad(self, width, fill, 'both'),
  [`count(sub, ${FROM})`]: (self, ...args) => count(self, args),
  [`endswith(suffix, ${FROM})`]: (self, ...args) => beginsOrEnds(self, args, 'endswith'),
  'expandtabs(tabsize=8)': (self, size) => expandTabs(self, int(size)),
  [`find(sub, ${FROM})`]: (self, ...args) => find(self, args, false),
  [`index(sub, ${FROM})`]: (self, ...args) => index(self, args, false),
  'isalnum(/)': casing.isAlphanumeric,
  'isalpha(/)': casing.isAlphabetic,
  'isascii(/)': casing.isAscii,
  'isdecimal(/)': casing.isDecimal,
  'isdigit(/)': casing.isDigit,
  'isidentifier(/)': casing.isIdentifier,
  'islower(/)': casing.isLower,
  'isnumeric(/)': casing.isNumeric,
  'isprintable(/)': casing.isPrintable,
  'isspace(/)': casing.isSpace,
  'istitle(/)': casing.isTitle,
  'isupper(/)': casing.isUpper,
  'join(iterable, /)': (self, items) => join(self, items),
  "ljust(width, fillchar=' ', /)": (self, width, fill) => pad(self, width, fill, 'right'),
  'lower(/)': casing.lower,
  'lstrip(chars=None, /)': (self, chars) => split.strip(self, chars, 'left'),
  'partition(sep, /)': (self, separator) => new Tuple(split.partition(self, text(separator))),
  'removeprefix(prefix, /)': (self, prefix) =>
    split.removePrefix(self, text(prefix, 'removeprefix() argument ')),
  'removesuffix(suffix, /)': (self, suffix) =>
    split.removeSuffix(self, text(suffix, 'removesuffix() argument ')),
  'replace(old, new, count=-1, /)': (self, old, replacement, limit) =>
    replaceText(
      self,
      text(old, 'replace() argument 1 '),
      text(replacement, 'replace() argument 2 '),
      int(limit),
    ),
  [`rfind(sub, ${FROM})`]: (self, ...args) => find(self, args, true),
  [`rindex(sub, ${FROM})`]: (self, ...args) => index(self, args, true),
  "rjust(width, fillchar=' ', /)": (self, width, fill) => pad(self, width, fill, 'left'),
  'rpartition(sep, /)': (self, separator) => new Tuple(split.rightPartition(self, text(separator))),
  'rsplit(sep=None, maxsplit=-1)': (self, separator, limit) => split.rightSplit(self, separator, int(limit)),
  'rstrip(chars=None, /)': (self, chars) => split.strip(self, chars, 'right'),
  'split(sep=None, maxsplit=-1)': (self, separator, limit) => split.split(self, separator, int(limit)),
  'splitlines(keepends=False)': (self, keep) => split.splitLines(self, truthy(keep)),
  [`startswith(prefix, ${FROM})`]: (self, ...args) => beginsOrEnds(self, args, 'startswith'),
  'strip(chars=None, /)': (self, chars) => split.strip(self, chars, 'both'),
  'swapcase(/)': casing.swapCase,
  'title(/)': casing.title,
  'translate(table, /)': (self, table) => translate(self, table),
  'upper(/)': casing.upper,
  'zfill(width, /)': (self, width) => zeroFill(self, int(width)),
};

function formatArguments(
  self: string | Markup,
  args: Value | undefined,
  named: Value | undefined,
  lookup: Lookup,
): Value {
  const kwargs = named instanceof Dict ? named : NO_KWARGS;
  return formatWithFields(self, Array.isArray(args) ? args : [], kwargs, lookup);
}

/** @param lookup looks up the fields of `format` */
export function stringMethods(lookup: Lookup): MethodTable {
  return methods<string>('str', { ...TEXT_METHODS, ...formatMethods(lookup) });
}

function formatMethods(lookup: Lookup): Record<string, (self: string | Markup, ...args: Value[]) => Value> {
  return {
    'format(*args, **kwargs)': (self, args, named) => formatArguments(self, args, named, lookup),
    'format_map(mapping, /)': (self, mapping) => formatArguments(self, [], mapping, lookup),
  };
}

/** Methods of Markup that return markup (markupsafe's own list, 3.0). */
const GIVING_MARKUP = new Set(
  'capitalize title lower upper lstrip rstrip strip translate expandtabs swapcase zfill casefold removeprefix removesuffix split rsplit splitlines partition rpartition'.split(
    ' ',
  ),
);
/** Methods that insert their second argument into the text, and escape it. */
const INSERTING = new Set(['replace', 'ljust', 'rjust', 'center']);

function nameOf(signature: string): string {
  return signature.slice(0, signature.indexOf('('));
}

function asMarkup(value: Value): Value {
  if (typeof value === 'string') return new Markup(value);
  if (Array.isArray(value)) return value.map(asMarkup);
  return value instanceof Tuple ? new Tuple(value.items.map(asMarkup)) : value;
}

function markupMethod(
  name: string,
  method: (self: string, ...args: Value[]) => Value,
): (self: Markup, ...args: Value[]) => Value {
  if (INSERTING.has(name)) {
    return (self, first = null, inserted = null, ...rest) =>
      asMarkup(method(self.text, first, isString(inserted) ? escape(inserted).text : inserted, ...rest));
  }
  if (GIVING_MARKUP.has(name)) return (self, ...args) => asMarkup(method(self.text, ...args));
  return (self, ...args) => method(self.text, ...args);
}

/** @param lookup looks up the fields of `format` */
export function markupMethods(lookup: Lookup): MethodTable {
  return methods<Markup>('Markup', {
    ...Object.fromEntries(
      Object.entries(TEXT_METHODS).map(([signature, method]) => [
        signature,
        markupMethod(nameOf(signature), method),
      ]),
    ),
    'join(iterable, /)': (self, items) => {
      const parts = toList(items).map((item) => escape(item).text);
      claimString(parts.reduce((sum, part) => sum + part.length + self.text.length, 0));
      return new Markup(parts.join(self.text));
    },
    ...formatMethods(lookup),
    'striptags(/)': (self) => stripTags(self.text),
    'unescape(/)': (self) => unescapeHtml(self.text),
    'escape(s, /)': (_self, value) => escape(value),
  });
}
