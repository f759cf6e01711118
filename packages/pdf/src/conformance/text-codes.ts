const [OPEN, CLOSE, BACKSLASH, LESS, GREATER] = [0x28, 0x29, 0x5c, 0x3c, 0x3e];

/**
 * The character codes in the operands of an operator that shows text (ISO 32000-1, 9.4.3).
 *
 * @param width bytes of a code
 * @param found is called with each code
 * @param ended is called at the end of each string
 */
export function readCodes(
  bytes: Buffer,
  start: number,
  end: number,
  width: 1 | 2,
  found: (code: number) => void,
  ended?: () => void,
): void {
  // A code does not continue in the next string.
  for (let at = start; at < end; at++) {
    const byte = bytes[at];
    if (byte === LESS) at = hexString(bytes, at + 1, end, 2 * width, found);
    else if (byte === OPEN) at = literalString(bytes, at + 1, end, width, found);
    else continue;
    ended?.();
  }
}

/**
 * @param width digits of a code
 * @returns the position of the closing bracket
 */
function hexString(
  bytes: Buffer,
  start: number,
  end: number,
  width: number,
  found: (code: number) => void,
): number {
  let [code, have] = [0, 0];
  let at = start;
  for (; at < end; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === GREATER) break;
    const digit = HEX[byte] ?? -1;
    if (digit === -1) continue;
    code = (code << 4) | digit;
    if (++have < width) continue;
    found(code);
    code = have = 0;
  }
  // A missing digit is zero (ISO 32000-1, 7.3.4.3).
  if (have === width - 1) found(code << 4);
  return at;
}

/** Hexadecimal digits by byte; -1 for other bytes. */
const HEX = new Int8Array(256).fill(-1);
for (const [value, digit] of [...'0123456789abcdef'].entries())
  HEX[digit.charCodeAt(0)] = HEX[digit.toUpperCase().charCodeAt(0)] = value;

function literalString(
  bytes: Buffer,
  start: number,
  end: number,
  width: number,
  found: (code: number) => void,
): number {
  let [code, have] = [0, 0];
  const take = (byte: number): void => {
    code = (code << 8) | byte;
    if (++have < width) return;
    found(code);
    code = have = 0;
  };
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
