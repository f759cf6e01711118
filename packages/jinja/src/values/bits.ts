/** The binary digits of a whole number, rounded up to four. */
export function bitLength(value: bigint): number {
  return value === 0n ? 0 : (value < 0n ? -value : value).toString(16).length * 4;
}
