import type { Protocol } from 'devtools-protocol';
import { GENERIC_FAMILIES } from '../fonts/generic.ts';

/** Suffixes of the families with ideographs, by script (ISO 15924) and the languages written in it. */
const IDEOGRAPHIC = {
  jpan: 'JP',
  hang: 'KR',
  kore: 'KR',
  hans: 'SC',
  hant: 'TC',
};

/**
 * The fonts of the generic families, by the language of the text. Without them, Chromium would search all fonts
 * for ideographs, and ignore bold faces.
 */
export const FONT_FAMILIES: Protocol.Page.SetFontFamiliesRequest = {
  fontFamilies: {
    standard: GENERIC_FAMILIES.default,
    serif: GENERIC_FAMILIES.serif,
    sansSerif: GENERIC_FAMILIES['sans-serif'],
    fixed: GENERIC_FAMILIES.monospace,
    // It has the table (MATH) by which brackets, roots and arrows grow.
    math: 'Noto Sans Math',
  },
  forScripts: Object.entries(IDEOGRAPHIC).map(([script, end]) => ({
    script,
    // Not `fixed`: the alignment of columns in code matters more.
    fontFamilies: { standard: `Noto Sans ${end}`, serif: `Noto Serif ${end}`, sansSerif: `Noto Sans ${end}` },
  })),
};
