import type { HtmlResource } from '@platen/print';
import type { TemplateImage } from '../template.ts';

/** Inserts the images of a template into its filled html: each is a variable whose value is an address (I-11). */

/** Address of each image, by the name of its variable. */
export type ImageAddresses = Readonly<Record<string, string>>;

/** Returns addresses that the printing engine resolves, for a document that is printed at once. */
export function engineAddresses(
  images: ReadonlyMap<string, TemplateImage>,
  resourceUrl: (path: string) => string,
): ImageAddresses {
  return Object.fromEntries([...images.keys()].map((uri) => [uri, resourceUrl(resourcePath(uri))]));
}

/** Returns `data:` addresses, for a document that has to stand alone. */
export async function dataAddresses(images: ReadonlyMap<string, TemplateImage>): Promise<ImageAddresses> {
  const entries = [...images].map(async ([uri, image]) => {
    const base64 = Buffer.from(await image.bytes()).toString('base64');
    return [uri, `data:${image.contentType};base64,${base64}`] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** Returns the bytes of the images whose address occurs in one of the texts, by the path that the engine requests. */
export async function usedImages(
  images: ReadonlyMap<string, TemplateImage>,
  addresses: ImageAddresses,
  texts: readonly (string | null)[],
): Promise<ReadonlyMap<string, HtmlResource>> {
  const used = [...images].filter(([uri]) => {
    const address = addresses[uri];
    return address !== undefined && texts.some((text) => text?.includes(address));
  });
  const read = used.map(async ([uri, image]) => {
    return [resourcePath(uri), { contentType: image.contentType, bytes: await image.bytes() }] as const;
  });
  return new Map(await Promise.all(read));
}

function resourcePath(uri: string): string {
  return `images/${uri}`;
}
