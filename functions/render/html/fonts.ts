import { type OwnFont, fontFaceRules, namesFamily } from '@platen/print/fonts';
import type { HtmlResource } from '@platen/print';
import { readFonts, type TenantFont } from '../../shared/tenant-fonts.ts';
import { type DrawingTexts, withDrawingFonts } from './drawings.ts';

/**
 * The fonts of a tenant in one document (I-40): style rules and files on the document's own origin, only for the
 * families that it names. They are part of the document, so the engine does not know them before or after it.
 */

/** The styles and files that set a document in its fonts. */
interface UsedFonts {
  /**
   * Style sheets that precede all others; they include the fonts of headers and footers, which are measured
   * in the document.
   */
  styles: string[];
  /** The rules for headers and footers alone; `''` for none. */
  furniture: string;
  resources: ReadonlyMap<string, HtmlResource>;
}

/** The inputs for choosing the fonts of a document. */
interface UsingFonts {
  /** Returns the address under which the engine finds a resource of the document. */
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

/** A document that uses fonts of a tenant: its changed texts, and the resources it needs. */
type WithTenantFonts = DrawingTexts & {
  /** See `SheetOptions.furnitureFonts`. */
  furnitureFonts: string;
  resources: ReadonlyMap<string, HtmlResource>;
};

/**
 * Adds the tenant's fonts that a filled document names, and embeds them in its drawings.
 *
 * @throws PlatenError as `withDrawingFonts`
 */
export async function withTenantFonts(
  texts: DrawingTexts,
  fonts: readonly TenantFont[],
  using: Parameters<typeof withDrawingFonts>[2],
): Promise<WithTenantFonts> {
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

/** Returns the texts of headers and footers. */
export function furnitureOf({ header, footer }: Pick<DrawingTexts, 'header' | 'footer'>): string[] {
  return [header, footer].flatMap((texts) => texts?.map(({ text }) => text) ?? []);
}
