import { MAX_FORMULA } from './formula.ts';

/** References to the columns of a table by heading (ECMA-376, 18.17.6.3): `Sales[[#This Row],[Price]]`. */

/** Renames a table in the references of a formula. */
export function renameTable(formula: string, table: string, name: string): string {
  if (formula.length > MAX_FORMULA.excel) return formula;
  // A name has no other special characters.
  const escaped = table.replace(/[.\\]/g, '\\$&');
  const pattern = new RegExp(String.raw`(?<![\p{L}\p{N}_.\\])${escaped}(?=\[)`, 'giu');
  return formula
    .split(/("[^"]*")/)
    .map((piece, i) => (i % 2 === 0 ? piece.replace(pattern, () => name) : piece))
    .join('');
}

/**
 * Renames the columns in the references of a formula.
 *
 * @param columns new name by old name in lower case
 */
export function renameColumns(formula: string, table: string, columns: ReadonlyMap<string, string>): string {
  if (formula.length > MAX_FORMULA.excel) return formula;
  return formula
    .split(/("[^"]*")/)
    .map((piece, i) => (i % 2 === 0 ? renamedIn(piece, table, columns) : piece))
    .join('');
}

function renamedIn(formula: string, table: string, columns: ReadonlyMap<string, string>): string {
  const lower = formula.toLowerCase();
  const name = table.toLowerCase();
  let result = '';
  let at = 0;
  for (let found = lower.indexOf(`${name}[`); found !== -1; found = lower.indexOf(`${name}[`, at)) {
    const open = found + name.length;
    const close = closing(formula, open);
    const isWhole = found === 0 || !/[\p{L}\p{N}_.\\]/u.test(formula.charAt(found - 1));
    if (close === -1) break;
    const inner = formula.slice(open + 1, close);
    result += formula.slice(at, open + 1) + (isWhole ? renamed(inner, columns) : inner);
    at = close;
  }
  return result + formula.slice(at);
}

function renamed(inner: string, columns: ReadonlyMap<string, string>): string {
  if (!inner.includes('[')) return renamedItem(inner, columns);
  // bounded: a formula has at most 8,192 characters (MAX_FORMULA)
  return inner.replace(/\[((?:[^[\]']|'.)*)\]/g, (_, item: string) => `[${renamedItem(item, columns)}]`);
}

/** Renames one column: four characters are special in a reference and are escaped with an apostrophe. */
function renamedItem(item: string, columns: ReadonlyMap<string, string>): string {
  const name = columns.get(item.replace(/'(.)/g, '$1').toLowerCase());
  return name === undefined ? item : name.replace(/[[\]#']/g, "'$&");
}

/** Returns the index of the bracket that closes the one at `open`. */
function closing(formula: string, open: number): number {
  let depth = 0;
  for (let at = open; at < formula.length; at += 1) {
    const character = formula.charAt(at);
    if (character === "'") at += 1;
    else if (character === '[') depth += 1;
    else if (character === ']' && --depth === 0) return at;
  }
  return -1;
}
