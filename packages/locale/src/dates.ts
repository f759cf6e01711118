import { dateText, glueOf, isLength, type Length } from './date-data.ts';
import { applyDatePattern, parseDatePattern } from './date-pattern.ts';
import { numberingSystem, withDigits } from './locale.ts';
import { inZone, type Moment } from './moment.ts';

/** Formats dates and times as Babel's functions of the same names do. */

export interface DateStyle {
  /** Language tag (BCP 47). */
  locale: string;
  /** `full`, `long`, `medium`, `short` or a pattern. */
  format: string;
  /** Time zone of the output; null to keep the zone of the input. */
  zone: string | null;
}

/** Formats the date of a moment. @throws LocaleError, as the other functions do */
export function formatDate(moment: Moment, { locale, format, zone }: DateStyle): string {
  const shown = zone === null || moment.kind !== 'datetime' ? moment : inZone(moment, zone);
  const date: Moment = { ...shown, kind: 'date', hour: 0, minute: 0, second: 0, microsecond: 0 };
  // Midnight may not exist in the zone on that day, so the date is formatted in UTC.
  return written(locale, { ...date, zone: 'UTC', offset: 0 }, format, datePart);
}

/** Formats a date with a time. A date without a time means its beginning in UTC. */
export function formatDateTime(moment: Moment, { locale, format, zone }: DateStyle): string {
  const instant: Moment = { ...moment, kind: 'datetime' };
  const shown = zone === null ? instant : inZone(instant, zone);
  return written(locale, shown, format, (tag, at, length, system) => {
    const pieces = { '{1}': datePart(tag, at, length, system), '{0}': timePart(tag, at, length, system) };
    return glueOf(tag, length).replace(/\{[01]\}/g, (place) => pieces[place as keyof typeof pieces]);
  });
}

/** Formats a time of day. A time without a date is not converted to the zone. */
export function formatTime(moment: Moment, { locale, format, zone }: DateStyle): string {
  const timed: Moment = moment.kind === 'date' ? { ...moment, kind: 'datetime' } : moment;
  const shown = zone === null ? timed : timed.kind === 'time' ? { ...timed, zone } : inZone(timed, zone);
  const { kind } = shown;
  return written(locale, kind === 'time' ? clockOf(shown) : { ...shown, kind: 'time' }, format, timePart);
}

/**
 * Returns a moment whose clock shows the same time in its zone. The name of the zone is that of its standard
 * time.
 */
function clockOf(moment: Moment): Moment {
  const { hour, minute, second } = moment;
  const probe = inZone({ ...moment, year: 1970, month: 1, day: 1, zone: 'UTC', offset: 0 }, moment.zone);
  return { ...probe, year: 1970, month: 1, day: 1, hour, minute, second };
}

type NamedFormat = (tag: string, moment: Moment, length: Length, system: string) => string;

function written(locale: string, moment: Moment, format: string, named: NamedFormat): string {
  const system = numberingSystem(locale, null);
  const tag = new Intl.Locale(locale).baseName;
  if (isLength(format)) return named(tag, moment, format, system);
  return withDigits(applyDatePattern(tag, moment, parseDatePattern(format)), system);
}

const datePart: NamedFormat = (tag, moment, length, system) =>
  dateText(tag, moment, { dateStyle: length, numberingSystem: system });

const timePart: NamedFormat = (tag, moment, length, system) =>
  dateText(tag, moment, { timeStyle: length, numberingSystem: system });
