import { type OwnFont, fontFaceRules, namesFamily } from '@platen/print/fonts/faces';
import type { HtmlResource } from '@platen/print/print';
import type { TenantFont } from '../template.ts';

/**
 * The fonts of a tenant in one document (I-40): rules of a style sheet, and files on the document's own origin, of those
 * families alone that it names. They are part of the document, so no engine knows of them before or after it.
 */

/** What a document needs to be set in its fonts. */
export interface UsedFonts {
  /** To stand before all other styles. */
  styles: string[];
  resources: ReadonlyMap<string, HtmlResource>;
}

/**
 * @param texts of the document and its style sheets
 * @param resourceUrl address under which the engine finds a resource of the document
 */
export async function usedFonts(
  texts: readonly string[],
  fonts: readonly TenantFont[],
  resourceUrl: (path: string) => string,
): Promise<UsedFonts> {
  const searched = fonts.length === 0 ? [] : texts.map((text) => text.toLowerCase());
  const resources = new Map<string, HtmlResource>();
  const own: OwnFont[] = [];
  for (const { path, contentType, faces, bytes } of fonts.filter((font) =>
    namesFamily(searched, font.faces),
  )) {
    resources.set(path, { contentType, bytes: await bytes() });
    own.push({ faces, address: resourceUrl(path) });
  }
  return { styles: own.length === 0 ? [] : [fontFaceRules(own)], resources };
}
