import * as z from 'zod';
import {
  type FontFindings,
  layoutSchema,
  type LayoutFindings,
  type Observer,
  type ResourceFinding,
} from '../observer.ts';
import type { PrintOptions } from '../print.ts';
import { destinationPages } from './destinations.ts';
import { FONT_FAMILIES } from './fonts.ts';
import { layoutScript } from './layout-script.ts';
import type { ChromePage } from './page.ts';

/** Inspects a loaded document for a report (I-54). */

const mark = z.string().nullable();

/** The result of the script, with marks instead of pages. */
const markedSchema = z
  .object({
    overflow: z.array(layoutSchema.shape.overflow.element.extend({ page: mark })),
    images: z.array(layoutSchema.shape.images.element.extend({ page: mark })),
    missingGlyphs: z.array(layoutSchema.shape.missingGlyphs.element.extend({ page: mark })),
    broken: z.array(z.string()),
  })
  // A document may have changed the objects that the script uses.
  .catch({ overflow: [], images: [], missingGlyphs: [], broken: [] });

/**
 * Inspects the layout of a page's document.
 *
 * @param isDrawing returns whether a vector drawing was loaded from a URL, which has no pixels
 * @returns a function to call with the printed document: it reports the findings and their pages to the observer
 */
export async function observeLayout(
  page: ChromePage,
  { scale }: Pick<PrintOptions, 'scale'>,
  observer: Observer,
  isDrawing: (address: string) => boolean,
): Promise<(pdf: Uint8Array) => Promise<void>> {
  const fonts = await fontsOf(page);
  const marked = markedSchema.parse(await page.evaluate(layoutScript(scale, observer.lacking)));
  for (const address of marked.broken) observer.resource(brokenImage(address));
  return async (pdf) => {
    const pages = await destinationPages(pdf);
    const paged = <T extends { page: string | null }>(
      findings: readonly T[],
    ): (Omit<T, 'page'> & { page: number | null })[] =>
      findings.map(({ page: place, ...finding }) => ({ ...finding, page: pages.get(place ?? '') ?? null }));
    const layout: LayoutFindings = {
      overflow: paged(marked.overflow),
      images: paged(marked.images.filter(({ source }) => !isDrawing(source))),
      missingGlyphs: paged(marked.missingGlyphs),
    };
    observer.layout(layout, fonts);
  };
}

/** Maximum number of reported characters of a URL that contains an image. */
const MAX_ADDRESS = 100;

function brokenImage(address: string): ResourceFinding {
  const shown = address.length > MAX_ADDRESS ? `${address.slice(0, MAX_ADDRESS)}…` : address;
  return { address: shown, status: null, bytes: null, error: 'It holds no image that can be shown.' };
}

const stacksSchema = z.array(z.object({ families: z.array(z.string()), own: z.array(z.string()) })).catch([]);

/** Maximum number of font stacks that are read, and of elements of each. */
const MAX_STACKS = 40;
const MAX_ELEMENTS = 4;

/** Stores elements by font stack in `window[STACKS]`, and returns the stacks. */
const STACKS = '__platenStacks';
const STACKS_SCRIPT = `
  const own = [...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family.replace(/^["']|["']$/g, ''));
  const stacks = new Map();
  const texts = document.createTreeWalker(document.body ?? document.documentElement, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    if (texts.currentNode.data.trim() === '' || element.getClientRects().length === 0) continue;
    const { fontFamily } = getComputedStyle(element);
    // What browsers give the controls of forms by themselves, nobody asked for.
    if (fontFamily === 'Arial' && element.closest('button,input,select,textarea') !== null) continue;
    const elements = stacks.get(fontFamily) ?? [];
    if (elements.length === 0 && stacks.size >= ${MAX_STACKS}) continue;
    stacks.set(fontFamily, elements);
    if (elements.length < ${MAX_ELEMENTS} && elements.at(-1) !== element) elements.push(element);
  }
  window.${STACKS} = [...stacks.values()];
  return [...stacks.keys()].map((families) => ({
    families: (families.match(/"[^"]*"|'[^']*'|[^,]+/g) ?? []).map((name) => name.trim().replace(/^["']|["']$/g, '')),
    own,
  }));`;

/** Generic families, for which each engine selects a font. */
const GENERIC =
  /^(?:serif|sans-serif|monospace|cursive|fantasy|system-ui|ui-[a-z-]+|math|emoji|fangsong|-apple-system|BlinkMacSystemFont)$/i;

async function fontsOf(page: ChromePage): Promise<FontFindings> {
  const stacks = stacksSchema.parse(await page.evaluate(STACKS_SCRIPT));
  const used = new Map<string, number>();
  const requested = new Set<string>();
  const substituted = new Map<string, string | null>();
  const platform = await page.platformFonts(`window.${STACKS}`);
  for (const [index, { families, own }] of stacks.entries()) {
    const glyphs = new Map<string, number>();
    let hasOwn = false;
    for (const { familyName, glyphCount, isCustomFont } of platform[index] ?? []) {
      glyphs.set(familyName, (glyphs.get(familyName) ?? 0) + glyphCount);
      hasOwn ||= isCustomFont;
    }
    for (const [family, count] of glyphs) used.set(family, (used.get(family) ?? 0) + count);
    const named = families.filter((family) => !GENERIC.test(family));
    for (const family of named) requested.add(family);
    const [first] = named;
    if (first === undefined || GENERIC.test(families[0] ?? '') || glyphs.size === 0) continue;
    // The font of text for which no family is set.
    if (first === FONT_FAMILIES.fontFamilies.standard) continue;
    const isThere = [...glyphs.keys()].some((family) => family.toLowerCase() === first.toLowerCase());
    if (isThere || (hasOwn && own.includes(first))) continue;
    const [most] = [...glyphs].sort(([, a], [, b]) => b - a);
    substituted.set(first, most?.[0] ?? null);
  }
  return {
    requested: [...requested],
    used: [...used].sort(([, a], [, b]) => b - a).map(([family]) => family),
    substituted: [...substituted].map(([family, instead]) => ({ requested: family, used: instead })),
  };
}
