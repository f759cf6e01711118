import path from 'node:path';
import { expect, it } from 'vitest';
import { BOLD_IDEOGRAPHS, BOLD_SCRIPTS, familyOf } from '../../packages/print/src/named-faces.ts';
import { FONTS } from '../../layers/fonts/families.ts';

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
