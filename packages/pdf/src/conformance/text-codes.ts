const [OPEN, CLOSE, BACKSLASH, LESS, GREATER] = [0x28, 0x29, 0x5c, 0x3c, 0x3e];

/**
 * The character codes in the operands of an operator that shows text (ISO 32000-1, 9.4.3).
 *
 * @param width bytes of a code
 * @param found is called with each of them
 */
export function readCodes(
  bytes: Buffer,
  start: number,
  end: number,
  width: 1 | 2,
  found: (code: number) => void,
): void {
  let [code, have] = [0, 0];
  const take = (byte: number): void => {
    code = (code << 8) | byte;
    if (++have < width) return;
    found(code);
    code = have = 0;
  };
  for (let at = start; at < end; at++) {
    const byte = bytes[at];
    if (byte === LESS) at = hexString(bytes, at + 1, end, take);
    else if (byte === OPEN) at = literalString(bytes, at + 1, end, take);
    else continue;
    // A code does not go on in the next string.
    code = have = 0;
  }
}

/** @returns where it is closed */
function hexString(bytes: Buffer, start: number, end: number, take: (byte: number) => void): number {
  let half = -1;
  let at = start;
  for (; at < end && bytes[at] !== GREATER; at++) {
    const digit = hexDigit(bytes[at] ?? 0);
    if (digit === -1) continue;
    if (half === -1) half = digit;
    else {
      take((half << 4) | digit);
      half = -1;
    }
  }
  if (half !== -1) take(half << 4);
  return at;
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

function literalString(bytes: Buffer, start: number, end: number, take: (byte: number) => void): number {
  let depth = 1;
  let at = start;
  for (; at < end; at++) {
    let byte = bytes[at] ?? 0;
    if (byte === BACKSLASH) {
      byte = bytes[++at] ?? 0;
      const digit = byte - 0x30;
      if (digit >= 0 && digit < 8) {
        let value = digit;
        for (let more = 0; more < 2 && isOctal(bytes[at + 1]); more++)
          value = value * 8 + (bytes[++at] ?? 0) - 0x30;
        take(value & 0xff);
        continue;
      }
      if (byte === 13 && bytes[at + 1] === 10) at++;
      if (byte === 13 || byte === 10) continue;
      const place = 'nrtbf'.indexOf(String.fromCharCode(byte));
      take(place === -1 ? byte : '\n\r\t\b\f'.charCodeAt(place));
      continue;
    }
    if (byte === OPEN) depth++;
    if (byte === CLOSE && --depth === 0) break;
    take(byte);
  }
  return at;
}

function isOctal(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte < 0x38;
}
