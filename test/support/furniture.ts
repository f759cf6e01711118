import { buildFurniture, type FurnitureInput } from '../../packages/print/src/page/furniture.ts';
import { PLAIN_PAGE } from '../../packages/print/src/print.ts';
import { joined } from '../../packages/print/src/page/pieces.ts';
import type { HtmlResource } from '../../packages/print/src/print.ts';

/** The values of a document's default header and footer. */
export const FURNITURE: FurnitureInput = {
  title: 'The title',
  locale: 'en_US',
  show: { title: true, date: true, pageNumber: true },
  header: null,
  footer: null,
  margins: PLAIN_PAGE.margins,
  scale: 1,
  text: { direction: 'ltr', mayNameFonts: true, bodyMargin: 0 },
  // This time is late in the day: the date is that of UTC, in any time zone of the machine.
  today: new Date('2026-11-21T23:59:00Z'),
};

/** Returns header and footer with the given images, as an engine receives them. */
export function furnitureHtml(
  input: FurnitureInput,
  images: ReadonlyMap<string, HtmlResource> = new Map(),
): { header: string | null; footer: string | null } {
  const { header, footer } = buildFurniture(input);
  const html = (pieces: typeof header): string | null =>
    pieces &&
    joined(pieces, ({ address }) => {
      const image = images.get(address);
      return image === undefined
        ? ''
        : `data:${image.contentType};base64,${Buffer.from(image.bytes).toString('base64')}`;
    });
  return { header: html(header), footer: html(footer) };
}
