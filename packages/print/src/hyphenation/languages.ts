/**
 * Languages with freely licensed hyphenation patterns: those of the TeX community's hyph-utf8, as packaged in
 * `hyphen`. Languages under the GPL or LGPL alone are left out (Armenian, Czech, Indonesian, Latvian,
 * Macedonian), as are those without a licence (Romanian, a second set for Mongolian), and Church Slavonic,
 * whose letters esbuild does not support. docs/hyphenation.md lists the licences.
 */

/** The format of `hyphen`: levels, a trie of letters, and exceptions. */
export type Patterns = readonly [
  levels: readonly (readonly number[])[],
  trie: object,
  words?: Readonly<Record<string, readonly number[]>>,
];

export interface Language {
  load: () => Promise<{ default: Patterns }>;
  /** Minimum number of letters after the last hyphenation point. */
  least?: number;
}

/** By language, or language and region or script, in lower case. */
const LANGUAGES: Readonly<Record<string, Language>> = {
  af: { load: () => import('hyphen/patterns/af.js') },
  as: { load: () => import('hyphen/patterns/as.js') },
  be: { load: () => import('hyphen/patterns/be.js') },
  bg: { load: () => import('hyphen/patterns/bg.js') },
  bn: { load: () => import('hyphen/patterns/bn.js') },
  ca: { load: () => import('hyphen/patterns/ca.js') },
  cop: { load: () => import('hyphen/patterns/cop.js') },
  cy: { load: () => import('hyphen/patterns/cy.js'), least: 3 },
  da: { load: () => import('hyphen/patterns/da.js') },
  de: { load: () => import('hyphen/patterns/de-1996.js') },
  'de-1901': { load: () => import('hyphen/patterns/de-1901.js') },
  el: { load: () => import('hyphen/patterns/el-monoton.js') },
  'el-polyton': { load: () => import('hyphen/patterns/el-polyton.js') },
  en: { load: () => import('hyphen/patterns/en-us.js'), least: 3 },
  'en-gb': { load: () => import('hyphen/patterns/en-gb.js'), least: 3 },
  es: { load: () => import('hyphen/patterns/es.js') },
  et: { load: () => import('hyphen/patterns/et.js'), least: 3 },
  eu: { load: () => import('hyphen/patterns/eu.js') },
  fi: { load: () => import('hyphen/patterns/fi.js') },
  fr: { load: () => import('hyphen/patterns/fr.js') },
  fur: { load: () => import('hyphen/patterns/fur.js') },
  ga: { load: () => import('hyphen/patterns/ga.js'), least: 3 },
  gl: { load: () => import('hyphen/patterns/gl.js') },
  grc: { load: () => import('hyphen/patterns/grc.js') },
  gu: { load: () => import('hyphen/patterns/gu.js') },
  hi: { load: () => import('hyphen/patterns/hi.js') },
  hr: { load: () => import('hyphen/patterns/hr.js') },
  hsb: { load: () => import('hyphen/patterns/hsb.js') },
  hu: { load: () => import('hyphen/patterns/hu.js') },
  ia: { load: () => import('hyphen/patterns/ia.js') },
  is: { load: () => import('hyphen/patterns/is.js') },
  it: { load: () => import('hyphen/patterns/it.js') },
  ka: { load: () => import('hyphen/patterns/ka.js') },
  kmr: { load: () => import('hyphen/patterns/kmr.js') },
  kn: { load: () => import('hyphen/patterns/kn.js') },
  la: { load: () => import('hyphen/patterns/la.js') },
  lt: { load: () => import('hyphen/patterns/lt.js') },
  ml: { load: () => import('hyphen/patterns/ml.js') },
  mn: { load: () => import('hyphen/patterns/mn-cyrl.js') },
  mr: { load: () => import('hyphen/patterns/mr.js') },
  nb: { load: () => import('hyphen/patterns/nb.js') },
  nl: { load: () => import('hyphen/patterns/nl.js') },
  // The patterns of both Norwegian languages are the same.
  nn: { load: () => import('hyphen/patterns/nb.js') },
  oc: { load: () => import('hyphen/patterns/oc.js') },
  or: { load: () => import('hyphen/patterns/or.js') },
  pa: { load: () => import('hyphen/patterns/pa.js') },
  pi: { load: () => import('hyphen/patterns/pi.js') },
  pl: { load: () => import('hyphen/patterns/pl.js') },
  pms: { load: () => import('hyphen/patterns/pms.js') },
  pt: { load: () => import('hyphen/patterns/pt.js'), least: 3 },
  rm: { load: () => import('hyphen/patterns/rm.js') },
  ru: { load: () => import('hyphen/patterns/ru.js') },
  sa: { load: () => import('hyphen/patterns/sa.js') },
  sk: { load: () => import('hyphen/patterns/sk.js') },
  sl: { load: () => import('hyphen/patterns/sl.js') },
  sq: { load: () => import('hyphen/patterns/sq.js') },
  sr: { load: () => import('hyphen/patterns/sh-cyrl.js') },
  'sr-latn': { load: () => import('hyphen/patterns/sh-latn.js') },
  sv: { load: () => import('hyphen/patterns/sv.js') },
  ta: { load: () => import('hyphen/patterns/ta.js') },
  te: { load: () => import('hyphen/patterns/te.js') },
  th: { load: () => import('hyphen/patterns/th.js'), least: 3 },
  tk: { load: () => import('hyphen/patterns/tk.js') },
  tr: { load: () => import('hyphen/patterns/tr.js') },
  uk: { load: () => import('hyphen/patterns/uk.js') },
  'zh-latn': { load: () => import('hyphen/patterns/zh-latn-pinyin.js') },
};

/** Tags that are equivalent to another one. English follows American rules only if the tag is American. */
const ALIASES: Readonly<Record<string, string>> = {
  bs: 'sr-latn',
  'en-au': 'en-gb',
  'en-ie': 'en-gb',
  'en-in': 'en-gb',
  'en-nz': 'en-gb',
  'en-za': 'en-gb',
  ku: 'kmr',
  no: 'nb',
  sh: 'sr-latn',
};

/** Tags of all these languages. */
export const HYPHENATED = Object.keys(LANGUAGES);

/** The language of a BCP 47 tag; undefined if there are no patterns for it. */
export function hyphenationOf(tag: string): Language | undefined {
  const parts = tag.toLowerCase().split(/[-_]/);
  for (let count = parts.length; count > 0; count -= 1) {
    const name = parts.slice(0, count).join('-');
    const known = ALIASES[name] ?? name;
    if (Object.hasOwn(LANGUAGES, known)) return LANGUAGES[known];
  }
  return undefined;
}
