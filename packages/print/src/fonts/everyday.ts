import { STANDS_FOR } from '@platen/pdf/text';

/**
 * The characters of the languages of Europe that are written with Latin letters, with punctuation, currencies and
 * arrows. A font with these alone has a quarter of the bytes of Arimo, Tinos or Cousine.
 */
export const EVERYDAY_CHARACTERS: readonly (readonly [first: number, last: number])[] = [
  [0x20, 0x7e],
  [0xa0, 0x17f],
  // Romanian.
  [0x218, 0x21b],
  // Marks that stand alone, and marks upon letters.
  [0x2c6, 0x2dd],
  [0x300, 0x36f],
  // Capital ß.
  [0x1e9e, 0x1e9e],
  [0x2000, 0x206f],
  // Currencies, letterlike symbols, number forms, arrows.
  [0x20a0, 0x20cf],
  [0x2100, 0x2199],
  [0x2212, 0x2212],
  // Joined letters.
  [0xfb00, 0xfb04],
];

/** The families with an everyday part, and the names under which documents ask for them. */
export const EVERYDAY_FAMILIES = {
  Arimo: ['Arimo', ...STANDS_FOR.Arimo],
  Tinos: ['Tinos', ...STANDS_FOR.Tinos],
  Cousine: ['Cousine', ...STANDS_FOR.Cousine],
} as const;

/** The folder of a fonts layer that contains the everyday parts, in files with the names of the whole fonts. */
export const EVERYDAY_FOLDER = 'everyday';

/** Returns the family of the everyday part of a family. */
export function everydayFamily(family: string): string {
  return `${family} everyday`;
}
