/** How the functions of spreadsheets take cells. */

/** A function, or brackets without one, whose arguments are being read. */
export interface OpenCall {
  name: string;
  /** Number of the argument, from 0. */
  index: number;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Functions of any number of cells, in which a reference to one cell of a repeated row means all of its copies. */
const NUMERIC =
  'SUM AVERAGE COUNT MIN MAX PRODUCT MEDIAN MODE MODE.SNGL STDEV STDEV.S STDEV.P STDEVP VAR VAR.S VAR.P VARP SUMSQ GEOMEAN HARMEAN AND OR XOR';
const LISTS = words(
  `${NUMERIC} AVERAGEA COUNTA MINA MAXA STDEVA VARA VARPA SUBTOTAL AGGREGATE CONCAT TEXTJOIN`,
);
/** Functions like these, but of one range. */
const RANGES = words('COUNTBLANK SUMPRODUCT');
/** Functions whose first argument is one list of numbers. */
const SAMPLES =
  'LARGE SMALL PERCENTILE PERCENTILE.INC PERCENTILE.EXC QUARTILE QUARTILE.INC QUARTILE.EXC TRIMMEAN';
const FIRST_IS_UNION = words(SAMPLES);
const RANKS = 'RANK RANK.EQ RANK.AVG';
const SECOND_IS_UNION = words(RANKS);
/** Functions whose first argument is a range. */
const FIRST_ARGUMENT = words(`${SAMPLES} IRR COUNTIF INDEX`);
/** Functions whose first, third and further odd arguments are ranges. */
const ODD_ARGUMENTS = words('SUMIF AVERAGEIF COUNTIFS');
/** Functions whose first argument is a range, and every other one from the second on. */
const CONDITIONAL = words('SUMIFS AVERAGEIFS MAXIFS MINIFS');
/** Functions that look a value up: one cell alone is no place to look. */
const SECOND_ARGUMENT = words(`MATCH XMATCH LOOKUP XLOOKUP VLOOKUP ${RANKS}`);
const THIRD_ARGUMENT = words('LOOKUP XLOOKUP');
const IGNORE_TEXT = words(`${NUMERIC} ${SAMPLES} SUMPRODUCT IRR ${RANKS}`);
/** Functions that certainly take any number of cells in a single argument. */
const ANY_UNION = words('SUM AVERAGE COUNT COUNTA MIN MAX');

/** Most ranges as arguments: Excel has at most 255 arguments, of which some are others. */
export const MAX_ARGUMENTS = 240;

/** Returns whether an argument is a range, so that one cell of a repeated row means all of its copies. */
export function takesRange({ name, index }: OpenCall): boolean {
  return (
    LISTS.has(name) ||
    RANGES.has(name) ||
    (index === 0 && (FIRST_ARGUMENT.has(name) || CONDITIONAL.has(name))) ||
    (index === 1 && SECOND_ARGUMENT.has(name)) ||
    (index === 2 && THIRD_ARGUMENT.has(name)) ||
    (index % 2 === 0 && ODD_ARGUMENTS.has(name)) ||
    (index % 2 === 1 && CONDITIONAL.has(name))
  );
}

/** Returns whether texts in a range do not change the value of a function. */
export function ignoresText({ name }: OpenCall): boolean {
  return IGNORE_TEXT.has(name);
}

/** Returns how an argument may be several ranges: as arguments, or as a union, which is one argument. */
export function severalRanges({ name, index }: OpenCall, count: number): 'list' | 'union' | null {
  if (LISTS.has(name) && count <= MAX_ARGUMENTS) return 'list';
  const isUnion =
    ANY_UNION.has(name) ||
    (index === 0 && FIRST_IS_UNION.has(name)) ||
    (index === 1 && SECOND_IS_UNION.has(name));
  return isUnion ? 'union' : null;
}
