/** Files of fonts, the families that they have, and the characters that they lack. */

export { prepareFonts } from '../font-folder.ts';
export { EVERYDAY_CHARACTERS, EVERYDAY_FAMILIES, EVERYDAY_FOLDER, everydayFamily } from './everyday.ts';
export { type OwnFont, fontFaceRules, namesFamily, svgWithFonts } from './faces.ts';
export { type FontFace, type FontFile, readFontFile } from './font-file.ts';
export { isDesktopFont, namesFace, textOf } from './office-names.ts';
export { FONT_FORMATS, FontFault, type FontFormat } from './sfnt.ts';
export { type Coverage, coverageFile, glyphFinder } from '../page/glyphs.ts';
