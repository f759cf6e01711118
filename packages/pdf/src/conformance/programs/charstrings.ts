/**
 * The width in the charstring of a glyph (Adobe Technical Note 5177, 3.1; Adobe Type 1 Font Format, chapter 6).
 */

/** The subroutines that a glyph may call, by their numbers. */
export interface Subroutines {
  local: (number: number) => Uint8Array | undefined;
  global: (number: number) => Uint8Array | undefined;
}

/** Maximum number of operations before the first one that ends the width. */
const MAX_STEPS = 1000;
const MAX_LEVELS = 10;

/**
 * The width before the first operator of a CFF glyph, as the difference from the nominal width.
 *
 * @returns null if there is none, undefined if it is unknown
 */
export function charstringWidth(
  glyph: Uint8Array,
  { local, global }: Subroutines,
): number | null | undefined {
  const stack: number[] = [];
  const frames = [{ bytes: glyph, at: 0 }];
  for (let step = 0; step < MAX_STEPS; step++) {
    const frame = frames.at(-1);
    if (frame === undefined || frame.at >= frame.bytes.length) return undefined;
    const byte = frame.bytes[frame.at] ?? 0;
    if (byte === 28 || byte >= 32) {
      const [value, length] = numberAt(frame.bytes, frame.at);
      stack.push(value);
      frame.at += length;
      continue;
    }
    frame.at++;
    if (byte === CALL || byte === CALL_GLOBAL) {
      const called = (byte === CALL ? local : global)(stack.pop() ?? 0);
      if (called === undefined || frames.length > MAX_LEVELS) return undefined;
      frames.push({ bytes: called, at: 0 });
    } else if (byte === RETURN) frames.pop();
    else {
      const hasWidth = HAS_WIDTH[byte];
      if (hasWidth === undefined) return undefined;
      return hasWidth(stack.length) ? (stack[0] ?? null) : null;
    }
  }
  return undefined;
}

const [CALL, RETURN, CALL_GLOBAL] = [10, 11, 29];

const isOdd = (operands: number): boolean => operands % 2 === 1;
const isBeyond =
  (most: number) =>
  (operands: number): boolean =>
    operands > most;

/** For operators that clear the stack: whether a given number of operands includes the width. */
const HAS_WIDTH: Readonly<Record<number, (operands: number) => boolean>> = {
  // Hints and hint masks.
  1: isOdd,
  3: isOdd,
  18: isOdd,
  23: isOdd,
  19: isOdd,
  20: isOdd,
  // Moves.
  4: isBeyond(1),
  21: isBeyond(2),
  22: isBeyond(1),
  // `endchar`, which may name two glyphs that it combines.
  14: isOdd,
};

/** A number of a CFF charstring, and its length in bytes. */
function numberAt(bytes: Uint8Array, at: number): [number, number] {
  const byte = bytes[at] ?? 0;
  const next = (index: number): number => bytes[at + index] ?? 0;
  if (byte === 28) return [((next(1) << 24) | (next(2) << 16)) >> 16, 3];
  if (byte === 255) return [((next(1) << 24) | (next(2) << 16) | (next(3) << 8) | next(4)) / 65536, 5];
  return smallNumber(byte, next(1));
}

function smallNumber(byte: number, next: number): [number, number] {
  if (byte <= 246) return [byte - 139, 1];
  return byte <= 250 ? [(byte - 247) * 256 + next + 108, 2] : [-(byte - 251) * 256 - next - 108, 2];
}

const [ESCAPE, HSBW, SBW, DIV] = [12, 13, 7, 12];

/** The width at the start of a Type 1 glyph; undefined if it is unknown. */
export function type1Width(bytes: Uint8Array): number | undefined {
  const stack: number[] = [];
  for (let at = 0; at < bytes.length;) {
    const byte = bytes[at] ?? 0;
    if (byte === 255) {
      const [a = 0, b = 0, c = 0, d = 0] = bytes.subarray(at + 1, at + 5);
      stack.push((a << 24) | (b << 16) | (c << 8) | d);
      at += 5;
    } else if (byte >= 32) {
      const [value, length] = smallNumber(byte, bytes[at + 1] ?? 0);
      stack.push(value);
      at += length;
    } else if (byte === HSBW) return stack[1];
    else if (byte === ESCAPE && bytes[at + 1] === SBW) return stack[2];
    else if (byte === ESCAPE && bytes[at + 1] === DIV) {
      const [divisor, value] = [stack.pop() ?? 1, stack.pop() ?? 0];
      stack.push(value / divisor);
      at += 2;
    } else return undefined;
  }
  return undefined;
}
