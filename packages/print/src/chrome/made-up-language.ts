/** The language entry that Chromium derives from the locale it is started with. */
const PLACEHOLDER_LANGUAGE = '/Lang (en-US@posix)';

/**
 * Takes the language out of a document that has none: Chromium writes its own. Written in place, in as many bytes as there
 * were, so that the cross-reference table stays true.
 */
export function removePlaceholderLanguage(pdf: Buffer): void {
  for (let at = pdf.indexOf(PLACEHOLDER_LANGUAGE); at !== -1; at = pdf.indexOf(PLACEHOLDER_LANGUAGE, at + 1))
    pdf.write(' '.repeat(PLACEHOLDER_LANGUAGE.length), at, 'latin1');
}
