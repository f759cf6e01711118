import { readFileSync } from 'node:fs';

const FILE = 'node_modules/@expo-google-fonts/caladea/400Regular/Caladea_400Regular.ttf';

/** Returns a font of another family: the names in its tables are replaced, of seven letters as before. */
export function fontOf(family: string): Buffer {
  const wide = (text: string): string => Array.from(text, (c) => `\0${c}`).join('');
  const bytes = readFileSync(FILE).toString('latin1');
  return Buffer.from(bytes.replaceAll('Caladea', family).replaceAll(wide('Caladea'), wide(family)), 'latin1');
}

/** Returns the same font with different content, which shows in its PostScript name: `Caladea-Changed`. */
export function changedFontOf(family: string): Buffer {
  const [before, after] = [`${family}-Regular`, `${family}-Changed`];
  const wide = (text: string): string => Array.from(text, (c) => `\0${c}`).join('');
  const bytes = fontOf(family).toString('latin1');
  return Buffer.from(bytes.replaceAll(before, after).replaceAll(wide(before), wide(after)), 'latin1');
}

/** Returns a Word paragraph in a font. */
export function paragraphIn(family: string, text: string): string {
  const face = `<w:rPr><w:rFonts w:ascii="${family}" w:hAnsi="${family}"/></w:rPr>`;
  return `<w:p><w:r>${face}<w:t>${text}</w:t></w:r></w:p>`;
}
