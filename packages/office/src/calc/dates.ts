/** Dates as serial numbers of spreadsheets. */

const ISO_DATE = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/;

/** Parses an ISO 8601 date, or date and time; returns null for anything else. It ignores the time zone. */
export function isoDate(text: string): { serial: number; iso: string } | null {
  const match = ISO_DATE.exec(text.trim());
  if (match === null) return null;
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0));
  const time = Date.UTC(year, month - 1, day, hour, minute, second);
  const date = new Date(time);
  // 31 February is not a date; Excel's days begin in 1900.
  if (
    date.getUTCMonth() !== month - 1 ||
    date.getUTCDate() !== day ||
    year < 1900 ||
    hour > 23 ||
    minute > 59
  )
    return null;
  // Day 0 is 1899-12-30, as in OpenDocument; Excel differs before March 1900.
  const serial = (time - Date.UTC(1899, 11, 30)) / 86_400_000;
  return { serial, iso: date.toISOString().slice(0, match[4] === undefined ? 10 : 19) };
}
