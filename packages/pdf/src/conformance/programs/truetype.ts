import { characterOf, MAC_ROMAN } from './names.ts';

/** The glyphs for the codes and names of a simple TrueType font (ISO 32000-1, 9.6.6.4). */
export interface CharacterMaps {
  /** Number of character maps. */
  count: number;
  /** Whether it has a symbol character map. */
  hasSymbols: boolean;
  /** Whether it has a Unicode character map. */
  hasUnicode: boolean;
  /** The glyph of a code of a symbolic font; 0 if none, undefined if unknown. */
  glyphOfCode: (code: number) => number | undefined;
  /** The glyph of a name; 0 if none, undefined if unknown. */
  glyphOfName: (name: string) => number | undefined;
}

type Lookup = (code: number) => number | undefined;

/**
 * @param table returns the offset of a table of the font
 * @throws RangeError if the data is truncated
 */
export function readCharacterMaps(font: DataView, table: (tag: string) => number | undefined): CharacterMaps {
  const cmap = table('cmap');
  const maps = new Map<string, number>();
  const start = cmap ?? 0;
  const count = cmap === undefined ? 0 : font.getUint16(start + 2);
  for (let at = start + 4, left = count; left > 0; left--, at += 8) {
    const key = `${font.getUint16(at)} ${font.getUint16(at + 2)}`;
    // One for each language; the first one is for all.
    if (!maps.has(key)) maps.set(key, start + font.getUint32(at + 4));
  }
  const lookup = (key: string): Lookup | undefined => {
    const place = maps.get(key);
    return place === undefined ? undefined : (code) => glyphAt(font, place, code);
  };
  const [symbols, unicode, mac] = [lookup('3 0'), lookup('3 1'), lookup('1 0')];
  const hasNames = hasGlyphNames(font, table('post'));
  return {
    count,
    hasSymbols: symbols !== undefined,
    hasUnicode: unicode !== undefined,
    glyphOfCode: (code) => {
      if (symbols === undefined && mac === undefined) return undefined;
      // Codes of symbols are in a block of the private use area, and in a few fonts unchanged.
      for (const base of [0xf000, 0, 0xf100, 0xf200]) {
        const glyph = symbols?.(base + code) ?? 0;
        if (glyph !== 0) return glyph;
      }
      return mac === undefined ? 0 : mac(code);
    },
    glyphOfName: (name) => {
      const character = characterOf(name);
      if (character === undefined) return undefined;
      const code = MAC_ROMAN.indexOf(name);
      const found = unicode?.(character);
      if (found !== 0 && unicode !== undefined) return found;
      const other = mac === undefined || code === -1 ? 0 : mac(code);
      // The font may name its glyphs in a table that is not read here.
      return other === 0 && hasNames ? undefined : other;
    },
  };
}

/** All formats of the table except the third have glyph names. */
function hasGlyphNames(font: DataView, post: number | undefined): boolean {
  return post !== undefined && font.getUint32(post) !== 0x0003_0000;
}

function glyphAt(font: DataView, at: number, code: number): number | undefined {
  switch (font.getUint16(at)) {
    case 0:
      return code < 256 ? font.getUint8(at + 6 + code) : 0;
    case 4:
      return glyphOfSegments(font, at, code);
    case 6: {
      const index = code - font.getUint16(at + 6);
      return index >= 0 && index < font.getUint16(at + 8) ? font.getUint16(at + 10 + 2 * index) : 0;
    }
    default:
      return undefined;
  }
}

/** Format 4: ranges of codes, sorted by their last codes. */
function glyphOfSegments(font: DataView, at: number, code: number): number {
  const size = font.getUint16(at + 6);
  const [ends, starts, deltas, offsets] = [14, 16 + size, 16 + 2 * size, 16 + 3 * size].map(
    (from) => at + from,
  );
  if (ends === undefined || starts === undefined || deltas === undefined || offsets === undefined) return 0;
  for (let segment = 0; segment < size; segment += 2) {
    if (font.getUint16(ends + segment) < code) continue;
    const start = font.getUint16(starts + segment);
    if (start > code) return 0;
    const offset = font.getUint16(offsets + segment);
    const delta = font.getUint16(deltas + segment);
    if (offset === 0) return (code + delta) & 0xffff;
    const glyph = font.getUint16(offsets + segment + offset + 2 * (code - start));
    return glyph === 0 ? 0 : (glyph + delta) & 0xffff;
  }
  return 0;
}
