/** The language entry that Chromium derives from the locale it is started with. */
const MADE_UP = '/Lang (en-US@posix)';

/**
 * Takes the language out of a document that has none: Chromium writes its own. Written in place, in as many bytes as there
 * were, so that the cross-reference table stays true.
 */
export function removeMadeUpLanguage(pdf: Buffer): void {
  for (let at = pdf.indexOf(MADE_UP); at !== -1; at = pdf.indexOf(MADE_UP, at + 1))
    pdf.write(' '.repeat(MADE_UP.length), at, 'latin1');
}
