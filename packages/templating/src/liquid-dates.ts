import type { Liquid } from 'liquidjs';

/** Directives of Ruby's `strftime` that LiquidJS lacks and prints as they are written, by others that it has. */
const COMPOSED: Readonly<Record<string, string>> = {
  D: '%m/%d/%y',
  F: '%Y-%m-%d',
  R: '%H:%M',
  T: '%H:%M:%S',
  r: '%I:%M:%S %p',
  v: '%e-%^b-%Y',
  '+': '%a %b %e %H:%M:%S %Z %Y',
};
/** A directive of the table, one of a week (ISO 8601), or a percent sign, which is not the beginning of one. */
const DIRECTIVE = /%([DFRTrv+VG%])/g;
const DAY = 24 * 60 * 60 * 1000;

/** Makes the filter `date` of an interpreter know all directives of Ruby's `strftime`, as Ruby's Liquid does. */
export function registerDates(liquid: Liquid): void {
  const own = liquid.filters['date'];
  if (typeof own !== 'function') throw new TypeError('LiquidJS has no filter date.');
  liquid.registerFilter('date', function (value: unknown, format?: unknown, ...more: unknown[]) {
    if (typeof format !== 'string') return own.call(this, value, format, ...more) as unknown;
    const known = format.replaceAll(DIRECTIVE, (written, name: string) => {
      if (name !== 'V' && name !== 'G') return COMPOSED[name] ?? written;
      const day = String(own.call(this, value, '%Y-%m-%d', ...more));
      return weekOf(new Date(`${day}T00:00:00Z`))[name];
    });
    return own.call(this, value, known, ...more) as unknown;
  });
}

/** The week of a day, and its year: those of the Thursday of the week (ISO 8601). */
function weekOf(day: Date): Record<'V' | 'G', string> {
  const thursday = new Date(day.getTime() + (4 - (day.getUTCDay() || 7)) * DAY);
  const year = thursday.getUTCFullYear();
  const week = 1 + Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / (7 * DAY));
  return { V: String(week).padStart(2, '0'), G: String(year) };
}
