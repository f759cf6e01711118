import { claimList, scan } from '../../budget.ts';
import { raise } from '../../errors.ts';
import { codePoints, isSpaceUnit, SPACE } from '../text.ts';
import type { Value } from '../types.ts';
import { isString, textOf, typeName } from '../types.ts';

/** Splitting of strings as in Python's `str`. */

const SPACES = new RegExp(`[${SPACE}]+`, 'gu');
const LINE_END = '\\r\\n|[\\n\\r\\v\\f\\x1c\\x1d\\x1e\\x85\\u2028\\u2029]';
const LEADING = new RegExp(`^[${SPACE}]+`, 'u');

/** Removes white space, or the given characters, from one end or both. */
export function strip(self: string, chars: Value, side: 'left' | 'right' | 'both'): string {
  if (chars !== null && !isString(chars)) raise('TypeError', 'strip arg must be None or str');
  scan(self.length);
  let start = 0;
  let end = self.length;
  if (chars === null) {
    if (side !== 'right') while (start < end && isSpaceUnit(self.charCodeAt(start))) start++;
    if (side !== 'left') while (end > start && isSpaceUnit(self.charCodeAt(end - 1))) end--;
    return self.slice(start, end);
  }
  const unwanted = new Set(codePoints(textOf(chars)));
  const letters = codePoints(self);
  end = letters.length;
  if (side !== 'right') while (start < end && unwanted.has(letters[start] ?? '')) start++;
  if (side !== 'left') while (end > start && unwanted.has(letters[end - 1] ?? '')) end--;
  return letters.slice(start, end).join('');
}

function separatorText(separator: Value): string {
  if (!isString(separator)) raise('TypeError', `must be str or None, not ${typeName(separator)}`);
  const text = textOf(separator);
  if (text === '') raise('ValueError', 'empty separator');
  return text;
}

export function split(self: string, separator: Value, limit: number): Value[] {
  if (separator === null) return splitSpaces(self, limit);
  const text = separatorText(separator);
  scan(self.length);
  const parts = self.split(text);
  claimList(parts.length);
  if (limit < 0 || parts.length <= limit + 1) return parts;
  return [...parts.slice(0, limit), parts.slice(limit).join(text)];
}

function splitSpaces(self: string, limit: number): Value[] {
  scan(self.length * 8);
  const rest = self.replace(LEADING, '');
  if (limit < 0) {
    const words = rest.split(SPACES).filter((word) => word !== '');
    claimList(words.length);
    return words;
  }
  const words: string[] = [];
  let at = 0;
  const spaces = new RegExp(SPACES);
  while (words.length < limit) {
    spaces.lastIndex = at;
    const match = spaces.exec(rest);
    if (!match) break;
    words.push(rest.slice(at, match.index));
    at = match.index + match[0].length;
  }
  // The rest keeps its inner space, and its trailing space too if the limit was reached.
  const last = words.length < limit ? strip(rest.slice(at), null, 'right') : rest.slice(at);
  if (last !== '') words.push(last);
  claimList(words.length);
  return words;
}

/** Returns the start of the run of spaces, or of other characters, that ends before `end`. */
function runStart(text: string, end: number, spaces: boolean): number {
  let start = end;
  while (start > 0 && isSpaceUnit(text.charCodeAt(start - 1)) === spaces) start--;
  return start;
}

export function rightSplit(self: string, separator: Value, limit: number): Value[] {
  if (limit < 0) return split(self, separator, -1);
  if (separator !== null) {
    const text = separatorText(separator);
    scan(self.length);
    const parts = self.split(text);
    claimList(parts.length);
    if (parts.length <= limit + 1) return parts;
    const cut = parts.length - limit;
    return [parts.slice(0, cut).join(text), ...parts.slice(cut)];
  }
  scan(self.length * 8);
  const words: string[] = [];
  let end = runStart(self, self.length, true);
  while (words.length < limit && end > 0) {
    const start = runStart(self, end, false);
    words.push(self.slice(start, end));
    end = runStart(self, start, true);
  }
  if (end > 0) words.push(strip(self.slice(0, end), null, 'left'));
  claimList(words.length);
  return words.reverse();
}

/** `str.splitlines()`: at every kind of line end Python knows. */
export function splitLines(self: string, keepEnds = false): string[] {
  scan(self.length * 2);
  const lines: string[] = [];
  const end = new RegExp(LINE_END, 'gu');
  let at = 0;
  for (let match = end.exec(self); match; match = end.exec(self)) {
    lines.push(self.slice(at, match.index + (keepEnds ? match[0].length : 0)));
    at = match.index + match[0].length;
  }
  if (at < self.length) lines.push(self.slice(at));
  claimList(lines.length);
  return lines;
}

export function partition(self: string, separator: string): [string, string, string] {
  separatorText(separator);
  scan(self.length);
  const at = self.indexOf(separator);
  return at === -1 ? [self, '', ''] : [self.slice(0, at), separator, self.slice(at + separator.length)];
}

export function rightPartition(self: string, separator: string): [string, string, string] {
  separatorText(separator);
  scan(self.length);
  const at = self.lastIndexOf(separator);
  return at === -1 ? ['', '', self] : [self.slice(0, at), separator, self.slice(at + separator.length)];
}

export function removePrefix(self: string, prefix: string): string {
  return self.startsWith(prefix) ? self.slice(prefix.length) : self;
}

export function removeSuffix(self: string, suffix: string): string {
  return suffix !== '' && self.endsWith(suffix) ? self.slice(0, -suffix.length) : self;
}
