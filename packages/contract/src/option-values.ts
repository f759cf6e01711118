import {
  type METADATA_KEYS,
  MAX_PASSWORD_BYTES,
  CONFORMANCE_LEVELS,
  type ConformanceLevel,
  refusedLevels,
  parsePageRange,
} from '@platen/pdf/options';
import { localeTag } from '@platen/locale';
import { languageTag } from '@platen/print';
import * as z from 'zod';
import { isPlatenError } from '@platen/core/errors';
import { furnitureFault } from './furniture.ts';
import type { ErrorCode } from './errors.ts';

/** Schemas of options whose values are texts with their own syntax. */

/** The reason for refusing a text: `allowed` completes the sentence "the value must be …". */
interface Refusal {
  /** The error's code; when absent, the field's default code. */
  code?: ErrorCode;
  allowed: string;
}

/** Returns a schema for a text that has to pass a check; `reading.ts` turns the refusal into the error. */
export function checkedText(text: z.ZodString, check: (text: string) => Refusal | null): z.ZodString {
  return text.superRefine((value, context) => {
    const refusal = check(value);
    if (refusal === null) return;
    const { code, allowed } = refusal;
    context.addIssue({ code: 'custom', message: allowed, params: { code } });
  });
}

/** Returns a schema for a text of at most `most` characters; a longer text is refused before any check. */
function text(most: number): z.ZodString {
  return z.string().max(most, { abort: true });
}

/** Returns a schema that refuses any value in this place and says what to do instead. */
export function refusedText(instead: string): z.ZodString {
  return checkedText(z.string(), () => ({ code: 'option_not_supported', allowed: `left out: ${instead}` }));
}

/** Returns the schema of a template's version: its number, or `latest`. */
export function versionText(): z.ZodString {
  return checkedText(text(16), (version) =>
    /^(?:latest|[1-9]\d{0,8})$/.test(version) ? null : { allowed: 'the number of a version, or latest' },
  );
}

/** Returns the schema of a page range such as `1-3,5,8-` or `-3` (I-21). */
export function pageRangeText(): z.ZodString {
  return checkedText(text(1000), (range) => {
    try {
      parsePageRange(range);
      return null;
    } catch (error) {
      if (!isPlatenError(error)) throw error;
      const why = error.faults[0]?.message ?? error.message;
      return { code: error.code, allowed: `pages such as 1-3,5,8- or -3: ${why}` };
    }
  });
}

/**
 * Returns the schema of a locale that ICU knows, in the notation of POSIX (`de_AT`) or of BCP 47 (`de-AT`).
 */
export function localeText(): z.ZodString {
  return checkedText(text(64), (locale) =>
    isLocale(locale)
      ? null
      : { allowed: 'a locale such as en_US, de_AT or pt-BR: a language with dates of its own, and a region' },
  );
}

/** Returns the schema of a locale whose numbers, dates and texts can be formatted. */
export function formatLocaleText(): z.ZodString {
  return checkedText(text(64), (locale) =>
    localeTag(locale) === null
      ? {
          allowed: 'a locale such as de_AT, pt-BR or ar-EG-u-nu-arab: a language that is known, and a region',
        }
      : null,
  );
}

