/** Writes the frame of a TIFF file of one page with unsigned samples of 16 bits. */

/** The data follows the header. */
export const DATA_START = 8;
/** The type of all numbers in the directory. */
const LONG = 4;
/** `BitsPerSample`, which has a value for each channel. */
const BITS = 16;

interface ShortLayout {
  width: number;
  height: number;
  /** Channels of a pixel. */
  samples: number;
  photometric: number;
}

/**
 * Returns a file without its data.
 *
 * @param length of the data
 * @param extra the meaning of the channels beyond the colours
 */
export function shortTiff(
  length: number,
  { width, height, samples, photometric }: ShortLayout,
  extra: readonly number[],
): Buffer {
  const same = (value: number): number[] => Array.from({ length: samples }, () => value);
  const entries: readonly [tag: number, values: readonly number[]][] = [
    [0x100, [width]],
    [0x101, [height]],
    [0x102, same(BITS)],
    [0x103, [1]],
    [0x106, [photometric]],
    [0x111, [DATA_START]],
    [0x115, [samples]],
    [0x116, [height]],
    [0x117, [length]],
    [0x11c, [1]],
    ...(extra.length === 0 ? [] : [[0x152, extra] as [number, readonly number[]]]),
  ];
  const start = DATA_START + length;
  const tableEnd = start + 2 + 12 * entries.length + 4;
  const lists = entries.filter(([, values]) => values.length > 1).map(([, values]) => values);
  // All of it at once: such a buffer can be moved out of a thread.
  const file = Buffer.alloc(tableEnd + 4 * lists.flat().length);
  file.write('II*\0', 0, 'latin1');
  file.writeUInt32LE(start, 4);
  file.writeUInt16LE(entries.length, start);
  let list = tableEnd;
  for (const [index, [tag, values]] of entries.entries()) {
    const at = start + 2 + 12 * index;
    file.writeUInt16LE(tag, at);
    file.writeUInt16LE(LONG, at + 2);
    file.writeUInt32LE(values.length, at + 4);
    if (values.length === 1) file.writeUInt32LE(values[0] ?? 0, at + 8);
    else {
      file.writeUInt32LE(list, at + 8);
      for (const value of values) list = file.writeUInt32LE(value, list);
    }
  }
  return file;
}
