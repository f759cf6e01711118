import { Catalogue, type CatalogueData, DEFAULT_LOCALE } from '@platen/locale';
import type { Callable, I18nOptions } from '@platen/jinja';
import type { RenderLanguage } from '../protocol.ts';
import { languageFilters } from './filters.ts';

/** Maximum parsed catalogues in memory, by key. */
const MAX_KEPT = 32;

/**
 * The language of the current filling. Compiled templates serve every language: filters and translations ask
 * this object for the language when they are called. Filling is synchronous, so one current language is
 * enough.
 */
export class Language {
  #tag = DEFAULT_LOCALE;
  #catalogue = new Catalogue([]);
  readonly #kept = new Map<string, Catalogue>();

  /** Sets the language of the following fillings. */
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

  /** Returns the options of Jinja2's extension by default, or those that Flask-Babel sets. */
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
