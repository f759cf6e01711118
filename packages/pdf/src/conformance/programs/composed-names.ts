import { characterOf, LATIN } from './names.ts';

/** Characters by glyph names of the Adobe Glyph List that encodings of fonts add to those of Latin. */

const ACCENTS: Readonly<Record<string, string>> = {
  acute: '\u0301',
  breve: '\u0306',
  caron: '\u030c',
  cedilla: '\u0327',
  circumflex: '\u0302',
  dieresis: '\u0308',
  dotaccent: '\u0307',
  grave: '\u0300',
  hungarumlaut: '\u030b',
  macron: '\u0304',
  ogonek: '\u0328',
  ring: '\u030a',
  tilde: '\u0303',
};
/** Letters with a comma below, which Unicode calls a cedilla except under S. */
const COMMA = { name: 'commaaccent', s: '\u0326', others: '\u0327' };

// prettier-ignore
const OTHERS: Readonly<Record<string, string>> = {
  Euro: '€', dcroat: 'đ', Dcroat: 'Đ', notequal: '≠', infinity: '∞', lessequal: '≤', greaterequal: '≥',
  partialdiff: '∂', summation: '∑', product: '∏', pi: 'π', integral: '∫', Omega: '\u2126', radical: '√',
  approxequal: '≈', Delta: '\u2206', lozenge: '◊', kgreenlandic: 'ĸ', Eng: 'Ŋ', eng: 'ŋ', Hbar: 'Ħ', hbar: 'ħ',
};

const GREEK = pairs(
  'Alpha Beta Gamma Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho Sigma Tau Upsilon Phi Chi Psi ' +
    'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda nu xi omicron rho sigma tau upsilon phi chi psi omega',
  'ΑΒΓΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨαβγδεζηθικλνξορστυφχψω',
);

function pairs(names: string, characters: string): ReadonlyMap<string, string> {
  return new Map(names.split(' ').map((name, index) => [name, characters[index] ?? '']));
}

/** The last code point of Unicode. */
const LAST = 0x10ffff;
const CYRILLIC = 'АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ';
/** The numbers of the first letters, capital and small. */
const [CAPITALS, SMALL] = [10017, 10065];

/** The character for a name such as `Zdotaccent`, `alpha` or `afii10017`; undefined for all others. */
export function composedCharacterOf(name: string): number | undefined {
  const text = OTHERS[name] ?? GREEK.get(name) ?? cyrillicOf(name) ?? accentedOf(name);
  return text?.codePointAt(0);
}

/**
 * A name of the list for a character that is named by its number, `uni0107`.
 *
 * @returns the same name for other names; undefined for a character without a known name
 */
export function listedName(name: string): string | undefined {
  if (!/^u(?:ni)?[\dA-F]{4,6}$/.test(name)) return name;
  const code = characterOf(name) ?? 0;
  if (code > LAST) return undefined;
  const text = String.fromCodePoint(code);
  const [letter = '', mark] = text.normalize('NFD');
  const accent = Object.entries(ACCENTS).find(([, one]) => one === mark)?.[0];
  const candidates = [
    ...LATIN,
    ...Object.keys(OTHERS),
    ...GREEK.keys(),
    ...Array.from(CYRILLIC, (_, index) =>
      [CAPITALS + index, SMALL + index].map((number) => `afii${number}`),
    ).flat(),
    `${letter}${accent ?? ''}`,
    `${letter}${COMMA.name}`,
  ];
  return candidates.find((one) => characterOf(one) === code || composedCharacterOf(one) === code);
}

function cyrillicOf(name: string): string | undefined {
  const number = Number(/^afii(\d{5})$/.exec(name)?.[1]);
  return CYRILLIC[number - CAPITALS] ?? CYRILLIC.toLowerCase()[number - SMALL];
}

function accentedOf(name: string): string | undefined {
  const letter = name.charAt(0);
  const accent = name.slice(1);
  const mark = accent === COMMA.name ? (/s/i.test(letter) ? COMMA.s : COMMA.others) : ACCENTS[accent];
  if (mark === undefined || !/[a-z]/i.test(letter)) return undefined;
  const composed = (letter + mark).normalize('NFC');
  return composed.length === 1 ? composed : undefined;
}
