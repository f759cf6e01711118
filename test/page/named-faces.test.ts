import path from 'node:path';
import { expect, it } from 'vitest';
import { BOLD_IDEOGRAPHS, BOLD_SCRIPTS, familyOf } from '../../packages/print/src/named-faces.ts';
import { FONTS, WITHOUT_EMOJI } from '../../layers/fonts/families.ts';

it('bold text names every family of the product that has a bold face for another script', () => {
  const latin = /^(NotoSans|Arimo|Tinos|Cousine|Carlito|Caladea|NotoNaskhArabic|NotoSansSymbols)$/;
  const bold = FONTS.flatMap(({ files }) => files)
    .filter((file) => file.endsWith('Bold.ttf'))
    .map((file) => path.basename(file).split(/[-_]/, 1)[0] ?? '')
    .filter((family) => !latin.test(family));
  const named = [...BOLD_SCRIPTS.map(familyOf), ...BOLD_IDEOGRAPHS].map((family) =>
    family.replaceAll(' ', ''),
  );
  expect(new Set(named)).toEqual(new Set(bold));
});

it('the fonts of symbols have every character but emoji', () => {
  const kept = Buffer.alloc(0x11_0000);
  for (const [first, last] of WITHOUT_EMOJI) kept.fill(1, first, last + 1);
  const wrong: number[] = [];
  for (let code = 0; code < kept.length; code += 1)
    if ((kept[code] === 0) !== /\p{Emoji_Presentation}/u.test(String.fromCodePoint(code))) wrong.push(code);
  expect(wrong).toEqual([]);
});
