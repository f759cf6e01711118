import { PlatenError } from '@platen/core/errors';
import { languageOf, localeTag } from '@platen/locale';
import { document, json, noContent, type Operations } from '../shared/http/index.ts';
import { pageOfAll } from '../shared/http/page.ts';
import type { TranslationFacts, TranslationStore } from '../shared/store/translations.ts';
import { readCatalogue } from './catalogues.ts';

type TranslationOperation = 'listTranslations' | 'putTranslation' | 'getTranslation' | 'deleteTranslation';

/** Most bytes of a catalogue. */
export const MAX_TRANSLATION_BYTES = 4 * 1024 * 1024;

/** The operations of the translation routes. */
export function translationOperations(
  store: TranslationStore,
): Pick<Operations<'templates'>, TranslationOperation> {
  return {
    listTranslations: async ({ tenant, query, basePath }) => {
      const all = (await store.list(tenant)).map((facts) => ({ ...facts, id: facts.locale }));
      return pageOfAll(all, query, `${basePath}/v1/translations`, translationJson);
    },

    async putTranslation({ tenant, params, file }) {
      const locale = localeOf(params);
      const bytes = await file('file_data').bytes(MAX_TRANSLATION_BYTES);
      return json(translationJson(await putTranslation(store, tenant, locale, bytes)));
    },

    async getTranslation({ tenant, params }) {
      const locale = localeOf(params);
      const body = await store.file(tenant, locale);
      return document({ body, contentType: 'text/x-gettext-translation', filename: `${locale}.po` });
    },

    async deleteTranslation({ tenant, params }) {
      await store.remove(tenant, localeOf(params));
      return noContent();
    },
  };
}

/** Stores the translations of a locale. @throws PlatenError `invalid_field`, `file_too_large` */
export async function putTranslation(
  store: TranslationStore,
  tenant: string,
  locale: string,
  bytes: Uint8Array,
): Promise<TranslationFacts> {
  const { messages, json: catalogue } = await readCatalogue(bytes);
  return await store.put(tenant, { locale, messages }, bytes, catalogue);
}

/** @throws PlatenError `invalid_field` */
export function localeOf({ locale = '' }: Record<string, string>): string {
  const tag = localeTag(locale);
  if (tag === null) throw invalid('locale', 'must be a locale that is known, such as de, de_AT or pt-BR');
  return languageOf(tag);
}

function invalid(field: string, message: string): PlatenError {
  return new PlatenError('invalid_field', `\`${field}\`: ${message}.`, { faults: [{ field, message }] });
}

function translationJson({ locale, messages, added }: TranslationFacts): object {
  return { locale, messages, timestamp: added };
}
