import { readFileSync } from 'node:fs';

const FILE = 'node_modules/@expo-google-fonts/caladea/400Regular/Caladea_400Regular.ttf';

/** A font of another family: names in its tables are written anew, of seven letters as they were. */
export function fontOf(family: string): Buffer {
  const wide = (text: string): string => Array.from(text, (c) => `\0${c}`).join('');
  const bytes = readFileSync(FILE).toString('latin1');
  return Buffer.from(bytes.replaceAll('Caladea', family).replaceAll(wide('Caladea'), wide(family)), 'latin1');
}

/** The same font with another content, which shows in its PostScript name: `Caladea-Changed`. */
export function changedFontOf(family: string): Buffer {
  const [before, after] = [`${family}-Regular`, `${family}-Changed`];
  const wide = (text: string): string => Array.from(text, (c) => `\0${c}`).join('');
  const bytes = fontOf(family).toString('latin1');
  return Buffer.from(bytes.replaceAll(before, after).replaceAll(wide(before), wide(after)), 'latin1');
}

/** A paragraph of Word in a font. */
export function paragraphIn(family: string, text: string): string {
  const face = `<w:rPr><w:rFonts w:ascii="${family}" w:hAnsi="${family}"/></w:rPr>`;
  return `<w:p><w:r>${face}<w:t>${text}</w:t></w:r></w:p>`;
}
