/** The first picture of a GIF (GIF 89a, sections 18 to 20), which may be smaller than its canvas. */

/** Where a picture stands on its canvas, in pixels, and the room around it. */
export interface GifFrame {
  area: { left: number; top: number; width: number; height: number };
  around: { left: number; top: number; right: number; bottom: number };
}

const EXTENSION = 0x21;
const IMAGE = 0x2c;

/** Returns the first picture if it does not cover the canvas, which is transparent around it; else null. */
export function partialGifFrame(bytes: Uint8Array): GifFrame | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const short = (at: number): number => view.getUint16(at, true);
  const isGif = bytes.length > 13 && view.getUint32(0) === 0x47_49_46_38;
  if (!isGif) return null;
  let at = 13 + coloursIn(bytes[10] ?? 0);
  while (bytes[at] === EXTENSION) {
    at += 2;
    // Blocks of data, and an empty one at their end.
    while ((bytes[at] ?? 0) !== 0) at += 1 + (bytes[at] ?? 0);
    at += 1;
  }
  if (bytes[at] !== IMAGE || at + 9 > bytes.length) return null;
  const [left, top, width, height] = [short(at + 1), short(at + 3), short(at + 5), short(at + 7)];
  const [right, bottom] = [short(6) - left - width, short(8) - top - height];
  const isPart = Math.max(left, top, right, bottom) > 0 && Math.min(right, bottom) >= 0 && width * height > 0;
  return isPart ? { area: { left, top, width, height }, around: { left, top, right, bottom } } : null;
}

/** Bytes of a table of colours, by the flags of its header. */
function coloursIn(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1);
}
