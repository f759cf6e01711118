/** Filters and translations that follow the language of a rendering. */
export { languageFilters } from './filters.ts';
export { Language } from './language.ts';
export { registerFilters } from './liquid.ts';
