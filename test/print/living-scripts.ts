/**
 * The scripts in use today: those that Unicode recommends (UAX 31, table 5) and those of limited use (table 7). Each
 * has one or two words with marks, ligatures or conjuncts, if the script has them.
 */
export interface LivingScript {
  name: string;
  language: string;
  text: string;
  /** Files of the fonts layer with glyphs of the script: any of them is correct. */
  fonts: readonly string[];
}

const NOTO = 'NotoSans';
const google = (name: string): string => `${name}_400Regular.ttf`;

const ROWS: readonly (readonly [name: string, language: string, text: string, font?: string])[] = [
  // The recommended scripts.
  ['Latin', 'vi', 'Tiếng Việt ffi žluťoučký ọ̀', 'NotoSans-Regular.ttf'],
  ['Greek', 'el', 'ἀρχὴ ᾧ Ελλάδα', 'NotoSans-Regular.ttf'],
  ['Cyrillic', 'ru', 'Русский ѝ Ӂ', 'NotoSans-Regular.ttf'],
  ['Arabic', 'ar', 'السَّلَامُ عَلَيْكُمْ لَا ٱللَّهِ', 'NotoSansArabic-Regular.ttf'],
  ['Armenian', 'hy', 'Հայերեն մեն'],
  ['Bengali', 'bn', 'বাংলা ক্ষত্রিয় র্ক'],
  ['Bopomofo', 'zh-TW', 'ㄅㄆㄇㄈ', google('NotoSansTC')],
  ['Devanagari', 'hi', 'हिन्दी क्षत्रिय र्क', google('NotoSansDevanagari')],
  ['Ethiopic', 'am', 'አማርኛ ፊደል'],
  ['Georgian', 'ka', 'ქართული ენა'],
  ['Gujarati', 'gu', 'ગુજરાતી ક્ષત્રિય'],
  ['Gurmukhi', 'pa', 'ਪੰਜਾਬੀ ਪ੍ਰੇਮ'],
  ['Han', 'zh-CN', '简体中文骨', google('NotoSansSC')],
  ['Hangul', 'ko', '한국어 값', google('NotoSansKR')],
  ['Hebrew', 'he', 'שָׁלוֹם עוֹלָם'],
  ['Hiragana', 'ja', 'ひらがな', google('NotoSansJP')],
  ['Kannada', 'kn', 'ಕನ್ನಡ ಕ್ಷತ್ರಿಯ'],
  ['Katakana', 'ja', 'カタカナ', google('NotoSansJP')],
  ['Khmer', 'km', 'ភាសាខ្មែរ ស្ត្រី'],
  ['Lao', 'lo', 'ພາສາລາວ ນ້ຳ'],
  ['Malayalam', 'ml', 'മലയാളം ക്ഷ സ്ത്രീ'],
  ['Myanmar', 'my', 'မြန်မာ ကြွေး'],
  ['Oriya', 'or', 'ଓଡ଼ିଆ କ୍ଷତ୍ର'],
  ['Sinhala', 'si', 'සිංහල ශ්‍රී'],
  ['Tamil', 'ta', 'தமிழ் க்ஷ ஸ்ரீ'],
  ['Telugu', 'te', 'తెలుగు క్ష స్త్రీ'],
  ['Thaana', 'dv', 'ދިވެހި'],
  ['Thai', 'th', 'ภาษาไทย น้ำ ที่', google('NotoSansThai')],
  ['Tibetan', 'bo', 'བོད་སྐད་ རྒྱ', 'NotoSerifTibetan-Regular.ttf'],
  // The scripts of limited use.
  ['Adlam', 'ff-Adlm', '𞤆𞤵𞤤𞤢𞤪'],
  ['Balinese', 'ban', 'ᬅᬓ᭄ᬱᬭ ᬩᬮᬶ'],
  ['Bamum', 'bax', 'ꚠꚡꚢꚣ'],
  ['Batak', 'btk', 'ᯅᯖᯂ᯲'],
  ['CanadianAboriginal', 'iu', 'ᐃᓄᒃᑎᑐᑦ'],
  ['Chakma', 'ccp', '𑄌𑄋𑄴𑄟𑄳𑄦'],
  ['Cham', 'cjm', 'ꨀꨇꩉ ꨌꩌ'],
  ['Cherokee', 'chr', 'ᏣᎳᎩ ꮳꮃꭹ'],
  ['HanifiRohingya', 'rhg', '𐴀𐴞𐴕𐴐𐴝'],
  ['Javanese', 'jv', 'ꦧꦱꦗꦮ ꦏ꧀ꦱ'],
  ['KayahLi', 'eky', 'ꤊꤢꤛ꤭'],
  ['Lepcha', 'lep', 'ᰛᰩᰴ ᰀᰤ'],
  ['Limbu', 'lif', 'ᤕᤠᤰᤌᤢᤱ'],
  ['Lisu', 'lis', 'ꓡꓲ-ꓢꓴ'],
  ['Mandaic', 'mid', 'ࡌࡀࡍࡃࡀ'],
  ['MeeteiMayek', 'mni', 'ꯃꯤꯇꯩ ꯃꯌꯦꯛ'],
  ['Miao', 'hmd', '𖼀𖽡 𖼊𖽪'],
  ['NewTaiLue', 'khb', 'ᦟᦲᧅᦷᦎ'],
  ['Newa', 'new', '𑐣𑐾𑐥𑐵𑐮 𑐎𑑂𑐲'],
  ['NKo', 'nqo', 'ߒߞߏ ߛߓߍ߫'],
  ['NyiakengPuachueHmong', 'hmn', '𞄀𞄄𞄰𞄩𞄰', 'NotoSerifNyiakengPuachueHmong-Regular.ttf'],
  ['OlChiki', 'sat', 'ᱚᱞ ᱪᱤᱠᱤ'],
  ['Osage', 'osa', '𐓏𐓘𐓻𐓘𐓻𐓟'],
  ['Saurashtra', 'saz', 'ꢱꣃꢬꢵꢰ꣄ꢜ꣄ꢬ'],
  ['Sundanese', 'su', 'ᮞᮥᮔ᮪ᮓ'],
  ['SylotiNagri', 'syl', 'ꠍꠤꠟꠐꠤ ꠇ꠆ꠡ'],
  ['Syriac', 'syr', 'ܣܘܪܝܝܐ ܐܳ'],
  ['TaiLe', 'tdd', 'ᥖᥭᥰᥖᥬᥳ'],
  ['TaiTham', 'nod', 'ᨲᩫ᩠ᩅᨾᩮᩬᩥᨦ'],
  ['TaiViet', 'blt', 'ꪼꪕꪒꪾ'],
  ['Tifinagh', 'zgh', 'ⵜⴰⵎⴰⵣⵉⵖⵜ'],
  ['Vai', 'vai', 'ꕙꔤ ꖁ'],
  ['Wancho', 'nnp', '𞋒𞋀𞋉𞋃𞋕'],
  ['Yi', 'ii', 'ꆈꌠꁱꂷ'],
];

export const LIVING_SCRIPTS: readonly LivingScript[] = ROWS.map(([name, language, text, font]) => ({
  name,
  language,
  text,
  // Chromium uses the default family for Hebrew.
  fonts: [font ?? `${NOTO}${name}-Regular.ttf`, ...(name === 'Hebrew' ? ['Tinos_400Regular.ttf'] : [])],
}));
