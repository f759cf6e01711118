import type { PdfFile } from '../model/index.ts';
import { isName, isString, nameText, stringBytes, type PdfDict, type PdfValue } from '../values.ts';
import type { Violations } from './violations.ts';

/** How large things may be in PDF/A (ISO 19005-2, 6.1.13). */

const [LEAST, MOST] = [-2_147_483_648, 2_147_483_647];
const [NAME_BYTES, STRING_BYTES] = [127, 32_767];
/** Saved graphics states within one another. */
export const MAX_STATES = 28;
/** Forms, patterns and glyphs within one another: more than states may be saved. */
export const MAX_LEVELS = 40;
/** How often such content may be shown on a page: twelve forms that show the next one ten times do so 10^12 times. */
export const MAX_SHOWN = 1_000_000;
/** Limits of the page boundaries, in points. */
const [SMALLEST, LARGEST] = [3, 14_400];
const BOUNDARIES = ['/MediaBox', '/CropBox', '/BleedBox', '/TrimBox', '/ArtBox'];

const RULE = { archive: '6.1.13' } as const;

/** Looks at a number, a string or a name. */
export function checkSize(value: PdfValue, violations: Violations): void {
  if (typeof value === 'number') {
    if (Number.isInteger(value) && (value > MOST || value < LEAST))
      violations.add(
        RULE,
        `The number ${value} is larger than PDF/A allows: make the file anew from its source.`,
      );
  } else if (typeof value === 'string' && value.length > NAME_BYTES) checkLength(value, violations);
}

function checkLength(value: string, violations: Violations): void {
  const isLong = isName(value)
    ? Buffer.byteLength(nameText(value)) > NAME_BYTES
    : isString(value) && stringBytes(value).length > STRING_BYTES;
  if (!isLong) return;
  const detail = `A name has more than ${NAME_BYTES} bytes, or a string more than ${STRING_BYTES}: shorten it in the program that creates the file.`;
  violations.add(RULE, detail);
}

/** Looks at the boundaries of a page, those that it inherits among them. */
export function checkBoundaries(file: PdfFile, page: PdfDict, number: number, violations: Violations): void {
  for (const key of BOUNDARIES) {
    if (file.resolve(page[key]) === null) continue;
    const entries = file.array(page[key]).map((entry) => file.resolve(entry));
    // A boundary without four numbers has no size, which is within no limits.
    const [left = NaN, bottom = NaN, right = NaN, top = NaN] = entries.map((entry) =>
      typeof entry === 'number' ? entry : NaN,
    );
    const sides = [Math.abs(right - left), Math.abs(top - bottom)];
    if (sides.every((side) => side >= SMALLEST && side <= LARGEST)) continue;
    const detail = `The page is smaller than ${SMALLEST} points or larger than ${LARGEST} (508 cm): give it another size.`;
    violations.add(RULE, detail, { page: number });
  }
}

/** Says that graphics states are saved within one another too often. */
export function tooManyStates(page: number, violations: Violations): void {
  const detail = `Content is nested in more than ${MAX_STATES} rotated, clipped or transparent groups: remove some of them.`;
  violations.add(RULE, detail, { page });
}

/** Says that forms stand in one another too often to be looked at. */
export function tooManyForms(page: number, violations: Violations): void {
  const detail = `Content is in forms that are nested more than ${MAX_LEVELS} times: remove some of them.`;
  violations.add({ ...RULE, accessible: '7.1' }, detail, { page });
}

/** Says that a page shows more than a reader can. */
export function tooManyShown(page: number, violations: Violations): void {
  const detail = `A page nests content more than ${MAX_SHOWN} times: create the file again from its source.`;
  violations.add({ ...RULE, accessible: '7.1' }, detail, { page });
}
