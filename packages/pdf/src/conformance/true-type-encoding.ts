import type { PdfFile } from '../model/index.ts';
import { isDict, type PdfValue } from '../model/values.ts';
import { nameOf } from './font-places.ts';
import type { FontProgram } from './font-program.ts';
import type { UsedFont } from './glyphs.ts';
import type { CharacterMaps } from './programs/truetype.ts';
import { differencesOf } from './simple-encoding.ts';
import type { Violations } from './violations.ts';

/** Maps the codes of simple TrueType fonts to glyphs (ISO 19005-2, 6.2.11.6; ISO 14289-1, 7.21.6). */

/** Bits of `Flags` (ISO 32000-1, table 123). */
const [SYMBOLIC, NONSYMBOLIC] = [4, 32];

/** Returns whether a font is declared symbolic. */
export function isSymbolic(file: PdfFile, { dict }: UsedFont): boolean {
  const flags = file.resolve(file.dict(dict['/FontDescriptor'])['/Flags']);
  return typeof flags === 'number' && (flags & (SYMBOLIC | NONSYMBOLIC)) === SYMBOLIC;
}

/** Reports codes that different readers may map to different glyphs. */
export function checkEncoding(
  file: PdfFile,
  font: UsedFont,
  { maps }: FontProgram,
  violations: Violations,
): void {
  const fault = isSymbolic(file, font) ? faultOfSymbols(file, font, maps) : faultOfLatin(file, font, maps);
  if (fault === null) return;
  const page = font.uses.values().next().value?.page ?? null;
  const detail = `The font ${nameOf(font)} ${fault}: embed it again in the program that creates the file.`;
  violations.add({ archive: '6.2.11.6', accessible: '7.21.6' }, detail, { page });
}

function faultOfSymbols(file: PdfFile, { dict }: UsedFont, maps: CharacterMaps | undefined): string | null {
  if (file.resolve(dict['/Encoding']) !== null) return 'is symbolic and has an encoding, which PDF/A forbids';
  return maps === undefined || maps.count === 1 || maps.hasSymbols
    ? null
    : 'is symbolic and has several character maps, none of them for symbols';
}

const KNOWN = new Set<PdfValue>(['/MacRomanEncoding', '/WinAnsiEncoding']);
/** Names that programs generate for glyphs with known numbers only. */
const NUMBERED = /^(?:g|G|gid|glyph|cid|index|c|C|char)\d{1,5}$/;

function faultOfLatin(file: PdfFile, { dict }: UsedFont, maps: CharacterMaps | undefined): string | null {
  const encoding = file.resolve(dict['/Encoding']);
  const base = isDict(encoding) ? file.resolve(encoding['/BaseEncoding']) : encoding;
  if (!KNOWN.has(base)) return 'has an encoding other than `WinAnsiEncoding` and `MacRomanEncoding`';
  const names = isDict(encoding) ? [...differencesOf(file, encoding).values()] : [];
  const isKnown = maps?.hasUnicode !== false && !names.some((name) => NUMBERED.test(name));
  if (names.length > 0 && !isKnown) return 'has codes whose glyph names represent no character';
  return maps === undefined || maps.count > (maps.hasSymbols ? 1 : 0) ? null : 'has no character map';
}
