import type { FontFace } from './font-file.ts';

/** Fonts of an author's own, as rules of a style sheet. */

/** A file of fonts, at an address of the document's own origin. */
export interface OwnFont {
  faces: readonly FontFace[];
  address: string;
}

/** Whether texts name one of the families of a file: a document that does not pays nothing for it. */
export function namesFamily(texts: readonly string[], faces: readonly Pick<FontFace, 'family'>[]): boolean {
  return faces.some(({ family }) => {
    const name = family.toLowerCase();
    return texts.some((text) => text.includes(name));
  });
}

/** `@font-face` rules. Of a collection, browsers take the first font. */
export function fontFaceRules(fonts: readonly OwnFont[]): string {
  return fonts
    .flatMap(({ faces: [face], address }) => {
      if (face === undefined) return [];
      const { family, weight, italic } = face;
      const name = JSON.stringify(family).replace(/</g, '\\3c ');
      const [from, to] = weight;
      const bold = from === to ? String(from) : `${from} ${to}`;
      return [
        `@font-face{font-family:${name};src:url(${JSON.stringify(address)});font-weight:${bold};` +
          `font-style:${italic ? 'italic' : 'normal'}}`,
      ];
    })
    .join('\n');
}
