import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { coverageFile, type GlyphFinder, glyphFinder } from '../../packages/print/src/page/glyphs.ts';
import { buildFontsLayer } from '../../layers/fonts/build.ts';
import { charactersOf, rangesOf } from '../../layers/fonts/coverage.ts';
import { scriptDocuments } from '../print/scripts.ts';

describe('characters without a glyph', () => {
  let finder: GlyphFinder;
  let files: string;
  beforeAll(async () => {
    const { dist } = await buildFontsLayer();
    files = path.join(dist, 'fonts', 'files');
    const file = coverageFile(`/nowhere${path.delimiter}${dist}`);
    expect(file).not.toBeNull();
    finder = glyphFinder(file ?? '');
  }, 240_000);

  const lacking = (html: string): string[] => {
    const found = finder.find(html);
    return found.mayHaveFonts ? [] : found.lacking;
  };

  it('are found in text, as characters and as references', () => {
    // Cuneiform, hieroglyphs and private use: no font of the product is for them.
    expect(lacking('<p>price \u{12000} and &#x13000; and &#57344;')).toEqual([
      '\u{12000}',
      '\u{13000}',
      '\ue000',
    ]);
    expect(
      lacking(`<p>${Array.from({ length: 30 }, (_, at) => String.fromCodePoint(0x12000 + at)).join('')}`),
    ).toHaveLength(10);
  });

  it('are not counted in text that is not printed, or if the document has its own fonts', () => {
    expect(
      lacking('<p title="\u{12000}">x<script>"\u{12000}"</script><style>/* \u{12000} */</style>'),
    ).toEqual([]);
    expect(lacking('<style>@font-face { font-family: icons; src: url(i.woff) }</style><p>\ue000')).toEqual(
      [],
    );
    expect(lacking('<p>soft\u00adhyphen\u200b\u200d\ufe0f\u2060\ufeff\t\n\u3000')).toEqual([]);
  });

  it('do not occur in the documents of many scripts', () => {
    for (const { html } of scriptDocuments()) expect(lacking(html)).toEqual([]);
  });

  it("follow the fonts' own tables", async () => {
    const thai = charactersOf(await readFile(path.join(files, 'NotoSansThai_400Regular.ttf')));
    expect(thai.has(0xe01)).toBe(true);
    expect(thai.has(0xe5c)).toBe(false);
    // A table of groups (format 12).
    const adlam = charactersOf(await readFile(path.join(files, 'NotoSansAdlam-Regular.ttf')));
    expect(adlam.has(0x1e900)).toBe(true);
    expect(rangesOf(new Set([5, 3, 4, 9]))).toEqual([
      [3, 5],
      [9, 9],
    ]);
  });
});
