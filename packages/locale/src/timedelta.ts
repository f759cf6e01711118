import { fail } from './fault.ts';
import { cached } from './locale.ts';

/** Formats a time span in one unit as Babel's `format_timedelta` does. */

const UNITS = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['week', 7 * 86_400],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

export interface TimeDeltaStyle {
  /** Language tag (BCP 47). */
  locale: string;
  /** The smallest unit. */
  granularity: string;
  /** Fraction of a unit from which a span is given in that unit. */
  threshold: number;
  /** Whether the text distinguishes the past from the future. */
  direction: boolean;
  format: string;
}

const WIDTHS = new Map([
  ['long', 'long'],
  ['medium', 'long'],
  ['short', 'short'],
  ['narrow', 'narrow'],
] as const);

/** Formats a time span. @throws LocaleError */
export function formatTimeDelta(seconds: number, style: TimeDeltaStyle): string {
  const { locale, granularity, threshold, direction, format } = style;
  const width = [...WIDTHS].find(([name]) => name === format)?.[1];
  if (width === undefined) return fail(`'${format.slice(0, 20)}' is no format: long, short or narrow`);
  if (!UNITS.some(([unit]) => unit === granularity)) {
    return fail(`'${granularity.slice(0, 20)}' is no unit: ${UNITS.map(([unit]) => unit).join(', ')}`);
  }
  const whole = Math.trunc(seconds);
  for (const [unit, length] of UNITS) {
    let value = Math.abs(whole) / length;
    if (value < threshold && unit !== granularity) continue;
    if (unit === granularity && value > 0) value = Math.max(1, value);
    const count = halfEven(value);
    if (!direction) return units(`${locale} ${unit} ${width}`).format(count);
    return relative(`${locale} ${width}`).format(whole < 0 ? -count : count, unit);
  }
  return '';
}

/** Rounds half to even as Python does. */
function halfEven(value: number): number {
  const floor = Math.floor(value);
  if (value - floor !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}

const units = cached((key): Intl.NumberFormat => {
  const [tag = '', unit = '', unitDisplay = 'long'] = key.split(' ');
  return new Intl.NumberFormat(latin(tag), {
    style: 'unit',
    unit,
    unitDisplay: unitDisplay as 'long' | 'short' | 'narrow',
    useGrouping: false,
  });
});

const relative = cached((key): Intl.RelativeTimeFormat => {
  const [tag = '', style = 'long'] = key.split(' ');
  return new Intl.RelativeTimeFormat(latin(tag), {
    numeric: 'always',
    style: style as 'long' | 'short' | 'narrow',
  });
});

/** Returns the locale with Latin digits, unless it sets other digits. */
function latin(tag: string): string {
  const locale = new Intl.Locale(tag);
  return new Intl.Locale(tag, { numberingSystem: locale.numberingSystem ?? 'latn' }).toString();
}
