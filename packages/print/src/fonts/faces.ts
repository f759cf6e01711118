import type { FontFace } from './font-file.ts';

/** The author's own fonts, as rules of a style sheet. */

/** A font file, with a URL on the document's own origin. */
export interface OwnFont {
  faces: readonly FontFace[];
  address: string;
}

/** Returns whether texts name one of a file's families, so that a document without them costs nothing. */
export function namesFamily(texts: readonly string[], faces: readonly Pick<FontFace, 'family'>[]): boolean {
  return faces.some(({ family }) => {
    const name = family.toLowerCase();
    return texts.some((text) => text.includes(name));
  });
}

/** `@font-face` rules. Browsers use the first font of a collection. */
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

/** The first tag of a drawing, with the prefix of its namespace; the match may end inside an attribute's value. */
const SVG_TAG = /<((?:[\w.-]+:)?)svg(?=[\s/>])(?:[^<>"']|"[^"<]*"|'[^'<]*')*>/;

/** Returns an SVG with embedded fonts, because browsers load nothing for an SVG image. */
export function svgWithFonts(
  svg: Buffer,
  fonts: readonly (Pick<OwnFont, 'faces'> & { contentType: string; bytes: Uint8Array })[],
): Buffer {
  const [tag, prefix = ''] = fonts.length === 0 ? [] : (SVG_TAG.exec(svg.toString('latin1', 0, HEAD)) ?? []);
  if (tag === undefined || tag.endsWith('/>')) return svg;
  const rules = fontFaceRules(
    fonts.map(({ faces, contentType, bytes }) => ({
      faces,
      address: `data:${contentType};base64,${Buffer.from(bytes).toString('base64')}`,
    })),
  ).replaceAll('&', '&amp;');
  const end = svg.indexOf(tag, 0, 'latin1') + tag.length;
  const style = Buffer.from(`<${prefix}style>${rules}</${prefix}style>`);
  return Buffer.concat([svg.subarray(0, end), style, svg.subarray(end)]);
}

/** Number of bytes that contain the first tag of a drawing. */
const HEAD = 100_000;
