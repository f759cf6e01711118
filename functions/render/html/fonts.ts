import { type OwnFont, fontFaceRules, namesFamily } from '@platen/print/fonts/faces';
import type { HtmlResource } from '@platen/print/print';
import type { TenantFont } from '../template.ts';
import type { FilledHtml } from './render.ts';

/**
 * The fonts of a tenant in one document (I-40): rules of a style sheet, and files on the document's own origin, of those
 * families alone that it names. They are part of the document, so no engine knows of them before or after it.
 */

/** A filled document with what it needs to be set in its fonts. */
export interface WithFonts extends FilledHtml {
  /** Before all other styles. */
  fontStyles: string[];
  fontResources: ReadonlyMap<string, HtmlResource>;
}

/** @param resourceUrl address under which the engine finds a resource of the document */
export async function withFonts(
  filled: FilledHtml,
  styles: readonly string[],
  fonts: readonly TenantFont[],
  resourceUrl: (path: string) => string,
): Promise<WithFonts> {
  const lower = (texts: readonly (string | null)[]): string[] =>
    texts.flatMap((text) => (text === null ? [] : [text.toLowerCase()]));
  const resources = new Map<string, HtmlResource>();
  const rulesFor = async (texts: readonly (string | null)[]): Promise<string> => {
    const searched = lower(texts);
    const own: OwnFont[] = [];
    for (const { path, contentType, faces, bytes } of fonts.filter((font) =>
      namesFamily(searched, font.faces),
    )) {
      resources.set(path, { contentType, bytes: await bytes() });
      own.push({ faces, address: resourceUrl(path) });
    }
    return fontFaceRules(own);
  };
  // Header and footer are documents of their own.
  const furniture = async (html: string | null): Promise<string | null> => {
    if (html === null || fonts.length === 0) return html;
    const rules = await rulesFor([html]);
    return rules === '' ? html : `<style>${rules}</style>${html}`;
  };
  const rules = fonts.length === 0 ? '' : await rulesFor([filled.html, ...styles]);
  return {
    html: filled.html,
    header: await furniture(filled.header),
    footer: await furniture(filled.footer),
    fontStyles: rules === '' ? [] : [rules],
    fontResources: resources,
  };
}
