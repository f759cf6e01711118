import { ignoresText, MAX_ARGUMENTS, type OpenCall, severalRanges, takesRange } from './functions.ts';
import type { RowRange } from './row-map.ts';

/** Finds references to rows in formulas: Excel's (ECMA-376, 18.17) and OpenFormula's (ODF 1.3 part 4). */

/** A reference to cells, to whole rows, or to whole columns, which are all rows of a sheet. */
export interface Reference {
  /** Name of the sheet; null for the formula's own sheet. */
  sheet: string | null;
  /** The last of several sheets; null for one sheet. */
  lastSheet: string | null;
  first: number;
  /** Null for a single cell. */
  last: number | null;
  /** True when the number of the first row, or of the last row, has a `$`. */
  isFixed: readonly [first: boolean, last: boolean];
  /** The columns of the first and the last cell; null for whole rows. */
  columns: readonly [first: string, last: string] | null;
  /** True when the reference is the whole argument of a function that takes ranges. */
  isArgument: boolean;
  /** True within an argument that is a range, but not all of it: `SUM(A2*2)`. */
  isOperand: boolean;
  /** Cells between the copies of a repeated range that do not matter to what the reference is for. */
  ignores: 'none' | 'empty' | 'texts';
  /** How many ranges may take its place; null when one range is right, whatever is between its rows. */
  mostRanges: number | null;
  /** True when they may be arguments, also with different sheets. */
  takesList: boolean;
}

/** The new rows of a reference, with the sheet's name if that changes. */
export interface Rewritten {
  first: number;
  last: number | null;
  sheet?: string;
  /** The new name of the last of several sheets. */
  lastSheet?: string;
  /** Several ranges in place of the whole one. */
  ranges?: readonly RowRange[];
  /** A reference to each sheet in place of one to several sheets. */
  sheets?: readonly Rewritten[];
  /** True when the author may have meant other rows. */
  isDoubtful?: boolean;
  /** True when a loop over columns has moved some of its cells. */
  isUnmoved?: boolean;
}

/** Maps a reference to its new rows; null for a reference that no longer leads anywhere. */
export type Rewrite = (reference: Reference) => Rewritten | null;

/** The last row of a sheet, to which whole columns reach. */
const LAST_ROW = 1_048_576;

/** Takes the place of a reference that no longer leads anywhere. */
export const LOST = '#REF!';

/** Longest formula in characters that programs read; a longer one stays unchanged. */
export const MAX_FORMULA = { excel: 8_192, open: 65_535, address: 8_192 };

const QUOTED = String.raw`'(?:[^']|'')+'`;
const NAME = String.raw`[\p{L}_][\p{L}\p{N}_.]*`;
const TOKENS = {
  // bounded: at most MAX_FORMULA, 8,192 characters
  excel: new RegExp(
    [
      String.raw`(?<text>"[^"]*")`,
      String.raw`(?<sheet>(?:${QUOTED}|${NAME}(?::${NAME})?)!)?(?:(?<c1>\$?[A-Za-z]{1,3})(?<a1>\$?)(?<r1>\d{1,7})(?::(?<c2>\$?[A-Za-z]{1,3})(?<a2>\$?)(?<r2>\d{1,7}))?|(?<w1>\$?)(?<x1>\d{1,7}):(?<w2>\$?)(?<x2>\d{1,7})|(?<k1>\$?[A-Za-z]{1,3}):(?<k2>\$?[A-Za-z]{1,3}))(?![\p{L}\p{N}_.(!\[])`,
      String.raw`(?<name>[\p{L}_\\][\p{L}\p{N}_.\\]*)`,
      String.raw`\[[^\][]*\]`,
      String.raw`\d+(?:\.\d+)?(?:[eE][+-]?\d+)?`,
      String.raw`[(),;{}]`,
      String.raw`'(?:[^']|'')*'!?`,
      String.raw`[^]`,
    ].join('|'),
    'gu',
  ),
  open: new RegExp(
    [
      String.raw`(?<text>"[^"]*")`,
      String.raw`\[(?<sheet>\$?(?:${QUOTED}|[^\]\[.':]*))\.(?:(?<c1>\$?[A-Za-z]{1,3})(?<a1>\$?)(?<r1>\d{1,7})(?::(?<s2>\$?(?:${QUOTED}|[^\]\[.':]*))\.(?<c2>\$?[A-Za-z]{1,3})(?<a2>\$?)(?<r2>\d{1,7}))?|(?<k1>\$?[A-Za-z]{1,3}):\.(?<k2>\$?[A-Za-z]{1,3}))\]`,
      String.raw`(?<name>[\p{L}_][\p{L}\p{N}_.]*)`,
      String.raw`\[[^\][]*\]`,
      String.raw`[(),;{}]`,
      String.raw`[^]`,
    ].join('|'),
    'gu',
  ),
  // bounded: at most MAX_FORMULA, 8,192 characters
  /** Addresses in attributes of OpenDocument: `$Sheet1.$A$1:.B5`. */
  address: new RegExp(
    String.raw`(?<sheet>\$?(?:${QUOTED}|[^\s.':$]+))?\.(?<c1>\$?[A-Za-z]{1,3})(?<a1>\$?)(?<r1>\d{1,7})(?::(?<s2>\$?(?:${QUOTED}|[^\s.':$]+))?\.(?<c2>\$?[A-Za-z]{1,3})(?<a2>\$?)(?<r2>\d{1,7}))?|[^]`,
    'gu',
  ),
};

