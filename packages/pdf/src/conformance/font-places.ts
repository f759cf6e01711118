import type { PdfFile } from '../model/index.ts';
import { isName, isRef, type PdfDict } from '../model/values.ts';
import type { UsedFont } from './glyphs.ts';
import type { Violations } from './violations.ts';

/** The data that the checks of a font share. */

/** Records which element a marked-content identifier belongs to. */
export type ElementAt = (page: number, mcid: number | null) => string | null;

export const EMBEDDING = { archive: '6.2.11.4.1', accessible: '7.21.4.1' } as const;

/** Returns the font whose glyphs are shown: the descendant of a composite font, otherwise the font itself. */
export function descendantOf(file: PdfFile, { dict, isComposite }: UsedFont): PdfDict {
  return isComposite ? file.dict(file.array(dict['/DescendantFonts'])[0]) : dict;
}

/** The name of a font for messages. */
export function nameOf({ dict }: UsedFont): string {
  const name = dict['/BaseFont'] ?? dict['/Name'];
  return isName(name) ? name.replace(/^n?:?\/(?:[A-Z]{6}\+)?/, '') : 'without a name';
}

/** The glyph of a CID in a composite font. */
export function glyphsOf(file: PdfFile, font: UsedFont): (cid: number) => number {
  const map = descendantOf(file, font)['/CIDToGIDMap'];
  const glyphs = isRef(map) ? file.streamData(map)?.data : undefined;
  if (glyphs === undefined) return (cid) => cid;
  return (cid) => ((glyphs[2 * cid] ?? 0) << 8) | (glyphs[2 * cid + 1] ?? 0);
}

/** Reports that a character is shown as the glyph for missing characters. */
export function lacksCharacter(
  font: UsedFont,
  violations: Violations,
  place: { page: number; element: string | null },
): void {
  const detail =
    `A character is shown as the empty box of the font ${nameOf(font)}, which does not have it: ` +
    'use a font that has it, or remove the character.';
  violations.add({ archive: '6.2.11.8', accessible: '7.21.8' }, detail, place);
}
