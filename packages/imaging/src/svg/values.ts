import { converter, parse } from 'culori';

/** Values of CSS in the form that the engines of SVG read. */

const toRgb = converter('rgb');
const KEYWORDS = new Map(
  ['none', 'currentColor', 'inherit', 'context-fill', 'context-stroke'].map((word) => [
    word.toLowerCase(),
    word,
  ]),
);

/** Characters of a paint and of a length that are read. */
const MAX_PAINT = 2000;
const MAX_DIGITS = 100;

/**
 * Returns a colour or paint (CSS Color 4; SVG 2, 13.2) as `#rrggbb`, or as `rgba(…)` with commas. What lies
 * outside of sRGB is cut off at its bounds, as browsers do on such a screen.
 *
 * @returns null for what is no colour
 */
export function paint(value: string): string | null {
  const text = value.trim();
  if (text.length > MAX_PAINT) return null;
  // bounded: MAX_PAINT
  const reference = /^(url\(\s*(?:"[^"]*"|'[^']*'|[^)"']*)\s*\))\s*(.*)$/is.exec(text);
  if (reference !== null) {
    const [, address = '', rest = ''] = reference;
    const fallback = rest === '' ? null : paint(rest);
    return fallback === null ? address : `${address} ${fallback}`;
  }
  // The colour for printers that may follow is for nobody.
  const [plain = ''] = text.toLowerCase().split(/\sicc-color\(/);
  return KEYWORDS.get(plain.trim()) ?? colour(plain.trim());
}

function colour(text: string): string | null {
  const { r, g, b, alpha = 1 } = toRgb(parse(text)) ?? {};
  if (r === undefined || g === undefined || b === undefined) return null;
  const [red, green, blue] = [r, g, b].map((part) => Math.round(Math.min(Math.max(part, 0), 1) * 255));
  if (alpha < 1) return `rgba(${red}, ${green}, ${blue}, ${Number(Math.max(alpha, 0).toFixed(4))})`;
  return `#${[red, green, blue].map((part) => (part ?? 0).toString(16).padStart(2, '0')).join('')}`;
}

/** Pixels of a unit; percent and the units of the font are left to the engine. */
const UNITS: Readonly<Record<string, number>> = {
  px: 1,
  rem: 16,
  q: 96 / 101.6,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
  pt: 96 / 72,
  pc: 16,
};

/**
 * Returns a CSS length in pixels, or with `%`, `em`, `ex`.
 *
 * @returns null for what is no length: CSS, unlike attributes, wants a unit
 */
export function cssLength(value: string): string | null {
  if (value.length > MAX_DIGITS) return null;
  // bounded: MAX_DIGITS
  const [, digits = '', unit = ''] = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)([a-z%]*)$/i.exec(value) ?? [];
  const number = Number(digits);
  if (digits === '' || !Number.isFinite(number)) return null;
  if (number === 0) return '0';
  const name = unit.toLowerCase();
  if (['%', 'em', 'ex'].includes(name)) return `${number}${name}`;
  const pixels = UNITS[name];
  return pixels === undefined ? null : String(number * pixels);
}

/** Custom properties within each other, and characters of a value with all of them. */
const MAX_DEPTH = 20;
const MAX_LENGTH = 10_000;

/**
 * Replaces `var()` (CSS Custom Properties Level 1).
 *
 * @returns null if a property without a fallback is missing, or if they contain each other
 */
export function withVariables(
  value: string,
  lookup: (name: string) => string | undefined,
  depth = 0,
): string | null {
  const start = /\bvar\(/i.exec(value);
  if (start === null) return value;
  const open = start.index + start[0].length;
  const end = closing(value, open);
  if (end === -1 || depth > MAX_DEPTH || value.length > MAX_LENGTH) return null;
  const [, name = '', fallback] = /^\s*(--[^\s,]*)\s*(?:,(.*))?$/s.exec(value.slice(open, end)) ?? [];
  const found = lookup(name) ?? fallback;
  const inner = found === undefined ? null : withVariables(found, lookup, depth + 1);
  const replaced = inner === null ? null : `${value.slice(0, start.index)}${inner}`;
  const rest = replaced === null ? null : withVariables(value.slice(end + 1), lookup, depth);
  return rest === null || (replaced ?? '').length + rest.length > MAX_LENGTH ? null : `${replaced}${rest}`;
}

/** Returns the place of the bracket that closes; -1 for none. */
function closing(text: string, from: number): number {
  let depth = 1;
  for (let at = from; at < text.length; at += 1) {
    if (text.charAt(at) === '(') depth += 1;
    if (text.charAt(at) === ')') depth -= 1;
    if (depth === 0) return at;
  }
  return -1;
}
