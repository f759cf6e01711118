import { onAllPages, showsTitle } from '../by-page.ts';
import type { PrintOptions } from '../print.ts';
import { leadsInside, targetsScript } from './furniture-links.ts';
import type { Gate } from './gate.ts';
import type { ChromePage } from './page.ts';

/**
 * Returns the options with headers and footers as a separate document (furniture-by-page.ts) where Chromium's own would be
 * wrong: it does not wait for their fonts, and fails with large ones; it leaves out their links to elements of the
 * document; and they were written before scripts of the document changed its title.
 *
 * @param page a loaded document, which is prepared for such links
 */
export async function withFurnitureApart(
  page: ChromePage,
  { facts }: Gate,
  options: PrintOptions,
): Promise<PrintOptions> {
  const { header, footer, byPage, furnitureFonts } = options;
  const bringsFonts =
    furnitureFonts !== '' || [header, footer].some((html) => /@font-face/i.test(html ?? ''));
  const title = facts.hasScripts && showsTitle(options) ? await newTitle(page, facts.title) : null;
  const isApart = byPage !== null || bringsFonts || title !== null || leadsInside(options);
  const apart = isApart ? (byPage ?? onAllPages(options)) : null;
  if (apart === null) return options;
  const given = { ...options, header: null, footer: null, byPage: { ...apart, title } };
  if (leadsInside(given)) await page.evaluate(targetsScript(given));
  return given;
}

/** Returns the title of the loaded document; null if it has none, or the one that it had before. */
async function newTitle(page: ChromePage, before: string): Promise<string | null> {
  const title = String(await page.evaluate('return document.title')).replaceAll('\u00ad', '');
  return title === '' || title === before.replace(/\s+/g, ' ').trim() ? null : title;
}
