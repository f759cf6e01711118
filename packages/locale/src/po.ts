import { po } from 'gettext-parser';
import { type CatalogueData, messageKey } from './catalogue.ts';
import { fail, LocaleError } from './fault.ts';
import { parsePluralRule } from './plural.ts';

/** Parses gettext catalogues (`.po`). */

/** The default plural rule: two forms as in English. */
const TWO_FORMS = 'n != 1';
const MAX_FORMS = 10;
/** Number of bytes at the beginning of a file that contain its header. */
const HEADER_BYTES = 16 * 1024;
/** Maximum `msgstr` after one `msgid`, because the parser copies all of them for each one. */
const MAX_STRINGS = 200;
/**
 * Maximum messages of a catalogue. The largest in use have about 40,000; a file filled with messages would
 * take several seconds.
 */
const MAX_MESSAGES = 60_000;
/**
 * Matches strings and comments, which are skipped, and the keywords that are counted. `#~` precedes an
 * obsolete entry.
 */
const TOKENS =
  // bounded: a string or a comment is consumed up to its end, or the end of the text, in one step
  /"(?:[^"\\]|\\[^])*(?:"|\\?$)|'(?:[^'\\]|\\[^])*(?:'|\\?$)|#(?!~)[^\n]*|msgid(?!_plural)|msgstr/gi;

/**
 * Parses a catalogue. As in msgfmt, missing and fuzzy translations are left out.
 *
 * @throws LocaleError if the file is not a catalogue or has an invalid plural rule
 */
export function parsePo(bytes: Uint8Array): CatalogueData {
  // Despite the declared types, a catalogue without a header entry has no headers.
  const { headers = {}, translations = {} } = parsed(bytes) as Partial<ReturnType<typeof parsed>>;
  if (Object.keys(translations).length === 0) fail('the file is no catalogue of gettext: it has no entry');
  const { count, plural } = pluralForms(headers['Plural-Forms'] ?? headers['plural-forms'] ?? '');
  const messages: Record<string, string[]> = Object.create(null) as Record<string, string[]>;
  for (const [context, entries] of Object.entries(translations)) {
    for (const [message, entry] of Object.entries(entries)) {
      const { msgid_plural: several, msgstr: forms, comments } = entry;
      // Despite the declared type, a message without a section `msgstr` has none.
      if ((forms as string[] | undefined) === undefined) fail(`"${message.slice(0, 60)}" has no msgstr`);
      const isFuzzy = /(?:^|[\s,])fuzzy(?:$|[\s,])/.test(comments?.flag ?? '');
      if (message === '' || isFuzzy || forms.every((form) => form === '')) continue;
      if (several !== undefined && (forms.length !== count || forms.includes(''))) {
        fail(
          `"${message.slice(0, 60)}" has ${forms.length} plural forms, but Plural-Forms declares ${count}`,
        );
      }
      messages[messageKey(context === '' ? null : context, message)] = forms;
    }
  }
  return { plural, messages };
}

function parsed(bytes: Uint8Array): ReturnType<typeof po.parse> {
  try {
    return po.parse(checkedText(bytes));
  } catch (error) {
    if (error instanceof LocaleError) throw error;
    return fail(
      `the file is no catalogue of gettext: ${error instanceof Error ? error.message : 'it cannot be read'}`,
    );
  }
}

/**
 * Returns the text of a catalogue after checking that the parser takes linear time for it. The default
 * encoding is UTF-8.
 */
function checkedText(bytes: Uint8Array): string {
  const beginning = Buffer.from(bytes.subarray(0, HEADER_BYTES)).toString('latin1');
  const second = beginning.indexOf('msgid', beginning.indexOf('msgid') + 5);
  const header = second === -1 ? beginning : beginning.slice(0, second);
  const named = /[; ]charset=([\w-]{1,40})/i.exec(header)?.[1] ?? 'utf-8';
  const text = decoded(bytes, named);
  let [messages, strings] = [0, 0];
  for (const [token] of text.matchAll(TOKENS)) {
    const keyword = token.toLowerCase();
    if (keyword === 'msgid') [messages, strings] = [messages + 1, 0];
    else if (keyword === 'msgstr') strings += 1;
    if (messages > MAX_MESSAGES) return fail(`the file has more than ${MAX_MESSAGES} messages`);
    if (strings > MAX_STRINGS) return fail(`more than ${MAX_STRINGS} msgstr follow one msgid`);
  }
  return text;
}

function decoded(bytes: Uint8Array, charset: string): string {
  try {
    // `CHARSET` is gettext's placeholder in a header that has not been filled in.
    return new TextDecoder(/^charset$/i.test(charset) ? 'utf-8' : charset).decode(bytes);
  } catch {
    return fail(`the encoding ${charset} is not known: use UTF-8`);
  }
}

/** Parses the header Plural-Forms, such as `nplurals=2; plural=(n != 1);`. */
function pluralForms(header: string): { count: number; plural: string } {
  if (header.trim() === '') return { count: 2, plural: TWO_FORMS };
  const count = Number(/\bnplurals\s*=\s*(\d{1,2})/.exec(header)?.[1]);
  const plural = /\bplural\s*=\s*([^;]{1,1000})/.exec(header)?.[1];
  if (!(count >= 1 && count <= MAX_FORMS) || plural === undefined) {
    return fail('Plural-Forms is not as gettext has it: nplurals=2; plural=(n != 1);');
  }
  const rule = parsePluralRule(plural);
  for (let n = 0; n <= 1000; n += 1) {
    const form = rule(n);
    if (!Number.isInteger(form) || form < 0 || form >= count) {
      return fail(`Plural-Forms selects form ${form} of ${count} for ${n}`);
    }
  }
  return { count, plural };
}
