import { buildFurniture, type FurnitureInput } from '../../functions/render/page/furniture.ts';
import { joined } from '../../functions/render/page/pieces.ts';
import type { HtmlResource } from '../../functions/render/print.ts';

/** Header and footer with the images given in them, as an engine gets them. */
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
