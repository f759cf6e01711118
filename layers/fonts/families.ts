/** The fonts of the product: their sources, and the characters for which they are used. */

/** Ranges of code points, first and last. */
export type Characters = readonly (readonly [number, number])[];

export interface FontSource {
  /** npm package, or a Debian package whose version is the same in all current releases of Debian and Ubuntu. */
  from: { npm: string } | { debian: string };
  /** Files, relative to the npm package's root, or in {@link DEBIAN_FONTS}. */
  files: readonly string[];
  /** The characters that remain in the font; all when absent. */
  characters?: Characters;
  /** Heights of a line above and below the baseline, in ems; those of the font when absent. */
  line?: { ascent: number; descent: number };
}

/** The folder in which Debian's packages install the Noto fonts. */
export const DEBIAN_FONTS = '/usr/share/fonts/truetype/noto';
export const DEBIAN_PACKAGE = 'fonts-noto-core';

const REGULAR_BOLD = ['400Regular', '700Bold'];
const WITH_ITALICS = [...REGULAR_BOLD, '400Regular_Italic', '700Bold_Italic'];

function google(name: string, styles: readonly string[], characters?: Characters): FontSource {
  const family = name
    .split('-')
    .map((word) =>
      /^(sc|tc|jp|kr)$/.test(word) ? word.toUpperCase() : word[0]?.toUpperCase() + word.slice(1),
    )
    .join('');
  return {
    from: { npm: `@expo-google-fonts/${name}` },
    files: styles.map((style) => `${style}/${family}_${style}.ttf`),
    ...(characters === undefined ? {} : { characters }),
  };
}

/**
 * What a font for ideographs is there for. It has no letters that need marks set upon them: without the marks and with
 * half of an alphabet, `č` or `ά` would be put together of pieces that do not fit.
 */
const EAST_ASIAN: Characters = [
  [0x20, 0x7e],
  [0xa0, 0x17f],
  [0x2b0, 0x2ff],
  [0x2000, 0x2bff],
  [0x2e80, 0x9fff],
  [0xa960, 0xa97f],
  [0xac00, 0xd7ff],
  [0xf900, 0xfaff],
  [0xfe00, 0xfe6f],
  [0xff00, 0xffef],
  [0x1f100, 0x1f2ff],
  [0x20000, 0x3ffff],
];

/** Noto Sans has older shapes of a script that has a separate font. */
const WITHOUT_DEVANAGARI: Characters = [
  [0, 0x8ff],
  [0x980, 0x1ccf],
  [0x1d00, 0xa8df],
  [0xa900, 0x10ffff],
];

/** Ranges of first and of second bytes in a character set of two bytes. */
type Bytes = readonly [first: number, last: number];

/**
 * The ranges of {@link EAST_ASIAN} that a character set contains, including all of Hangul, for faces that are used
 * less often.
 */
function within(charset: string, leads: Bytes, trails: Bytes): Characters {
  const decoder = new TextDecoder(charset);
  const ideographs = new Set<number>();
  for (let lead = leads[0]; lead <= leads[1]; lead++) {
    for (let trail = trails[0]; trail <= trails[1]; trail++) {
      const code = decoder.decode(Uint8Array.of(lead, trail)).codePointAt(0) ?? 0;
      if (code >= 0x3400 && code !== 0xfffd) ideographs.add(code);
    }
  }
  const others = EAST_ASIAN.filter(([first]) => first < 0x2e80 || first === 0xac00 || first >= 0xfe00);
  return [
    ...others.filter(([first]) => first < 0x1f000),
    [0x2e80, 0x33ff],
    ...[...ideographs].map((code) => [code, code] as const),
  ];
}

const GB_2312 = within('gbk', [0xa1, 0xfe], [0xa1, 0xfe]);
const BIG5 = within('big5', [0xa4, 0xf9], [0x40, 0xfe]);
/** The characters in common use. */
const BIG5_FIRST_PLANE = within('big5', [0xa4, 0xc6], [0x40, 0xfe]);
const JIS_X_0208 = within('shift_jis', [0x81, 0xea], [0x40, 0xfc]);
const KS_X_1001 = within('euc-kr', [0xa1, 0xfe], [0xa1, 0xfe]);
/** The 2,350 Hangul syllables in common use. */
const KS_X_1001_ALONE = KS_X_1001.filter(([first, last]) => first !== 0xac00 || last === first);

/** Scripts in Debian's package, by the part of the file name. Scripts in daily use are included in bold too. */
const EVERYDAY_SCRIPTS =
  'Armenian Bengali Ethiopic Georgian Gujarati Gurmukhi Hebrew Kannada Khmer Lao Malayalam Myanmar Oriya Sinhala Tamil Telugu Thaana';
