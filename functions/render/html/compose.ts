import type { Credentials } from '@platen/print/fetcher';
import { FurnitureFiles, type FurnitureSources, OutsideResources } from '@platen/print/resources';
import {
  type FurnitureByPage,
  namesSections,
  type PageEntry,
  type HtmlDocument,
  type PrintOptions,
} from '@platen/print';
import type { ComposedPart, FurnitureTexts } from '@platen/print/page';
import type { DocumentFaults } from '../faults.ts';
import type { Printing } from '../printing.ts';
import type { RenderSettings } from '../settings.ts';
import type { Filled } from './fill.ts';

/** Composes the input of an engine. */

/** The input of an engine: the document, and the html of its headers and footers. */
export interface ComposedHtml {
  document: HtmlDocument;
  furniture: Pick<PrintOptions, 'header' | 'footer' | 'byPage' | 'furnitureFonts' | 'roomFor'>;
}

/**
 * Composes the input of an engine from a filled document, with its header, footer and their resources.
 *
 * @throws PlatenError as `Preparer.compose`
 */
export async function composed(
  { html, header, footer, title, styles, resources, furnitureFonts, address }: Filled,
  { page, furniture, credentials, language }: RenderSettings,
  printing: Printing,
  { observer }: DocumentFaults,
): Promise<ComposedHtml> {
  const { preparer, today, missing, withoutGlyph, warn, recorder, signal } = printing;
  const whole = await preparer.compose(
    {
      document: { html, styles, title, ...(address === undefined ? { locale: language.locale } : {}) },
      furniture: furniture.enabled
        ? {
            locale: furniture.locale,
            show: { title: furniture.title, date: furniture.date, pageNumber: furniture.pageNumber },
            header,
            footer,
            margins: page.margins,
            scale: page.scale,
            ...(address === undefined ? {} : { url: address }),
            today,
          }
        : null,
    },
    signal,
  );
  withoutGlyph(whole.withoutGlyph);
  if (whole.replacedFamilies !== null) warn(whole.replacedFamilies);
  if (recorder !== null) {
    // Fonts of the document itself may have characters that those of the product lack.
    recorder.withoutGlyph = whole.lacking.length > whole.withoutGlyph.length ? null : whole.withoutGlyph;
    recorder.lacking = whole.lacking;
  }
  const files = furnitureFiles(resources, printing, credentials, (address, why, status) => {
    missing(address, why);
    observer?.failed(address, status);
  });
  const inlined = (parts: readonly ComposedPart[]): Promise<PageEntry[]> =>
    Promise.all(
      parts.map(async ({ pages, pieces }) => ({ pages, html: pieces && (await files.inlined(pieces)) })),
    );
  const [top, bottom] = await Promise.all([inlined(whole.header), inlined(whole.footer)]);
  signal.throwIfAborted();
  const document = {
    html: whole.html,
    asWritten: whole.asWritten,
    facts: whole.facts,
    resources,
    missing,
    warn,
    ...(recorder === null ? {} : { observer: recorder }),
    ...(credentials === undefined ? {} : { credentials }),
    ...(observer === null ? {} : { faults: observer }),
    ...(address === undefined ? {} : { address }),
  };
  const byPage = { header: top, footer: bottom, firstPageNumber: page.firstPageNumber };
  const own = (given: FurnitureTexts, entries: readonly PageEntry[]): string[] =>
    given === null ? [] : entries.flatMap(({ html }) => html ?? []);
  const kept = (['top', 'bottom'] as const).filter((edge) => !furniture.growing[edge]);
  const roomFor = { top: own(header, top), bottom: own(footer, bottom), kept };
  return {
    document,
    furniture: {
      ...(onEveryPage(byPage) ?? { header: null, footer: null, byPage }),
      furnitureFonts,
      roomFor: roomFor.top.length + roomFor.bottom.length === 0 ? null : roomFor,
    },
  };
}

/** Returns a header and footer that engines can repeat on every page; null if they differ by page. */
function onEveryPage(
  byPage: FurnitureByPage,
): (Pick<PrintOptions, 'header' | 'footer'> & { byPage: null }) | null {
  const { header, footer, firstPageNumber } = byPage;
  const entries = [...header, ...footer];
  const isNumbered = entries.some(({ html }) => /pageNumber|totalPages/.test(html ?? ''));
  const isSame = entries.every(({ pages }) => pages === 'default');
  if (!isSame || namesSections(byPage) || (isNumbered && firstPageNumber !== 1)) return null;
  return { header: header[0]?.html ?? null, footer: footer[0]?.html ?? null, byPage: null };
}

/**
 * Returns the files that headers, footers and stamps name: those of the document, and resources from outside.
 *
 * @param missing called with resources that cannot be loaded
 */
export function furnitureFiles(
  resources: HtmlDocument['resources'],
  { preparer, fetcher, resourceUrl, signal }: Printing,
  credentials: Credentials | undefined,
  missing: FurnitureSources['missing'],
): FurnitureFiles {
  const until = AbortSignal.any([signal, AbortSignal.timeout(preparer.timeout)]);
  return new FurnitureFiles({
    images: new Map(Array.from(resources, ([path, file]) => [resourceUrl(path), file] as const)),
    outside: new OutsideResources(fetcher, until, credentials),
    css: (text, base) => preparer.css(text, base, signal),
    missing,
  });
}
