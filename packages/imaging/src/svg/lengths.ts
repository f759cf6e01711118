import { cssLength } from './values.ts';

/** Lengths in attributes and in properties of strokes and text, in units that the engines of SVG know. */

/** Attributes with a length, or with a list of them. */
const WITH_LENGTHS: ReadonlySet<string> = new Set(
  (
    'x y dx dy width height rx ry cx cy r fx fy x1 y1 x2 y2 stroke-width stroke-dasharray stroke-dashoffset ' +
    'letter-spacing word-spacing baseline-shift textLength startOffset markerWidth markerHeight refX refY font-size'
  ).split(' '),
);
/** Properties whose numbers need a unit in CSS, unlike in attributes and unlike strokes (SVG 2, 13.5). */
const WITH_UNITS: ReadonlySet<string> = new Set([
  'font-size',
  'letter-spacing',
  'word-spacing',
  'baseline-shift',
]);

export function hasLengths(name: string): boolean {
  return WITH_LENGTHS.has(name);
}

/** A number with a unit that depends on the font or the viewport (CSS Values and Units Level 4, 6), or a function. */
const FOR_BROWSER =
  /^(?:[+-]?[\d.]+(?:e[+-]?\d+)?(?:r?(?:ch|cap|ic|lh)|rex|[sld]?v(?:w|h|i|b|min|max))|-?[a-z]+\(.*)$/i;
/** Characters of a value that is read. */
const MAX_LIST = 10_000;

/**
 * Returns the lengths of an attribute or property.
 *
 * @param note called with a value that only browsers know
 * @returns null for a number that lacks its unit; other values that are not valid stay as they are
 */
export function plainLengths(
  name: string,
  written: string,
  isAttribute: boolean,
  note: (text: string) => void,
): string | null {
  const value = name === 'font-size' ? plainFontSize(written) : written;
  // Nearly all are numbers.
  if (!/[a-z]/i.test(value) || value.length > MAX_LIST) {
    const isValid = isAttribute || !WITH_UNITS.has(name) || value.endsWith('%') || Number(value) === 0;
    return isValid ? value : null;
  }
  const words = value.includes('(') ? [value.trim()] : value.trim().split(/[\s,]+/);
  if (words.some((word) => FOR_BROWSER.test(word))) {
    note(`\`${name}="${value.slice(0, 60)}"\``);
    return value;
  }
  return words.map((word) => cssLength(word) ?? word).join(' ');
}

/** Absolute sizes (CSS Fonts Level 4, 2.5), and relative ones as browsers compute them. */
const SIZES: Readonly<Record<string, string>> = {
  'xx-small': '9px',
  'x-small': '10px',
  small: '13px',
  medium: '16px',
  large: '18px',
  'x-large': '24px',
  'xx-large': '32px',
  'xxx-large': '48px',
  smaller: `${1 / 1.2}em`,
  larger: '1.2em',
};

/** The initial font size in pixels. */
export const INITIAL_SIZE = 16;

/** Returns a font size whose keywords are lengths. */
function plainFontSize(value: string): string {
  return SIZES[value.trim().toLowerCase()] ?? value;
}

/**
 * Returns the font size of the root element in pixels: the engine starts from another size.
 *
 * @param value as it is declared; undefined for none
 */
export function rootFontSize(value: string | undefined): number {
  const plain = plainFontSize(value ?? '').trim();
  const number = Number(plain);
  if (plain !== '' && Number.isFinite(number)) return number;
  const length = cssLength(plain) ?? `${INITIAL_SIZE}`;
  return length.endsWith('%')
    ? (Number.parseFloat(length) / 100) * INITIAL_SIZE
    : lengthInPixels(length, INITIAL_SIZE);
}

/** @param length as `cssLength` returns it, and no percentage */
export function lengthInPixels(length: string, fontSize: number): number {
  const number = Number.parseFloat(length);
  if (length.endsWith('em')) return number * fontSize;
  return length.endsWith('ex') ? (number * fontSize) / 2 : number;
}

/** Replaces lengths that are relative to the font size of the root element. */
export function withRootSize(value: string, size: number): string {
  if (!/\drem\b/i.test(value) || value.length > MAX_LIST) return value;
  // bounded: MAX_LIST characters
  return value.replaceAll(/((?:\d*\.)?\d+)rem\b/gi, (_, digits: string) => `${Number(digits) * size}px`);
}
