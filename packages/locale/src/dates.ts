import { dateText, glueOf, isLength, type Length } from './date-data.ts';
import { applyDatePattern, parseDatePattern } from './date-pattern.ts';
import { numberingSystem, withDigits } from './locale.ts';
import { inZone, type Moment } from './moment.ts';

/** Dates and times, as Babel's functions of the same names write them. */

export interface DateStyle {
  /** Tag of BCP 47. */
  locale: string;
  /** `full`, `long`, `medium`, `short` or a pattern. */
  format: string;
  /** The zone whose clocks are shown; null: as it was given. */
  zone: string | null;
}

/** @throws LocaleError. So do the others */
export function formatDate(moment: Moment, { locale, format, zone }: DateStyle): string {
  const shown = zone === null || moment.kind !== 'datetime' ? moment : inZone(moment, zone);
  const date: Moment = { ...shown, kind: 'date', hour: 0, minute: 0, second: 0, microsecond: 0 };
  // Midnight of a day may not be there in its zone.
  return written(locale, { ...date, zone: 'UTC', offset: 0 }, format, datePart);
}

/** A date is the beginning of its day in UTC. */
export function formatDateTime(moment: Moment, { locale, format, zone }: DateStyle): string {
  const instant: Moment = { ...moment, kind: 'datetime' };
  const shown = zone === null ? instant : inZone(instant, zone);
  return written(locale, shown, format, (tag, at, length, system) => {
    const pieces = { '{1}': datePart(tag, at, length, system), '{0}': timePart(tag, at, length, system) };
    return glueOf(tag, length).replace(/\{[01]\}/g, (place) => pieces[place as keyof typeof pieces]);
  });
}

/** A time of day without a date is what it is in every zone. */
export function formatTime(moment: Moment, { locale, format, zone }: DateStyle): string {
  const timed: Moment = moment.kind === 'date' ? { ...moment, kind: 'datetime' } : moment;
  const shown = zone === null ? timed : timed.kind === 'time' ? { ...timed, zone } : inZone(timed, zone);
  const { kind } = shown;
  return written(locale, kind === 'time' ? clockOf(shown) : { ...shown, kind: 'time' }, format, timePart);
}

/** A clock that shows what it shows wherever it is; the name of a zone is that of its standard time. */
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