/** Returns a rewrite for a formula that is meant for a cell some rows above: relative references move along. */
export function movedDown(rewrite: Rewrite, rows: number): Rewrite {
  return (reference) => {
    const { first, last, isFixed } = reference;
    return rewrite({
      ...reference,
      first: isFixed[0] ? first : first + rows,
      last: last === null || isFixed[1] ? last : last + rows,
    });
  };
}

/** Returns a formula with every reference rewritten. */
export function rewriteFormula(formula: string, dialect: keyof typeof TOKENS, rewrite: Rewrite): string {
  if (formula.length > MAX_FORMULA[dialect]) return formula;
  const pattern = TOKENS[dialect];
  pattern.lastIndex = 0;
  const calls: OpenCall[] = [];
  let result = '';
  let before = '';
  for (const match of formula.matchAll(pattern)) {
    const [token] = match;
    const groups = match.groups ?? {};
    if ((groups['r1'] ?? groups['x1'] ?? groups['k1']) !== undefined) {
      const next = formula
        .slice(match.index + token.length)
        .trimStart()
        .charAt(0);
      const call = calls.at(-1);
      const isWhole = /[(,;]$/.test(result.trimEnd()) && /[,;)]/.test(next);
      const left = MAX_FORMULA[dialect] - result.length - formula.length + match.index + token.length;
      const isOperand = calls.some((one) => takesRange(one));
      const position = { call: isWhole ? call : undefined, isOperand, left };
      result += referenceText(groups, dialect, position, rewrite) ?? LOST;
    } else {
      const call = calls.at(-1);
      if (token === '(' || token === '{')
        calls.push({ name: before.toUpperCase().replace(/^_XLFN\./, ''), index: 0 });
      else if (token === ')' || token === '}') calls.pop();
      else if ((token === ',' || token === ';') && call !== undefined) call.index += 1;
      result += token;
    }
    if (token.trim() !== '') before = groups['name'] ?? '';
  }
  return result;
}

type Groups = Readonly<Record<string, string | undefined>>;

/** Where a reference stands. */
interface Position {
  /** The function of which it is a whole argument. */
  call: OpenCall | undefined;
  /** Whether a function around it takes ranges there. */
  isOperand: boolean;
  /** Length that it may have, in characters. */
  left: number;
}

