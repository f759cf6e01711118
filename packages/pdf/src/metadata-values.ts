import { PlatenError } from '@platen/core/errors';

/** The keys of the Info dictionary. The contract imports this file too, so it does not load the PDF code. */

/** The keys that PDF defines (ISO 32000-1, table 317). */
export const METADATA_KEYS = [
  'Title',
  'Author',
  'Subject',
  'Keywords',
  'Creator',
  'Producer',
  'CreationDate',
  'ModDate',
  'Trapped',
] as const;

/** Properties by key without a slash: dates in ISO 8601; null removes a property. */
export type MetadataValues = Readonly<Record<string, string | null>>;

const TRAPPED = ['True', 'False', 'Unknown'];

/** Maximum bytes of a name (ISO 32000-1, annex C). */
const MAX_KEY = 127;

/**
 * The new properties, by key without a slash. Any key may be given, but not one that PDF defines in another case.
 *
 * @param metadata by key, with or without a leading slash; null or an empty text removes a property
 * @param field the field's name in errors
 * @throws PlatenError `invalid_field` for a key that no reader would look for, or a value that its key does not allow
 */
export function metadataValues(
  metadata: Readonly<Record<string, string | null | undefined>>,
  field = 'metadata',
): Record<string, string | null> {
  const values = Object.entries(metadata).flatMap(([name, value]) => {
    if (value === undefined) return [];
    const key = name.replace(/^\//, '');
    const defined = METADATA_KEYS.find((known) => known.toLowerCase() === key.toLowerCase()) ?? key;
    if (defined !== key)
      throw invalid(field, key, `is no key; the one that PDF defines is ${defined}`, defined);
    if (key === '' || Buffer.byteLength(key) > MAX_KEY || !key.isWellFormed() || key.includes('\0')) {
      throw invalid(field, key, `is no key: it must have 1 to ${MAX_KEY} bytes of UTF-8, without NUL`);
    }
    return [
      [key, value === null || value === '' ? null : checked(key, value.toWellFormed(), field)] as const,
    ];
  });
  return Object.fromEntries(values);
}

function checked(key: string, value: string, field: string): string {
  if (key === 'Trapped' && !TRAPPED.includes(value)) {
    throw invalid(field, key, `is none of ${TRAPPED.join(', ')}`, TRAPPED);
  }
  if (key !== 'CreationDate' && key !== 'ModDate') return value;
  const date = isoDate(value);
  if (date === undefined) throw invalid(field, key, `is no date in ISO 8601, such as ${EXAMPLE}`, EXAMPLE);
  return date;
}

const EXAMPLE = '2026-03-01T09:30:00+01:00';

/** ISO 8601 as in XMP (ISO 16684-1, 8.2.1.2): parts may be missing from the end, and so may the time zone. */
const DATE =
  /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?(Z|[-+]\d\d:?\d\d)?)?)?)?$/;

/** Returns a date to the second, with a colon in its time zone; undefined for anything else. */
export function isoDate(text: string): string | undefined {
  const match = DATE.exec(text);
  if (match === null) return undefined;
  const [, year = '', month, day, hour, minute = '', second = '00', zone = ''] = match;
  const [, zoneHour = 0, zoneMinute = 0] = (/(\d\d):?(\d\d)$/.exec(zone) ?? []).map(Number);
  const calendar = `${year}-${month ?? '01'}-${day ?? '01'}`;
  const instant = new Date(`${calendar}T${hour ?? '00'}:${minute === '' ? '00' : minute}:${second}Z`);
  // A day that a month does not have becomes one of the next month.
  if (Number.isNaN(instant.getTime()) || !instant.toISOString().startsWith(calendar)) return undefined;
  if (hour === '24' || zoneHour > 23 || zoneMinute > 59) return undefined;
  const date = [year, month, day].filter((part) => part !== undefined).join('-');
  if (hour === undefined) return date;
  return `${date}T${hour}:${minute}:${second}${zone.replace(/(\d\d)(\d\d)$/, '$1:$2')}`;
}

function invalid(
  field: string,
  key: string,
  problem: string,
  allowed?: string | readonly string[],
): PlatenError {
  const place = `${field}.${key.slice(0, 100)}`;
  const message = `${place} ${problem}`;
  return new PlatenError('invalid_field', `${message}.`, {
    faults: [{ field: place, message, ...(allowed === undefined ? {} : { allowed }) }],
  });
}
