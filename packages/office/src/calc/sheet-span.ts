import type { Reference, Rewritten } from './formula.ts';
import { MAX_ARGUMENTS } from './functions.ts';
import type { FormulaPlace, Target } from './references.ts';

/** A sheet of the result. */
interface SpannedSheet {
  oldName: string;
  name: string;
  target: (reference: Reference, place: FormulaPlace | null) => Target | null;
}

/**
 * Returns where a reference to several sheets leads, `Jan:Mar!B5`: to the same rows of all of them, or to a
 * list of their own rows.
 *
 * @param sheets of the result, in order
 * @param order names of the template's sheets, in order
 * @returns null when the sheets or rows have all disappeared
 */
export function spanOf(
  reference: Reference & { sheet: string; lastSheet: string },
  sheets: readonly SpannedSheet[],
  order: readonly string[],
): Rewritten | null {
  const { first, last, sheet, lastSheet, takesList } = reference;
  const names = order.map((name) => name.toLowerCase());
  const ends = [sheet, lastSheet].map((name) => names.indexOf(name.toLowerCase()));
  const [from = -1, to = -1] = ends.toSorted((a, b) => a - b);
  if (from === -1) return { first, last };
  const spanned = new Set(names.slice(from, to + 1));
  const isWithin = (one: SpannedSheet): boolean => spanned.has(one.oldName.toLowerCase());
  const within = sheets.filter(isWithin);
  const parts = within.flatMap((one): (Target & { sheet: string })[] => {
    const target = one.target(reference, null);
    return target === null ? [] : [{ ...target, sheet: one.name }];
  });
  const [start] = parts;
  const end = parts.at(-1);
  if (start === undefined || end === undefined) return null;
  const isDoubtful = parts.some((part) => part.isDoubtful);
  const isUnmoved = parts.some((part) => part.isUnmoved === true);
  const rows = (part: Target): string => JSON.stringify([part.first, part.last, part.ranges]);
  const isAlike =
    parts.length === within.length &&
    parts.every((part) => rows(part) === rows(start)) &&
    sheets.slice(sheets.findIndex(isWithin), sheets.findLastIndex(isWithin) + 1).every(isWithin);
  const whole: Rewritten = { ...start, sheet: start.sheet, lastSheet: end.sheet, isDoubtful, isUnmoved };
  const count = parts.reduce((sum, { ranges }) => sum + (ranges?.length ?? 1), 0);
  const list = { first, last, sheets: parts, isDoubtful, isUnmoved };
  const mayList = takesList && count <= MAX_ARGUMENTS;
  const needsQuotes = [start, end].some((part) => !/^[\p{L}_][\p{L}\p{N}_]*$/u.test(part.sheet));
  // LibreOffice does not read quoted names of several sheets.
  if (isAlike && needsQuotes && mayList) return list;
  if (isAlike && (takesList || start.ranges === undefined)) return whole;
  if (parts.length === 1 || mayList) return list;
  // One reference cannot name different rows of its sheets.
  const { ranges: _, ...plain } = whole;
  return { ...plain, isDoubtful: true };
}

/** Returns whether a reference leads to several sheets. */
export function isSpan(reference: Reference): reference is Reference & { sheet: string; lastSheet: string } {
  return reference.sheet !== null && reference.lastSheet !== null;
}
