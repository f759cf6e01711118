import type { Protocol } from 'devtools-protocol';

/** Ends of the names of the families with ideographs, by script (ISO 15924) and the languages written in it. */
const IDEOGRAPHIC = {
  jpan: 'JP',
  hang: 'KR',
  kore: 'KR',
  hans: 'SC',
  hant: 'TC',
};

/**
 * The fonts of the generic families, by the language of the text. Without them Chromium would find ideographs
 * by a search through all fonts, which ignores bold faces.
 */
export const FONT_FAMILIES: Protocol.Page.SetFontFamiliesRequest = {
  fontFamilies: { standard: 'Tinos', serif: 'Tinos', sansSerif: 'Arimo', fixed: 'Cousine' },
  forScripts: Object.entries(IDEOGRAPHIC).map(([script, end]) => ({
    script,
    // Not `fixed`: that the columns of code stand in line matters more.
    fontFamilies: { standard: `Noto Sans ${end}`, serif: `Noto Serif ${end}`, sansSerif: `Noto Sans ${end}` },
  })),
};
