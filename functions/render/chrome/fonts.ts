import type { Protocol } from 'devtools-protocol';

/** Families of the fonts layer with ideographs, by script (ISO 15924) and the languages written in it. */
const IDEOGRAPHIC = {
  jpan: 'Noto Sans JP',
  hang: 'Noto Sans KR',
  kore: 'Noto Sans KR',
  hans: 'Noto Sans SC',
  hant: 'Noto Sans TC',
};

/**
 * What the generic families mean, by the language of the text. Without it ideographs would be found by Chromium's search
 * through all fonts, which knows no bold face.
 */
export const FONT_FAMILIES: Protocol.Page.SetFontFamiliesRequest = {
  fontFamilies: { standard: 'Tinos', serif: 'Tinos', sansSerif: 'Arimo', fixed: 'Cousine' },
  forScripts: Object.entries(IDEOGRAPHIC).map(([script, family]) => ({
    script,
    // Not `fixed`: that the columns of code stand in line matters more.
    fontFamilies: { standard: family, serif: family, sansSerif: family },
  })),
};
