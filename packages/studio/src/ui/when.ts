/** Formats times for people, in the language of the browser. */

const DATE = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const TIME = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

const WEEKDAY = new Intl.DateTimeFormat(undefined, { weekday: 'short', day: 'numeric', month: 'short' });

export const dateOf = (timestamp: string): string => DATE.format(new Date(timestamp));

export const timeOf = (timestamp: string): string => TIME.format(new Date(timestamp));

/** @param day `YYYY-MM-DD`, in local time */
export const weekdayOf = (day: string): string => WEEKDAY.format(new Date(`${day}T12:00:00`));

const SECONDS = new Intl.NumberFormat(undefined, { style: 'unit', unit: 'second', maximumFractionDigits: 1 });
const MINUTES = new Intl.NumberFormat(undefined, { style: 'unit', unit: 'minute', maximumFractionDigits: 1 });

/** Returns the time between two timestamps: in seconds, or from two minutes on in minutes. */
export function durationOf(from: string, to: string): string {
  const seconds = (Date.parse(to) - Date.parse(from)) / 1000;
  return seconds < 120 ? SECONDS.format(seconds) : MINUTES.format(seconds / 60);
}
