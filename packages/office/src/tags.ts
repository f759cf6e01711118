import { type Element, Foreign } from './xml/tree.ts';

/** Template tags as users type them in office programs: split over runs, with curly quotes and prefixes. */

/** The unit that a prefixed tag acts on: `{%p`, `{%tr`, `{%tc`, `{%r`, `{%slide`, `{%sheet`. */
export type Level = 'p' | 'tr' | 'tc' | 'r' | 'slide' | 'sheet';

/** The place of a tag, for errors. */
export interface Place {
  /** Path of the part in the package. */
  part: string;
  /** 1-based index among the paragraphs of the part. */
  paragraph: number;
  /** Cell of a sheet, see `cellNames`. */
  cell?: string | undefined;
}

/** Tags that change the cell of a table in which they stand. */
export const CELL_TAGS: ReadonlySet<string> = new Set(['colspan', 'cellbg', 'hm', 'vm']);

/** A tag in a tree of the template. */
export class Tag extends Foreign {
  readonly type: 'output' | 'block' | 'comment';
  /** The text between delimiters and prefixes, straightened. */
  readonly body: string;
  readonly level: Level | null;
  /** True for a block tag that writes text like an output: `{% include "terms.txt" %}`. */
  readonly includes: boolean;
  /** True for `{%-` and `-%}` respectively. */
  trimLeft: boolean;
  trimRight: boolean;
  readonly place: Place;
  /** The run or paragraph that an output with a prefix replaces. */
  format: Element | null = null;
  /** True in the text of a spreadsheet cell, which gets the type of its value when it has no other content. */
  typed = false;

  constructor(parsed: ParsedTag, place: Place) {
    super();
    this.type = parsed.type;
    this.body = parsed.body;
    this.level = parsed.level;
    this.includes = parsed.includes;
    this.trimLeft = parsed.trimLeft;
    this.trimRight = parsed.trimRight;
    this.place = place;
  }

  /** First word of a block tag. */
  get keyword(): string {
    return this.type === 'block' ? (/^\w+/.exec(this.body)?.[0] ?? '') : '';
  }

  copy(): Tag {
    const copy = new Tag(this, this.place);
    copy.format = this.format;
    copy.typed = this.typed;
    return copy;
  }
}

/** `<image src="{{uri}}" width="3">`, typed into the document as text. Its values may contain tags. */
export class PictureTag extends Foreign {
  readonly attributes: Readonly<Record<string, string>>;
  readonly place: Place;

  constructor(attributes: Readonly<Record<string, string>>, place: Place) {
    super();
    this.attributes = attributes;
    this.place = place;
  }

  copy(): PictureTag {
    return new PictureTag(this.attributes, this.place);
  }
}

/**
 * Text that the template language must not read: the content of `{% raw %}`, and `{_{` (as in
 * python-docx-template).
 */
export class RawText extends Foreign {
  readonly text: string;

  constructor(text: string) {
    super();
    this.text = text;
  }

  copy(): RawText {
    return new RawText(this.text);
  }
}

export interface ParsedTag {
  type: 'output' | 'block' | 'comment';
  body: string;
  level: Level | null;
  includes: boolean;
  trimLeft: boolean;
  trimRight: boolean;
}

/** A token: its range in the text, and its kind. */
export type Token = { start: number; end: number } & (
  | { type: 'tag'; tag: ParsedTag }
  | { type: 'picture'; attributes: Readonly<Record<string, string>> }
  | { type: 'raw'; text: string }
);

/** A tag without its closing delimiter. */
export class UnclosedTag extends Error {
  override readonly name = 'UnclosedTag';
  readonly opening: string;

  constructor(opening: string) {
    super(`a tag that begins with ${opening.slice(0, 2)} is not closed in its paragraph`);
    this.opening = opening;
  }
}

