/** Compares two versions of a page, pixel by pixel. */

/** Colours whose channels differ by less than this count as equal, because antialiasing varies. */
const SAME = 48;

export interface Difference {
  /** Both pages in one image: unchanged pixels are pale, removed ones red, added ones green. */
  pixels: Uint8ClampedArray<ArrayBuffer>;
  /** Number of different pixels. */
  changed: number;
}

/** @param before and `now` are RGBA of the same width and height */
export function differenceOf(before: Uint8ClampedArray, now: Uint8ClampedArray): Difference {
  const pixels = new Uint8ClampedArray(now.length);
  let changed = 0;
  for (let at = 0; at < now.length; at += 4) {
    const [was, is] = [greyAt(before, at), greyAt(now, at)];
    if (farthest(before, now, at) < SAME) {
      const pale = 255 - (255 - is) * 0.3;
      pixels.set([pale, pale, pale, 255], at);
      continue;
    }
    changed++;
    // A darker pixel was added; a lighter one was removed.
    pixels.set(is <= was ? [18, 132, 74, 255] : [200, 38, 30, 255], at);
  }
  return { pixels, changed };
}

function greyAt(pixels: Uint8ClampedArray, at: number): number {
  return ((pixels[at] ?? 0) * 3 + (pixels[at + 1] ?? 0) * 6 + (pixels[at + 2] ?? 0)) / 10;
}

/** Returns the largest difference of the colour channels. */
function farthest(a: Uint8ClampedArray, b: Uint8ClampedArray, at: number): number {
  let most = 0;
  for (let channel = 0; channel < 3; channel++)
    most = Math.max(most, Math.abs((a[at + channel] ?? 0) - (b[at + channel] ?? 0)));
  return most;
}
