/**
 * Replaces an image that cannot be loaded: it has no size of its own, and keeps the size that the document sets.
 */
export const BLANK_IMAGE = {
  contentType: 'image/svg+xml',
  bytes: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0"/>'),
};

/**
 * The same as a URL, for both engines. It is two pixels wide, because WebKit draws an image without dimensions as
 * 300 by 150.
 */
export const BLANK_ADDRESS = `data:image/svg+xml;base64,${Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="2" height="1" preserveAspectRatio="none"/>',
).toString('base64')}`;

/** Returns whether a document may handle errors of images, so that it must receive them. */
export function handlesImageErrors(html: string): boolean {
  return /onerror|["'`]error["'`]/i.test(html);
}
