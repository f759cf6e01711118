import type { PdfFile } from '../model/index.ts';
import { isName, isString, nameText, stringBytes, type PdfDict, type PdfValue } from '../model/values.ts';
import type { Violations } from './violations.ts';

/** Limits of PDF/A for the sizes of things (ISO 19005-2, 6.1.13). */

const [LEAST, MOST] = [-2_147_483_648, 2_147_483_647];
const [NAME_BYTES, STRING_BYTES] = [127, 32_767];
/** Maximum depth of nested graphics states. */
export const MAX_STATES = 28;
/** Maximum depth of nested forms, patterns and glyphs, which is greater than that of saved states. */
export const MAX_LEVELS = 40;
/**
 * Maximum number of times that such content is shown on a page: twelve forms that show the next one ten times do
 * so 10^12 times.
 */
export const MAX_SHOWN = 1_000_000;
/** Limits of the page boundaries, in points. */
const [SMALLEST, LARGEST] = [3, 14_400];
const BOUNDARIES = ['/MediaBox', '/CropBox', '/BleedBox', '/TrimBox', '/ArtBox'];

const RULE = { archive: '6.1.13' } as const;

/** Checks a number, a string or a name. */
export function checkSize(value: PdfValue, violations: Violations): void {
  if (typeof value === 'number') {
    if (Number.isInteger(value) && (value > MOST || value < LEAST))
      violations.add(
        RULE,
        `The number ${value} is larger than PDF/A allows: create the file again from its source.`,
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

/** Checks the boundaries of a page, including inherited ones. */
export function checkBoundaries(file: PdfFile, page: PdfDict, number: number, violations: Violations): void {
  for (const key of BOUNDARIES) {
    if (file.resolve(page[key]) === null) continue;
    const entries = file.array(page[key]).map((entry) => file.resolve(entry));
    // A boundary without four numbers has no size, and violates the limits.
    const [left = NaN, bottom = NaN, right = NaN, top = NaN] = entries.map((entry) =>
      typeof entry === 'number' ? entry : NaN,
    );
    const sides = [Math.abs(right - left), Math.abs(top - bottom)];
    if (sides.every((side) => side >= SMALLEST && side <= LARGEST)) continue;
    const detail = `The page is smaller than ${SMALLEST} points or larger than ${LARGEST} (508 cm): change its size.`;
    violations.add(RULE, detail, { page: number });
  }
}

/** Reports that graphics states are nested too deeply. */
export function tooManyStates(page: number, violations: Violations): void {
  const detail = `Content is nested in more than ${MAX_STATES} rotated, clipped or transparent groups: remove some of them.`;
  violations.add(RULE, detail, { page });
}

/** Reports that forms are nested too deeply to be checked. */
export function tooManyForms(page: number, violations: Violations): void {
  const detail = `Content is in forms that are nested more than ${MAX_LEVELS} times: remove some of them.`;
  violations.add({ ...RULE, accessible: '7.1' }, detail, { page });
}

/** Reports that a page shows more than a reader can process. */
export function tooManyShown(page: number, violations: Violations): void {
  const detail = `A page nests content more than ${MAX_SHOWN} times: create the file again from its source.`;
  violations.add({ ...RULE, accessible: '7.1' }, detail, { page });
}