const OTHER_SCRIPTS =
  'Adlam Avestan Balinese Bamum BassaVah Batak Bhaiksuki Brahmi Buginese Buhid CanadianAboriginal ' +
  'Carian CaucasianAlbanian Chakma Cham Cherokee Coptic Cypriot Deseret Elbasan ' +
  'Elymaic Glagolitic Gothic Grantha GunjalaGondi HanifiRohingya Hanunoo Hatran ImperialAramaic IndicSiyaqNumbers ' +
  'InscriptionalPahlavi InscriptionalParthian Javanese Kaithi KayahLi Kharoshthi Khojki Khudawadi Lepcha Limbu ' +
  'LinearB Lisu Lycian Lydian Mahajani Mandaic Manichaean Marchen MasaramGondi MayanNumerals Medefaidrin MeeteiMayek ' +
  'MendeKikakui Meroitic Miao Modi Mongolian Mro Multani NKo Nabataean NewTaiLue Newa Nushu Ogham OlChiki OldHungarian ' +
  'OldItalic OldNorthArabian OldPermic OldPersian OldSogdian OldSouthArabian OldTurkic Osage Osmanya PahawhHmong ' +
  'Palmyrene PauCinHau PhagsPa Phoenician PsalterPahlavi Rejang Runic Samaritan Saurashtra Sharada Shavian Siddham ' +
  'Sogdian SoraSompeng Soyombo Sundanese SylotiNagri Syriac Tagalog Tagbanwa TaiLe TaiTham TaiViet Takri ' +
  'TamilSupplement Tifinagh Tirhuta Ugaritic Vai Wancho WarangCiti Yi ZanabazarSquare';
const SERIF_SCRIPTS = 'Tibetan Ahom Dogra NyiakengPuachueHmong Yezidi';

const words = (text: string): string[] => text.split(' ');

/** All but the characters that are emoji by themselves, which the colour font draws (Unicode TR 51, 1.4.2). */
export const WITHOUT_EMOJI: Characters = complement(/\p{Emoji_Presentation}/u, [
  [0x2300, 0x2bff],
  [0x1_f000, 0x1_faff],
]);

/** Returns all characters but those of an expression. @param within the blocks in which these are */
function complement(characters: RegExp, within: Characters): Characters {
  const ranges: [number, number][] = [];
  let first = 0;
  for (const [from, to] of within) {
    for (let code = from; code <= to; code += 1) {
      if (!characters.test(String.fromCodePoint(code))) continue;
      if (first < code) ranges.push([first, code - 1]);
      first = code + 1;
    }
  }
  return [...ranges, [first, 0x10_ffff]];
}

export const FONTS: readonly FontSource[] = [
  {
    from: { npm: '@embedpdf/fonts-latin' },
    files: ['Regular', 'Bold', 'Italic', 'BoldItalic'].map((style) => `fonts/NotoSans-${style}.ttf`),
    characters: WITHOUT_DEVANAGARI,
  },
  {
    from: { npm: '@embedpdf/fonts-arabic' },
    files: ['fonts/NotoNaskhArabic-Regular.ttf', 'fonts/NotoNaskhArabic-Bold.ttf'],
  },
  {
    // Newer releases draw the dots of letters as glyphs of their own, which readers of a PDF take for lost letters. All
    // letters of Arabic, Persian and Urdu fit into the line, which stacked vowel marks would make twice as high as Latin.
    from: { debian: DEBIAN_PACKAGE },
    files: ['NotoSansArabic-Regular.ttf', 'NotoSansArabic-Bold.ttf'],
    line: { ascent: 0.95, descent: 0.45 },
  },
  google('noto-sans-devanagari', REGULAR_BOLD),
  google('noto-color-emoji', ['400Regular']),
  // TrueType outlines, because Chromium converts OpenType fonts with PostScript outlines to Type 3 fonts, which
  // are slow to draw and hard to copy text from.
  google('noto-sans-sc', ['400Regular'], EAST_ASIAN),
  google('noto-sans-tc', ['400Regular'], EAST_ASIAN),
  google('noto-sans-jp', ['400Regular'], EAST_ASIAN),
  google('noto-sans-kr', ['400Regular'], EAST_ASIAN),
  // A layer may have 250 MB, so bold and serif have only the character sets of their countries. Other characters
  // use the regular face, with synthetic bold where necessary.
  google('noto-sans-sc', ['700Bold'], GB_2312),
  google('noto-sans-tc', ['700Bold'], BIG5),
  google('noto-sans-jp', ['700Bold'], JIS_X_0208),
  google('noto-sans-kr', ['700Bold'], KS_X_1001),
  google('noto-serif-sc', ['400Regular'], GB_2312),
  google('noto-serif-tc', ['400Regular'], BIG5_FIRST_PLANE),
  google('noto-serif-jp', ['400Regular'], JIS_X_0208),
  google('noto-serif-kr', ['400Regular'], KS_X_1001_ALONE),
  google('noto-sans-thai', REGULAR_BOLD),
  google('noto-sans-symbols', REGULAR_BOLD, WITHOUT_EMOJI),
  google('noto-sans-symbols-2', ['400Regular'], WITHOUT_EMOJI),
  google('noto-sans-math', ['400Regular']),
  google('arimo', WITH_ITALICS),
  google('tinos', WITH_ITALICS),
  google('cousine', WITH_ITALICS),
  google('carlito', WITH_ITALICS),
  google('caladea', WITH_ITALICS),
  {
    from: { debian: DEBIAN_PACKAGE },
    files: [
      ...words(EVERYDAY_SCRIPTS).flatMap((script) => [
        `NotoSans${script}-Regular.ttf`,
        `NotoSans${script}-Bold.ttf`,
      ]),
      ...words(OTHER_SCRIPTS).map((script) => `NotoSans${script}-Regular.ttf`),
      ...words(SERIF_SCRIPTS).map((script) => `NotoSerif${script}-Regular.ttf`),
    ],
  },
];
