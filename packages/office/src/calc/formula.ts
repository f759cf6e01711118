/** Finds references to rows in formulas: Excel's (ECMA-376, 18.17) and OpenFormula's (ODF 1.3 part 4). */

/** A reference to cells, or to whole rows. */
export interface Reference {
  /** Name of the sheet; null for the formula's own sheet. */
  sheet: string | null;
  first: number;
  /** Null for a single cell. */
  last: number | null;
  /** True when the first row's number has a `$`. */
  fixed: boolean;
  /** True when the reference is the whole argument of a function that takes ranges. */
  isArgument: boolean;
}

/**
 * Maps a reference to its new rows, with the sheet's name if that changes; null for a reference that no
 * longer leads anywhere.
 */
export type Rewrite = (reference: Reference) => { first: number; last: number | null; sheet?: string } | null;

/** Longest formula in characters that programs read; a longer one stays unchanged. */
export const MAX_FORMULA = { excel: 8_192, open: 65_535, address: 8_192 };

const QUOTED = String.raw`'(?:[^']|'')+'`;
const TOKENS = {
  // bounded: at most MAX_FORMULA, 8,192 characters
  excel: new RegExp(
    [
      String.raw`(?<text>"[^"]*")`,
      String.raw`(?<sheet>(?:${QUOTED}|[\p{L}_][\p{L}\p{N}_.]*)!)?(?:(?<c1>\$?[A-Za-z]{1,3})(?<a1>\$?)(?<r1>\d{1,7})(?::(?<c2>\$?[A-Za-z]{1,3})(?<a2>\$?)(?<r2>\d{1,7}))?|(?<w1>\$?)(?<x1>\d{1,7}):(?<w2>\$?)(?<x2>\d{1,7}))(?![\p{L}\p{N}_.(!\[])`,
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
      String.raw`\[(?<sheet>\$?(?:${QUOTED}|[^\]\[.':]*))\.(?<c1>\$?[A-Za-z]{1,3})(?<a1>\$?)(?<r1>\d{1,7})(?::(?<s2>\$?(?:${QUOTED}|[^\]\[.':]*))\.(?<c2>\$?[A-Za-z]{1,3})(?<a2>\$?)(?<r2>\d{1,7}))?\]`,
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

/** Functions in which a reference to one cell of a repeated row means all of its copies. */
const RANGE_FUNCTIONS: ReadonlySet<string> = new Set(
  'SUM AVERAGE AVERAGEA COUNT COUNTA COUNTBLANK MIN MINA MAX MAXA PRODUCT MEDIAN MODE STDEV STDEVA STDEVP VAR VARA VARP SUMSQ SUBTOTAL AGGREGATE GEOMEAN HARMEAN CONCAT TEXTJOIN AND OR'.split(
    ' ',
  ),
);

/** Returns a formula with every reference rewritten. */
export function rewriteFormula(formula: string, dialect: keyof typeof TOKENS, rewrite: Rewrite): string {
  if (formula.length > MAX_FORMULA[dialect]) return formula;
  const pattern = TOKENS[dialect];
  pattern.lastIndex = 0;
  const functions: string[] = [];
  let result = '';
  let before = '';
  for (const match of formula.matchAll(pattern)) {
    const [token] = match;
    const groups = match.groups ?? {};
    if (groups['r1'] !== undefined || groups['x1'] !== undefined) {
      const next = formula
        .slice(match.index + token.length)
        .trimStart()
        .charAt(0);
      const isArgument =
        RANGE_FUNCTIONS.has(functions.at(-1) ?? '') && /[(,;]$/.test(result.trimEnd()) && /[,;)]/.test(next);
      result += referenceText(groups, dialect, isArgument, rewrite) ?? '#REF!';
    } else {
      if (token === '(') functions.push(before.toUpperCase());
      else if (token === ')') functions.pop();
      result += token;
    }
    if (token.trim() !== '') before = groups['name'] ?? '';
  }
  return result;
}

type Groups = Readonly<Record<string, string | undefined>>;

function referenceText(
  groups: Groups,
  dialect: keyof typeof TOKENS,
  isArgument: boolean,
  rewrite: Rewrite,
): string | null {
  const { sheet, r1, r2, x1, x2, a1, w1 } = groups;
  const last = r2 ?? x2;
  const target = rewrite({
    sheet: sheetName(sheet),
    first: Number(r1 ?? x1),
    last: last === undefined ? null : Number(last),
    fixed: (a1 ?? w1) === '$',
    isArgument,
  });
  if (target === null) return null;
  const prefix = target.sheet === undefined ? (sheet ?? '') : quotedSheet(target.sheet, sheet ?? '');
  if (dialect === 'excel') return prefix + excelCells(groups, target);
  const to = target.last === null ? '' : `:${openEnd(groups, target)}`;
  const text = `${prefix}.${groups['c1'] ?? ''}${groups['a1'] ?? ''}${target.first}${to}`;
  return dialect === 'open' ? `[${text}]` : text;
}

function openEnd(groups: Groups, target: { last: number | null; sheet?: string }): string {
  const { s2 = '', c1 = '', a1 = '', c2 = c1, a2 = a1 } = groups;
  const sheet = s2 !== '' && target.sheet !== undefined ? quotedSheet(target.sheet, s2) : s2;
  return `${sheet}.${c2}${a2}${target.last}`;
}

function excelCells(groups: Groups, { first, last }: { first: number; last: number | null }): string {
  const { c1, a1 = '', c2 = c1, a2 = a1, w1 = '', w2 = w1 } = groups;
  if (c1 === undefined) return `${w1}${first}:${w2}${last ?? first}`;
  return last === null ? `${c1}${a1}${first}` : `${c1}${a1}${first}:${c2}${a2}${last}`;
}

/** `'It''s'!` → `It's`; `$Sheet1` → `Sheet1`. */
function sheetName(written: string | undefined): string | null {
  const name = (written ?? '').replace(/!$/, '').replace(/^\$/, '');
  if (name === '') return null;
  return name.startsWith("'") ? name.slice(1, -1).replaceAll("''", "'") : name;
}

/** Returns a sheet's name for a formula, with the delimiters that surrounded the old name. */
function quotedSheet(name: string, written: string): string {
  const needsQuotes = !/^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) || /^[A-Za-z]{1,3}\d+$/.test(name);
  const quoted = needsQuotes ? `'${name.replaceAll("'", "''")}'` : name;
  return `${written.startsWith('$') ? '$' : ''}${quoted}${written.endsWith('!') ? '!' : ''}`;
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
