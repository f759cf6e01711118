import type { Protocol } from 'devtools-protocol';
import type { Send } from './connection.ts';

/**
 * Returns the fonts that the text of elements is drawn with.
 *
 * @param lists expression of an array of arrays of elements
 * @returns the fonts of the elements of each array
 */
export async function platformFonts(send: Send, lists: string): Promise<Protocol.CSS.PlatformFontUsage[][]> {
  await Promise.all([send('DOM.enable'), send('CSS.enable')]);
  try {
    await send('DOM.getDocument', { depth: 0 });
    const { result } = await send('Runtime.evaluate', { expression: lists });
    const found: Protocol.CSS.PlatformFontUsage[][] = [];
    for (const list of await members(send, result.objectId)) {
      const used: Protocol.CSS.PlatformFontUsage[] = [];
      for (const objectId of await members(send, list)) {
        const { nodeId } = await send('DOM.requestNode', { objectId });
        if (nodeId !== 0) used.push(...(await send('CSS.getPlatformFontsForNode', { nodeId })).fonts);
      }
      found.push(used);
    }
    return found;
  } finally {
    await Promise.all([send('CSS.disable'), send('DOM.disable')]);
  }
}

/** Ids of the objects in an array. */
async function members(send: Send, objectId: string | undefined): Promise<string[]> {
  if (objectId === undefined) return [];
  const { result } = await send('Runtime.getProperties', { objectId, ownProperties: true });
  const indexed = result.filter(({ name }) => /^\d+$/.test(name));
  return indexed.flatMap(({ value }) => (value?.objectId === undefined ? [] : [value.objectId]));
}
