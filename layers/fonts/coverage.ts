import type { Coverage } from '@platen/print/fonts';
import { tableOf } from './sfnt.ts';

/** Reads the character table of a font (OpenType 1.9, "cmap"), which lists the characters with a glyph. */

/**
 * @returns the characters, in the order of the table
 * @throws RangeError, Error if the data is not a font
 */
export function charactersOf(font: Buffer): Set<number> {
  const cmap = tableOf(font, 'cmap');
  const characters = new Set<number>();
  for (let index = 0; index < cmap.readUInt16BE(2); index++) {
    const table = cmap.subarray(cmap.readUInt32BE(4 + 8 * index + 4));
    const format = table.readUInt16BE(0);
    if (format === 4) addSegments(table, characters);
    if (format === 12) addGroups(table, characters);
  }
  return characters;
}

/** Format 4: segment mapping to delta values. */
function addSegments(table: Buffer, characters: Set<number>): void {
  const size = table.readUInt16BE(6);
  const [ends, starts, deltas, offsets] = [14, 16 + size, 16 + 2 * size, 16 + 3 * size] as const;
  for (let at = 0; at < size; at += 2) {
    const [end, start] = [table.readUInt16BE(ends + at), table.readUInt16BE(starts + at)];
    const [delta, offset] = [table.readUInt16BE(deltas + at), table.readUInt16BE(offsets + at)];
    for (let code = start; code <= end && code < 0xffff; code++) {
      const listed = offset === 0 ? code : table.readUInt16BE(offsets + at + offset + 2 * (code - start));
      // Zero in the list means no glyph, regardless of the delta.
      const glyph = offset !== 0 && listed === 0 ? 0 : (listed + delta) & 0xffff;
      if (glyph !== 0) characters.add(code);
    }
  }
}

/** Format 12: segmented coverage. */
function addGroups(table: Buffer, characters: Set<number>): void {
  for (let index = 0; index < table.readUInt32BE(12); index++) {
    const at = 16 + 12 * index;
    const [start, end, glyph] = [
      table.readUInt32BE(at),
      table.readUInt32BE(at + 4),
      table.readUInt32BE(at + 8),
    ];
    for (let code = start; code <= end; code++) if (glyph + code - start !== 0) characters.add(code);
  }
}

/** The same characters as ranges. */
export function rangesOf(characters: ReadonlySet<number>): Coverage {
  const ranges: [number, number][] = [];
  for (const code of [...characters].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === code - 1) last[1] = code;
    else ranges.push([code, code]);
  }
  return ranges;
}
