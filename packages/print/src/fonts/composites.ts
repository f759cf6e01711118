import { FontFault, type FontTables, TRANSFORMED_OUTLINES } from './sfnt.ts';

/**
 * Composite glyphs. Engines draw each with all its components every time it is shown: a few dozen glyphs, each
 * with two of the next, keep an engine busy until its time limit.
 */

/** Maximum number of glyphs in a composite in total; fonts in use have at most some tens. */
const MAX_PARTS = 1000;

/**
 * Checks that each glyph has few components, and does not contain itself.
 *
 * @throws FontFault
 */
export function checkComposites(tables: FontTables): void {
  const glyphs = componentsOf(tables);
  /** The total number of components of each checked glyph; 0 while it is being checked. */
  const sizes = new Map<number, number>();
  for (const first of glyphs.keys()) {
    const open = [first];
    for (let glyph = open.at(-1); glyph !== undefined; glyph = open.at(-1)) {
      const parts = glyphs.get(glyph) ?? [];
      if ((sizes.get(glyph) ?? 0) > 0) open.pop();
      else if (sizes.has(glyph)) {
        const size = parts.reduce((sum, part) => sum + (sizes.get(part) ?? 1), 1);
        if (size > MAX_PARTS) throw new FontFault('has glyphs that are made of too many others');
        sizes.set(glyph, size);
        open.pop();
      } else {
        sizes.set(glyph, 0);
        for (const part of parts) {
          if (sizes.get(part) === 0) throw new FontFault('has glyphs that are made of themselves');
          if (glyphs.has(part) && !sizes.has(part)) open.push(part);
        }
      }
    }
  }
}

/**
 * The components of a font's composite glyphs. Engines drop a glyph outside of its table, so it is not checked.
 */
function componentsOf(tables: FontTables): Map<number, number[]> {
  const transformed = tables.get(TRANSFORMED_OUTLINES);
  if (transformed !== undefined) return ofTransformed(transformed);
  const [glyf, loca, head] = ['glyf', 'loca', 'head'].map((tag) => tables.get(tag));
  const found = new Map<number, number[]>();
  if (glyf === undefined || loca === undefined || head === undefined) return found;
  const isLong = head.getInt16(50) !== 0;
  const size = isLong ? 4 : 2;
  for (let glyph = 0; (glyph + 2) * size <= loca.byteLength; glyph += 1) {
    const at = isLong ? loca.getUint32(glyph * 4) : loca.getUint16(glyph * 2) * 2;
    const end = isLong ? loca.getUint32(glyph * 4 + 4) : loca.getUint16(glyph * 2 + 2) * 2;
    if (end <= at + HEADER || end > glyf.byteLength || glyf.getInt16(at) >= 0) continue;
    found.set(glyph, readParts(glyf, at + HEADER).parts);
  }
  return found;
}

/** Bytes before the components: contours and box. */
const HEADER = 10;

/** https://www.w3.org/TR/WOFF2/#glyf_table_format: the components of glyphs are in a separate stream. */
function ofTransformed(table: DataView): Map<number, number[]> {
  const found = new Map<number, number[]>();
  if (table.byteLength === 0) return found;
  const count = table.getUint16(4);
  const [contours = 0, points = 0, flags = 0, outlines = 0] = [8, 12, 16, 20].map((at) =>
    table.getUint32(at),
  );
  let at = 36 + contours + points + flags + outlines;
  for (let glyph = 0; glyph < count; glyph += 1) {
    if (table.getInt16(36 + 2 * glyph) >= 0) continue;
    const { parts, end } = readParts(table, at);
    found.set(glyph, parts);
    at = end;
  }
  return found;
}

/** OpenType, "glyf", composite glyph description. */
const FLAGS = { words: 0x01, scale: 0x08, more: 0x20, twoScales: 0x40, matrix: 0x80 };

function readParts(table: DataView, start: number): { parts: number[]; end: number } {
  const parts: number[] = [];
  for (let at = start; ;) {
    const flags = table.getUint16(at);
    parts.push(table.getUint16(at + 2));
    at += 4 + ((flags & FLAGS.words) !== 0 ? 4 : 2);
    if ((flags & FLAGS.scale) !== 0) at += 2;
    else if ((flags & FLAGS.twoScales) !== 0) at += 4;
    else if ((flags & FLAGS.matrix) !== 0) at += 8;
    if ((flags & FLAGS.more) === 0) return { parts, end: at };
  }
}
