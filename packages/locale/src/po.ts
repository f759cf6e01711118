import { po } from 'gettext-parser';
import { type CatalogueData, messageKey } from './catalogue.ts';
import { fail } from './fault.ts';
import { parsePluralRule } from './plural.ts';

/** Catalogues of gettext (`.po`). */

/** What holds where a catalogue does not say: two forms, as in English. */
const TWO_FORMS = 'n != 1';
const MAX_FORMS = 10;

/**
 * Reads a catalogue. Translations that are missing or marked as fuzzy are left out, as msgfmt does.
 *
 * @throws LocaleError for what is no catalogue, or has a rule of plurals that cannot be followed
 */
export function parsePo(bytes: Uint8Array): CatalogueData {
  const { headers, translations } = parsed(bytes);
  const { count, plural } = pluralForms(headers['Plural-Forms'] ?? headers['plural-forms'] ?? '');
  const messages: Record<string, string[]> = Object.create(null) as Record<string, string[]>;
  for (const [context, entries] of Object.entries(translations)) {
    for (const [message, entry] of Object.entries(entries)) {
      const { msgid_plural: several, msgstr: forms, comments } = entry;
      const isFuzzy = /(?:^|[\s,])fuzzy(?:$|[\s,])/.test(comments?.flag ?? '');
      if (message === '' || isFuzzy || forms.every((form) => form === '')) continue;
      if (several !== undefined && (forms.length !== count || forms.includes(''))) {
        fail(`"${message.slice(0, 60)}" has ${forms.length} plural forms, where Plural-Forms says ${count}`);
      }
      messages[messageKey(context === '' ? null : context, message)] = forms;
    }
  }
  return { plural, messages };
}

function parsed(bytes: Uint8Array): ReturnType<typeof po.parse> {
  try {
    // One that names no encoding is taken for UTF-8.
    return po.parse(Buffer.from(bytes), { defaultCharset: 'utf-8' });
  } catch (error) {
    return fail(
      `the file is no catalogue of gettext: ${error instanceof Error ? error.message : 'it cannot be read'}`,
    );
  }
}

/** `nplurals=2; plural=(n != 1);` */
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
      return fail(`Plural-Forms gives form ${form} for ${n}, of ${count}`);
    }
  }
  return { count, plural };
}
