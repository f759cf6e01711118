/** A PDF date (ISO 32000-2, 7.9.4): all parts after the year are optional. */
const DATE = /^(?:D:)?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:([-+Z])(?:(\d\d)'?(?:(\d\d)'?)?)?)?\s*$/;

/** Returns a PDF date in ISO 8601; any other text stays as it is. */
export function isoDate(text: string): string {
  // bounded: a date has at most 23 characters
  const match = text.length > 40 ? null : DATE.exec(text);
  if (match === null) return text;
  const [, year = '', month = '01', day = '01', hour = '00', minute = '00', second = '00', sign, ...zone] =
    match;
  const [hours = '00', minutes = '00'] = zone;
  const offset = sign === undefined ? '' : sign === 'Z' ? 'Z' : `${sign}${hours}:${minutes}`;
  return `${year}-${month}-${day}T${hour}:${minute}:${second}${offset}`;
}
