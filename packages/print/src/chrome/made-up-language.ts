/** The language entry that Chromium derives from the locale it is started with. */
const PLACEHOLDER_LANGUAGE = '/Lang (en-US@posix)';

/**
 * Removes the language from a document that has none: Chromium writes its own. It is replaced in place by as many
 * bytes, so that the cross-reference table stays valid.
 */
export function removePlaceholderLanguage(pdf: Buffer): void {
  for (let at = pdf.indexOf(PLACEHOLDER_LANGUAGE); at !== -1; at = pdf.indexOf(PLACEHOLDER_LANGUAGE, at + 1))
    pdf.write(' '.repeat(PLACEHOLDER_LANGUAGE.length), at, 'latin1');
}