function isLocale(text: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(languageTag(text)).length === 1;
  } catch (error) {
    // The text is not a language tag.
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/**
 * Returns the schema of the conformance levels that one document can meet together.
 *
 * @param least 0 where an empty list means none
 */
export function conformanceLevels(least = 1): z.ZodArray<z.ZodEnum<{ [L in ConformanceLevel]: L }>> {
  return z
    .array(z.enum(CONFORMANCE_LEVELS))
    .min(least)
    .max(CONFORMANCE_LEVELS.length)
    .superRefine((levels, context) => {
      const refused = refusedLevels(levels);
      if (refused !== null) context.addIssue({ code: 'custom', message: refused, params: {} });
    });
}

/** The fields for the conformance of a PDF in which an invoice is embedded. */
export const invoiceConformance = {
  conformance: z.enum(['pdf/a-3b', 'pdf/a-3u', 'pdf/a-3a', 'none']).optional().meta({
    description:
      'Level of PDF/A that the PDF becomes, or `none` for a PDF that stays as it is, which programs may not take as Factur-X. Default: `pdf/a-3b`, or the level of the PDF if that is higher.',
  }),
  on_violation: z.enum(['error', 'warn']).optional().meta({
    description:
      'Handling of violations that only the author can fix: `error`, or `warn` for the document without the claim and a Warning for each violation. Default error.',
  }),
};

/** Returns the schema of a language tag (RFC 5646), also in the notation of POSIX. */
export function languageText(): z.ZodString {
  return checkedText(text(64), (language) =>
    /^[a-z]{1,8}(?:[-_][a-z\d]{1,8})*$/i.test(language)
      ? null
      : { allowed: 'a tag of a language such as de, pt-BR or zh-Hant' },
  );
}

/** The value for a page whose height follows its content. */
export const CONTENT_HEIGHT = 'content';
/** Centimetres per unit of length. */
const UNITS: Readonly<Record<string, number>> = { mm: 0.1, cm: 1, in: 2.54, pt: 2.54 / 72, px: 2.54 / 96 };

/** Converts a length such as `62mm` to centimetres; returns NaN for an invalid length. */
export function centimetresOf(length: string | number): number {
  if (typeof length === 'number') return length;
  const [, number, unit = 'cm'] =
    /^(-?\d{1,6}(?:\.\d{1,6})?) ?([a-z]{2})?$/.exec(length.trim().toLowerCase()) ?? [];
  return Number(number) * (UNITS[unit] ?? Number.NaN);
}

/** The values that a schema of lengths accepts, as a phrase for people, by the schema of their texts. */
const PHRASES = new WeakMap<object, string>();

/** Returns the phrase for the values that a schema of lengths accepts; undefined for other schemas. */
export function lengthPhrase({ options }: z.ZodUnion): string | undefined {
  return options.map((option) => PHRASES.get(option)).find((phrase) => phrase !== undefined);
}

type LengthSchema = z.ZodUnion<readonly [z.ZodNumber, z.ZodString]>;

/**
 * Returns the schema of a length as it is written: a number of centimetres, or a number with a unit such as
 * `62mm`. `centimetresOf` converts it.
 *
 * @param number limits in centimetres
 * @param word a word that is also accepted
 */
export function writtenLength(number: z.ZodNumber, word: string | null = null): LengthSchema {
  const [least, most] = [number.minValue, number.maxValue];
  const range = number.safeParse(least).success ? `from ${least} to` : `above ${least} and up to`;
  const allowed = `a length ${range} ${most} cm such as 62mm, 4in, 10cm, 300pt or 400px${word === null ? '' : `, or ${word}`}`;
  const written = checkedText(text(32), (value) =>
    value === word || number.safeParse(centimetresOf(value)).success ? null : { allowed },
  );
  PHRASES.set(written, allowed);
  return z.union([number, written]);
}

/** Returns the schema of a length like `writtenLength`, whose value is in centimetres. */
export function lengthInCm(
  number: z.ZodNumber,
): z.ZodPipe<LengthSchema, z.ZodTransform<number, string | number>> {
  return writtenLength(number).transform(centimetresOf);
}

/** The schema of headers or footers by page; an empty text or null leaves these pages without one. */
export const furnitureByPage = z
  .record(z.string(), z.nullable(z.string()))
  .superRefine((entries, context) => {
    const fault = furnitureFault(entries);
    if (fault !== null) {
      const message = `an object of headers or footers by page: it ${fault}`;
      context.addIssue({ code: 'custom', message, params: {} });
    }
  })
  .meta({
    id: 'HeaderOrFooterByPage',
    description:
      'Html or plain text, by `default`, `first`, `last`, `odd`, `even`, or a range such as `2-3`.',
  });

/** Returns the schema of a password for encrypting a PDF. */
export function passwordText(): z.ZodString {
  return checkedText(text(MAX_PASSWORD_BYTES), (password) =>
    // A lone surrogate has no UTF-8 bytes, so nobody could type such a password; NUL ends a program's
    // argument.
    password.isWellFormed() && !password.includes('\0') && Buffer.byteLength(password) <= MAX_PASSWORD_BYTES
      ? null
      : { allowed: `a text of 1 to ${MAX_PASSWORD_BYTES} bytes of UTF-8, without NUL` },
  );
}

/** The metadata to set, by key; `metadataValues` checks keys and dates. */
export const metadataFields = z
  .object({
    Title: z.string().nullable(),
    Author: z.string().nullable(),
    Subject: z.string().nullable(),
    Keywords: z.string().nullable(),
    Creator: z.string().nullable(),
    Producer: z.string().nullable(),
    CreationDate: z.string().nullable(),
    ModDate: z.string().nullable(),
    Trapped: z.string().nullable(),
  } satisfies Record<(typeof METADATA_KEYS)[number], z.ZodType>)
  .partial()
  .catchall(z.string().nullable())
  .meta({
    id: 'Metadata',
    description:
      'Keys `Title`, `Author`, `Subject`, `Keywords`, `Creator`, `Producer`, `CreationDate` and `ModDate` (ISO 8601), `Trapped`, and keys of your own; `null` removes a value.',
  });
