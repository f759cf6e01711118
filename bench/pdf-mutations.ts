/** Damages PDFs, in the same way for the same seed. */

/** Generates numbers from 0 to 1, the same ones for the same seed (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Changes bytes, removes pieces, duplicates pieces, and truncates the file. */
export function mutate(original: Buffer, random: () => number): Buffer {
  let bytes = Buffer.from(original);
  const place = (): number => Math.floor(random() * bytes.length);
  for (let times = 1 + Math.floor(random() * 8); times > 0; times--) {
    const at = place();
    const length = Math.floor(random() * 64);
    const kind = Math.floor(random() * 5);
    if (kind === 0) bytes[at] = Math.floor(random() * 256);
    else if (kind === 1) bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]);
    else if (kind === 2)
      bytes = Buffer.concat([
        bytes.subarray(0, at),
        bytes.subarray(place(), place() + length),
        bytes.subarray(at),
      ]);
    else if (kind === 3) bytes = bytes.subarray(0, Math.max(100, at));
    else {
      // Digits are changed because offsets, lengths and counts consist of them.
      const digit = bytes.subarray(at).findIndex((byte) => byte >= 0x30 && byte <= 0x39);
      if (digit !== -1) bytes[at + digit] = 0x30 + Math.floor(random() * 10);
    }
  }
  return bytes;
}