function referenceText(
  groups: Groups,
  dialect: keyof typeof TOKENS,
  position: Position,
  rewrite: Rewrite,
): string | null {
  const { call, isOperand } = position;
  const isArgument = call !== undefined && takesRange(call);
  const { r1, r2, x1, x2, a1, a2, w1, w2, c1, c2, k1, k2 } = groups;
  const last = r2 ?? x2 ?? (k1 === undefined ? undefined : LAST_ROW);
  const isFixed = (a1 ?? w1) === '$' || k1 !== undefined;
  const [firstColumn, lastColumn = firstColumn] = [c1 ?? k1, c2 ?? k2];
  const [firstSheet, lastSheet] = sheetNames(groups, dialect);
  const target = rewrite({
    sheet: firstSheet,
    lastSheet,
    first: Number(r1 ?? x1 ?? 1),
    last: last === undefined ? null : Number(last),
    isFixed: [isFixed, r2 === undefined && x2 === undefined ? isFixed : (a2 ?? w2) === '$'],
    columns:
      firstColumn === undefined || lastColumn === undefined
        ? null
        : [columnIn(firstColumn), columnIn(lastColumn)],
    isArgument,
    isOperand: isOperand && !isArgument,
    ignores: call !== undefined && ignoresText(call) ? 'texts' : 'empty',
    mostRanges: k1 === undefined ? mostRanges(groups, position) : null,
    takesList: call !== undefined && severalRanges(call, 1) === 'list',
  });
  if (target === null) return null;
  const isOneColumn = c1 === undefined || c2 === undefined || columnIn(c1) === columnIn(c2);
  const texts = (target.sheets ?? [target])
    .flatMap((one): Rewritten[] =>
      (one.ranges ?? [[one.first, one.last]]).map(([from, to]) => ({
        ...one,
        first: from,
        last: to === from && one.ranges !== undefined && isOneColumn ? null : to,
      })),
    )
    .map((range) => rangeText(groups, dialect, range));
  if (texts.length === 1) return texts.join('');
  if (dialect === 'address') return texts.join(' ');
  const isList = call !== undefined && severalRanges(call, texts.length) === 'list';
  if (isList) return texts.join(dialect === 'excel' ? ',' : ';');
  return `(${texts.join(dialect === 'excel' ? ',' : '~')})`;
}

/** Returns how many ranges may take the place of a whole argument, with rows of seven digits. */
function mostRanges({ sheet = '', c1 = '', c2 = c1 }: Groups, { call, left }: Position): number {
  if (call === undefined) return 0;
  const most = Math.max(0, Math.floor(left / (sheet.length + c1.length + c2.length + 22)));
  const counts = [most, Math.min(most, MAX_ARGUMENTS)];
  return counts.find((count) => severalRanges(call, count) !== null) ?? 0;
}

function rangeText(groups: Groups, dialect: keyof typeof TOKENS, target: Rewritten): string {
  const { sheet } = groups;
  const last = dialect === 'excel' && target.lastSheet !== undefined ? `:${target.lastSheet}` : '';
  const prefix = target.sheet === undefined ? (sheet ?? '') : quotedSheet(target.sheet + last, sheet ?? '');
  if (dialect === 'excel') return prefix + excelCells(groups, target);
  if (groups['k1'] !== undefined) return `[${prefix}.${groups['k1']}:.${groups['k2']}]`;
  const to = target.last === null ? '' : `:${openEnd(groups, target)}`;
  const text = `${prefix}.${groups['c1'] ?? ''}${groups['a1'] ?? ''}${target.first}${to}`;
  return dialect === 'open' ? `[${text}]` : text;
}

function openEnd(groups: Groups, target: Rewritten): string {
  const { s2 = '', c1 = '', a1 = '', c2 = c1, a2 = a1 } = groups;
  const name = target.lastSheet ?? target.sheet;
  const sheet = s2 !== '' && name !== undefined ? quotedSheet(name, s2) : s2;
  return `${sheet}.${c2}${a2}${target.last}`;
}

function excelCells(groups: Groups, { first, last }: { first: number; last: number | null }): string {
  const { c1, a1 = '', c2 = c1, a2 = a1, w1 = '', w2 = w1, k1, k2 } = groups;
  if (k1 !== undefined) return `${k1}:${k2}`;
  if (c1 === undefined) return `${w1}${first}:${w2}${last ?? first}`;
  return last === null ? `${c1}${a1}${first}` : `${c1}${a1}${first}:${c2}${a2}${last}`;
}

function columnIn(written: string): string {
  return written.replace('$', '').toUpperCase();
}

/** `'It''s'!` → `It's`; `$Sheet1` → `Sheet1`. */
function sheetName(written: string | undefined): string | null {
  const name = (written ?? '').replace(/!$/, '').replace(/^\$/, '');
  if (name === '') return null;
  return name.startsWith("'") ? name.slice(1, -1).replaceAll("''", "'") : name;
}