const OPENING = /\{\{|\{%|\{#|\{_\{|\}_\}|\{_%|%_\}|<(?:image|img)\s/gi;
const ESCAPES: Readonly<Record<string, string>> = { '{_{': '{{', '}_}': '}}', '{_%': '{%', '%_}': '%}' };

/**
 * Finds the tags of a text.
 *
 * @throws UnclosedTag
 */
export function findTokens(text: string): Token[] {
  const tokens: Token[] = [];
  if (!/[{}%]|<im/i.test(text)) return tokens;
  OPENING.lastIndex = 0;
  for (let match = OPENING.exec(text); match !== null; match = OPENING.exec(text)) {
    const token = tokenAt(text, match.index, match[0]);
    if (token === null) continue;
    tokens.push(token);
    OPENING.lastIndex = token.end;
    if (token.type === 'tag' && token.tag.type === 'block' && token.tag.body === 'raw') {
      tokens.pop();
      OPENING.lastIndex = pushRaw(text, token, tokens);
    }
  }
  return tokens;
}

function tokenAt(text: string, start: number, opening: string): Token | null {
  const escaped = ESCAPES[opening];
  if (escaped !== undefined) return { start, end: start + opening.length, type: 'raw', text: escaped };
  if (opening.startsWith('<')) return pictureAt(text, start);
  const end = tagEnd(text, start, opening);
  if (end === -1) throw new UnclosedTag(text.slice(start, start + 40));
  return { start, end, type: 'tag', tag: parseTag(text.slice(start, end), opening) };
}

/** Adds the text between `raw` and `endraw` unparsed. @returns the index where reading continues */
function pushRaw(text: string, open: { start: number; end: number }, tokens: Token[]): number {
  const close = /\{%[-+]?\s*endraw\s*[-+]?%\}/g;
  close.lastIndex = open.end;
  const match = close.exec(text);
  if (match === null) throw new UnclosedTag('{% raw %}');
  const end = match.index + match[0].length;
  tokens.push({ start: open.start, end, type: 'raw', text: text.slice(open.end, match.index) });
  return end;
}

/**
 * Returns the index after the closing delimiter; -1 if there is none. Strings and brackets inside do not end
 * a tag.
 */
function tagEnd(text: string, start: number, opening: string): number {
  if (opening === '{#') return indexAfter(text, '#}', start + 2);
  const close = opening === '{{' ? '}}' : '%}';
  let depth = 0;
  for (let at = start + 2; at < text.length; at += 1) {
    const c = text.charAt(at);
    if (depth === 0 && text.startsWith(close, at)) return at + 2;
    const family = familyOf(c);
    if (family !== undefined) {
      const end = stringEnd(text, at, family);
      // An apostrophe without a counterpart does not begin a string.
      if (end === -1) return indexAfter(text, close, at);
      at = end;
    } else if (c === '{') depth += 1;
    else if (c === '}') depth = Math.max(0, depth - 1);
  }
  return indexAfter(text, close, start + 2);
}

function indexAfter(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  return found === -1 ? -1 : found + mark.length;
}

/** The quotes of word processors in all languages: any of a family ends what another one of it began. */
const QUOTES = ['"\u201c\u201d\u201e\u201f', "'\u2018\u2019\u201a\u201b", '\u00ab\u00bb', '\u2039\u203a'];

/** Returns the family of a quote; undefined for any other character. */
function familyOf(c: string): string | undefined {
  return c === '' ? undefined : QUOTES.find((family) => family.includes(c));
}

/** Returns a straight quote for one of a family. */
function straightQuote(family: string): string {
  return /["\u00ab]/.test(family) ? '"' : "'";
}

/**
 * Returns the index of the quote that ends the string beginning at `at`, curly or straight; -1 if there is
 * none.
 */
function stringEnd(text: string, at: number, family: string): number {
  for (let i = at + 1; i < text.length; i += 1) {
    const c = text.charAt(i);
    if (c === '\\') i += 1;
    else if (family.includes(c)) return i;
  }
  return -1;
}

/** Tags that write the text of a partial, in Jinja2 and in Liquid. */
const INCLUDES = /^(?:include|render)\s/;

const TAG_PARTS = /^(?:(p|tr|tc|r|slide|sheet)(?=\s+\S))?([^]*)$/;

function parseTag(source: string, opening: string): ParsedTag {
  const type = opening === '{{' ? 'output' : opening === '{%' ? 'block' : 'comment';
  const left = /^..[-+]/.test(source) ? source.charAt(2) : '';
  const right =
    /[-+]..$/.test(source) && source.length > 4 + left.length ? source.charAt(source.length - 3) : '';
  const inner = source.slice(2 + left.length, source.length - 2 - right.length);
  const [, level, rest = ''] = TAG_PARTS.exec(inner) ?? [];
  // `{{ r }}` has a space before: a prefix follows the delimiter directly.
  const body = type === 'comment' ? '' : straighten(rest).trim();
  const includes = type === 'block' && INCLUDES.test(body);
  return {
    type: includes ? 'output' : type,
    level: includes ? null : ((level as Level | undefined) ?? null),
    body,
    includes,
    trimLeft: left === '-',
    trimRight: right === '-',
  };
}

/**
 * Reverses the replacements of word processors: quotes, dashes and spaces. In strings it only changes the
 * delimiting quotes.
 */
export function straighten(code: string): string {
  let straight = '';
  for (let at = 0; at < code.length; at += 1) {
    const c = code.charAt(at);
    const family = familyOf(c);
    const end = family === undefined ? -1 : stringEnd(code, at, family);
    const quote = family === undefined ? '' : straightQuote(family);
    if (end === -1) {
      straight += quote === '' ? plain(c) : quote;
      continue;
    }
    const string = code.slice(at + 1, end);
    // French has a space within its quotes, which word processors insert.
    straight += quote + (/[\u00ab\u2039]/.test(c) ? string.replace(INNER_SPACES, '') : string) + quote;
    at = end;
  }
  return straight;
}

const INNER_SPACES = /^[\u00a0\u202f]|[\u00a0\u202f]$/g;

function plain(c: string): string {
  if (c === '\u2013' || c === '\u2212' || c === '\u2011') return '-';
  if (/[\u00a0\u2000-\u200a\u202f\u3000\t\n]/.test(c)) return ' ';
  return /[\u200b-\u200f\u2060\ufeff\u00ad]/.test(c) ? '' : c;
}

const PICTURE_ATTRIBUTE = /([\w-]+)\s*=\s*/y;

/** Returns an `<image …>` tag; null when the text only resembles one. */
function pictureAt(text: string, start: number): Token | null {
  const attributes: Record<string, string> = {};
  let at = start + (/^<im(age|g)/i.exec(text.slice(start))?.[0].length ?? 0);
  for (;;) {
    while (/\s/.test(text.charAt(at))) at += 1;
    const end = /^\/?>/.exec(text.slice(at, at + 2));
    if (end) {
      at += end[0].length;
      const closing = /^\s*<\/image>/i.exec(text.slice(at, at + 40));
      if (closing) at += closing[0].length;
      return attributes['src'] === undefined ? null : { start, end: at, type: 'picture', attributes };
    }
    PICTURE_ATTRIBUTE.lastIndex = at;
    const name = PICTURE_ATTRIBUTE.exec(text);
    if (name === null) return null;
    const value = valueAt(text, PICTURE_ATTRIBUTE.lastIndex);
    if (value === null) return null;
    attributes[(name[1] ?? '').toLowerCase()] = value.text.trim();
    at = value.end;
  }
}

/** Returns an attribute's value, with or without quotes; tags in it may contain quotes themselves. */
function valueAt(text: string, start: number): { text: string; end: number } | null {
  const family = familyOf(text.charAt(start)) ?? null;
  if (text.charAt(start) === '') return null;
  let at = start + (family === null ? 0 : 1);
  const from = at;
  while (at < text.length) {
    const c = text.charAt(at);
    const opening = text.slice(at, at + 2);
    if (opening === '{{' || opening === '{%') {
      const end = tagEnd(text, at, opening);
      if (end === -1) return null;
      at = end;
    } else if (family === null ? /[\s>]/.test(c) : family.includes(c)) {
      return { text: text.slice(from, at), end: at + (family === null ? 0 : 1) };
    } else at += 1;
  }
  return null;
}
