/** Dates and times in spreadsheets: days since the beginning of a calendar. */

const DAY_SECONDS = 86_400;
/** 9999-12-31, the last day that a spreadsheet can represent. */
const LAST_DAY = 2_958_465;
/** Days between the first day of the 1900 date system and that of the 1904 date system. */
const DAYS_1904 = 1_462;

/** Returns the section of a number format for positive numbers, without its quoted text. */
export function shownFormat(format: string): string {
  return format.replace(/"[^"]*"|\\.|[_*]./g, '').split(';')[0] ?? '';
}

/**
 * Returns the date or time that a number format shows for a number: `2026-11-21`, `2026-11-21T09:30:00`,
 * `09:30:00`, or `36:30:00` for elapsed hours (`[h]:mm`).
 *
 * @param shown a date format, as `shownFormat` returns it
 * @param is1904 true if the workbook counts days from 1904
 * @returns null for a number outside the calendar
 */
export function momentOf(serial: number, shown: string, is1904: boolean): string | null {
  // A fraction of a day is inexact in seconds: 09:30 is stored as 09:29:59.999.
  const seconds = Math.round(serial * DAY_SECONDS);
  const { counts, hasDay, hasTime } = partsOf(shown);
  if (counts) return `${seconds < 0 ? '-' : ''}${clock(Math.abs(seconds))}`;
  if (serial < 0 || serial >= LAST_DAY + 1) return null;
  const isDay = seconds >= DAY_SECONDS || (is1904 && hasDay);
  if (!isDay) return clock(seconds);
  const date = dayOf(Math.floor(seconds / DAY_SECONDS) + (is1904 ? DAYS_1904 : 0));
  const time = seconds % DAY_SECONDS;
  // Programs also write times with formats of days; they are not lost.
  return hasTime || time > 0 ? `${date}T${clock(time)}` : date;
}

/** Returns whether a number format shows elapsed hours, minutes or seconds, the day, and the time of the day. */
function partsOf(format: string): { counts: boolean; hasDay: boolean; hasTime: boolean } {
  const counts = /\[(h+|m+|s+)\]/i.test(format);
  const letters = format.replace(/\[[^\][]*\]|am\/pm|a\/p/gi, '');
  const hasTime = /[hs]/i.test(letters);
  return { counts, hasDay: /[ydeg]/i.test(letters) || (/m/i.test(letters) && !hasTime), hasTime };
}

/**
 * Returns the date of a serial day number. The 1900 calendar has a 29 February 1900, which is returned as
 * such.
 */
function dayOf(day: number): string {
  if (day === 60) return '1900-02-29';
  const from = Date.UTC(1899, 11, day < 60 ? 31 : 30);
  return new Date(from + day * DAY_SECONDS * 1000).toISOString().slice(0, 10);
}

function clock(seconds: number): string {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}