/** Returns the first and the last sheet of a reference; the last one is null unless it is another one. */
function sheetNames({ sheet, s2 }: Groups, dialect: keyof typeof TOKENS): [string | null, string | null] {
  const name = sheetName(sheet);
  const [first = '', last = null] =
    dialect === 'excel' ? (name ?? '').split(':') : [name ?? '', sheetName(s2)];
  return [first === '' ? null : first, last === first ? null : last];
}

/** Returns a sheet's name for a formula, with the delimiters that surrounded the old name. */
function quotedSheet(name: string, written: string): string {
  // Two names, of the first and the last sheet, are quoted together.
  const needsQuotes = name
    .split(':')
    .some((one) => !/^[\p{L}_][\p{L}\p{N}_]*$/u.test(one) || /^[A-Za-z]{1,3}\d+$/.test(one));
  const quoted = needsQuotes ? `'${name.replaceAll("'", "''")}'` : name;
  return `${written.startsWith('$') ? '$' : ''}${quoted}${written.endsWith('!') ? '!' : ''}`;
}

/** What the value of a formula depends on. */
export interface Dependencies {
  references: Reference[];
  /** Words that are neither functions nor references: defined names above all. */
  names: string[];
  functions: string[];
  /** True when it refers to whole columns, to several sheets, or to tables by their headings. */
  isOpen: boolean;
}

const NO_NAMES: ReadonlySet<string> = new Set(['TRUE', 'FALSE', 'OF']);

/** Returns what a formula depends on; null for a formula that no program reads. */
export function dependenciesOf(formula: string, dialect: 'excel' | 'open'): Dependencies | null {
  if (formula.length > MAX_FORMULA[dialect]) return null;
  const found: Dependencies = { references: [], names: [], functions: [], isOpen: false };
  let isOpen = false;
  const rest = rewriteFormula(formula, dialect, (reference) => {
    found.references.push(reference);
    isOpen ||= reference.lastSheet !== null || (reference.first === 1 && reference.last === LAST_ROW);
    return null;
  });
  // bounded: at most MAX_FORMULA, 65,535 characters
  const words = rest.replace(/"[^"]*"/g, '""').replaceAll(LOST, ' ');
  found.isOpen = isOpen || /\[[^\d]|!\$?[A-Z]{1,3}\b(?!\()/i.test(words);
  for (const [, word = '', isFunction] of words.matchAll(/([\p{L}_\\][\p{L}\p{N}_.\\]*)(\s*\()?/gu)) {
    if (isFunction !== undefined) found.functions.push(word.toUpperCase().replace(/^_XLFN\.(_XLWS\.)?/, ''));
    else if (!word.startsWith('_xlpm.') && !NO_NAMES.has(word.toUpperCase())) found.names.push(word);
  }
  return found;
}

/** Shifts the relative references of a formula, as copying it to another cell does. */
export function shiftFormula(formula: string, rows: number, columns: number): string {
  if (formula.length > MAX_FORMULA.excel) return formula;
  return formula.replace(
    // bounded: at most MAX_FORMULA, 8,192 characters
    /"[^"]*"|'(?:[^']|'')+'!|(\$?)([A-Za-z]{1,3})(\$?)(\d{1,7})(?![\p{L}\p{N}_(!])|[\p{L}_\\][\p{L}\p{N}_.\\]*/gu,
    (token: string, fixedColumn?: string, column?: string, fixedRow?: string, row?: string) => {
      if (column === undefined || row === undefined) return token;
      const to = fixedColumn === '$' ? column : columnName(columnNumber(column) + columns);
      const line = fixedRow === '$' ? Number(row) : Number(row) + rows;
      return to === '' || line < 1 ? '#REF!' : `${fixedColumn ?? ''}${to}${fixedRow ?? ''}${line}`;
    },
  );
}

/** Returns the number of a column; `A` is 1. */
export function columnNumber(name: string): number {
  let number = 0;
  for (const c of name.toUpperCase()) number = number * 26 + c.charCodeAt(0) - 64;
  return number;
}

export function columnName(number: number): string {
  let name = '';
  for (let rest = number; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    name = String.fromCharCode(65 + ((rest - 1) % 26)) + name;
  }
  return name;
}
