import { Catalogue, type CatalogueData, DEFAULT_LOCALE } from '@platen/locale';
import type { Callable, I18nOptions } from '@platen/jinja';
import type { RenderLanguage } from '../protocol.ts';
import { languageFilters } from './filters.ts';

/** Catalogues that are kept read, by their keys. */
const MAX_KEPT = 32;

/**
 * The language of what is being filled. Compiled templates are for every language: filters and translations ask here, when
 * they are called, which one it is. Filling is synchronous, so one at a time is enough.
 */
export class Language {
  #tag = DEFAULT_LOCALE;
  #catalogue = new Catalogue([]);
  readonly #kept = new Map<string, Catalogue>();

  /** What is filled from now on is in that language. */
  use({ locale, catalogues }: RenderLanguage = { locale: null, catalogues: [] }): void {
    this.#tag = locale ?? DEFAULT_LOCALE;
    const key = catalogues.map((catalogue) => catalogue.key).join(' ');
    let catalogue = this.#kept.get(key);
    if (catalogue === undefined) {
      catalogue = new Catalogue(catalogues.map(({ data }) => JSON.parse(data) as CatalogueData));
      if (this.#kept.size >= MAX_KEPT) this.#kept.delete(this.#kept.keys().next().value ?? '');
      this.#kept.set(key, catalogue);
    }
    this.#catalogue = catalogue;
  }

  get filters(): ReadonlyMap<string, Callable> {
    return languageFilters(() => this.#tag);
  }

  /** As Jinja2's extension has it by default, and as Flask-Babel sets it up. */
  i18n(dialect: 'jinja2' | 'flask'): I18nOptions {
    return {
      newstyle: dialect === 'flask',
      translations: {
        gettext: (message) => this.#catalogue.translate(null, message),
        ngettext: (one, several, count) => this.#catalogue.translatePlural(null, one, several, count),
        pgettext: (context, message) => this.#catalogue.translate(context, message),
        npgettext: (context, one, several, count) =>
          this.#catalogue.translatePlural(context, one, several, count),
      },
    };
  }
}
