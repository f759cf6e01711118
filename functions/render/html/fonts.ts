import { type OwnFont, fontFaceRules, namesFamily } from '@platen/print/fonts/faces';
import type { HtmlResource } from '@platen/print/print';
import { readFonts, type TenantFont } from '../../shared/tenant-fonts.ts';
import { type DrawingTexts, withDrawingFonts } from './drawings.ts';

/**
 * The fonts of a tenant in one document (I-40): rules of a style sheet, and files on the document's own origin, of those
 * families alone that it names. They are part of the document, so no engine knows of them before or after it.
 */

/** What a document needs to be set in its fonts. */
interface UsedFonts {
  /** To stand before all other styles; also those of headers and footers, which are measured in the document. */
  styles: string[];
  /** Those of headers and footers alone: rules of a style sheet, `''` for none. */
  furniture: string;
  resources: ReadonlyMap<string, HtmlResource>;
}

/** What using them needs. */
interface UsingFonts {
  /** Address under which the engine finds a resource of the document. */
  resourceUrl: (path: string) => string;
  warn: (text: string) => void;
}

/**
 * @param body texts of the document and its style sheets
 * @param furniture texts of headers and footers
 */
async function usedFonts(
  { body, furniture }: Record<'body' | 'furniture', readonly string[]>,
  fonts: readonly TenantFont[],
  { resourceUrl, warn }: UsingFonts,
): Promise<UsedFonts> {
  const namedIn = (texts: readonly string[], among: readonly TenantFont[]): TenantFont[] => {
    const searched = among.length === 0 ? [] : texts.map((text) => text.toLowerCase());
    return among.filter(({ faces }) => namesFamily(searched, faces));
  };
  const rules = (named: readonly TenantFont[]): string =>
    fontFaceRules(named.map(({ faces, path }): OwnFont => ({ faces, address: resourceUrl(path) })));
  const read = await readFonts(namedIn([...body, ...furniture], fonts), warn);
  const named = read.map(({ font }) => font);
  const resources = new Map<string, HtmlResource>(
    read.map(({ font: { path, contentType }, bytes }) => [path, { contentType, bytes }]),
  );
  return {
    styles: named.length === 0 ? [] : [rules(named)],
    furniture: rules(namedIn(furniture, named)),
    resources,
  };
}

/** A document that is set in the fonts of a tenant: what of it becomes another, and what it needs. */
type InFonts = DrawingTexts & {
  /** See `SheetOptions.furnitureFonts`. */
  furnitureFonts: string;
  resources: ReadonlyMap<string, HtmlResource>;
};

/**
 * Sets a filled document in those fonts of a tenant that it names, and the drawings within it.
 *
 * @throws PlatenError as `withDrawingFonts`
 */
export async function inFonts(
  texts: DrawingTexts,
  fonts: readonly TenantFont[],
  using: Parameters<typeof withDrawingFonts>[2],
): Promise<InFonts> {
  const drawn = await withDrawingFonts(texts, fonts, using);
  const body = [drawn.html, ...drawn.styles];
  const own = await usedFonts({ body, furniture: furnitureOf(drawn) }, fonts, using);
  return {
    ...drawn,
    styles: [...own.styles, ...drawn.styles],
    furnitureFonts: own.furniture,
    resources: new Map([...drawn.resources, ...own.resources]),
  };
}

/** The texts of headers and footers. */
export function furnitureOf({ header, footer }: Pick<DrawingTexts, 'header' | 'footer'>): string[] {
  return [header, footer].flatMap((texts) => texts?.map(({ text }) => text) ?? []);
}
