/** Stands where an image cannot be had: it takes no room of its own, and keeps that which the document gives it. */
export const BLANK_IMAGE = {
  contentType: 'image/svg+xml',
  bytes: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0"/>'),
};

/**
 * The same as an address, for what both engines draw. It is two pixels wide: WebKit gives a drawing without extent
 * 300 by 150 of them.
 */
export const BLANK_ADDRESS = `data:image/svg+xml;base64,${Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="2" height="1" preserveAspectRatio="none"/>',
).toString('base64')}`;

/** Whether a document may do something about an image that cannot be had: then it has to hear of it. */
export function hearsOfErrors(html: string): boolean {
  return /onerror|["'`]error["'`]/i.test(html);
}
