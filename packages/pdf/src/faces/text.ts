/** Fonts for text: their families, files and parts. */

export { STANDS_FOR, fontAliases, hasSameWidths, standIn } from '../text/families.ts';
export { FontFiles, type FontStyle, familyOf } from '../text/font-files.ts';
export { FontMemory, OwnedFontMemory } from '../text/harfbuzz.ts';
export { subsetFont } from '../text/subset.ts';
