import { printedParts } from './printed-parts.ts';

/** Fonts embedded in a document: by the usual folders, or by their endings. */
const FONTS = /^(?:word\/fonts|ppt\/fonts|Fonts)\/|\.(?:odttf|fntdata)$/;

/**
 * Returns the XML that contains an office document's printed text.
 *
 * @returns null for a document with embedded fonts, which may contain any character
 */
export async function printedText(document: Uint8Array): Promise<string[] | null> {
  const { parts, paths } = await printedParts(document);
  return paths.some((path) => FONTS.test(path)) ? null : parts;
}
