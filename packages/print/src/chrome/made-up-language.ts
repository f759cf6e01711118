/**
 * The language that Chromium is started with: a language tag (BCP 47) that no document has by chance. Scripts see it
 * without its private part.
 */
export const BROWSER_LANGUAGE = 'en-US-x-none';

/** Statements that run before the scripts of a document. */
export const SCRIPT_LANGUAGE = `Object.defineProperties(Navigator.prototype, {
  language: { get: () => 'en-US', configurable: true, enumerable: true },
  languages: { get: () => Object.freeze(['en-US']), configurable: true, enumerable: true },
});`;

/** The language entry that Chromium writes for a document without a language. */
const PLACEHOLDER_LANGUAGE = `/Lang (${BROWSER_LANGUAGE})`;

/**
 * Removes the language from a document that has none: Chromium writes its own. It is replaced in place by as many
 * bytes, so that the cross-reference table stays valid.
 */
export function removePlaceholderLanguage(pdf: Buffer): void {
  for (let at = pdf.indexOf(PLACEHOLDER_LANGUAGE); at !== -1; at = pdf.indexOf(PLACEHOLDER_LANGUAGE, at + 1))
    pdf.write(' '.repeat(PLACEHOLDER_LANGUAGE.length), at, 'latin1');
}
