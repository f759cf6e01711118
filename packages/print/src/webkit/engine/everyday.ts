import { type Bundle, sheetTexts } from '../../bundle.ts';
import { EVERYDAY_CHARACTERS, EVERYDAY_FAMILIES, everydayFamily } from '../../fonts/everyday.ts';
import { GENERIC_FAMILIES } from '../../fonts/generic.ts';

/**
 * WebKit writes each font of a document whole into its PDF, which takes up to a third of the time of a printing
 * (decision record 0082). So documents that have only everyday characters are printed with fonts that have only these.
 */

type Range = readonly [first: number, last: number];

/** Matches a text with no other characters; line breaks and tabs are no text. */
const IS_EVERYDAY = new RegExp(
  `^[\\t\\n\\f\\r${EVERYDAY_CHARACTERS.map(([first, last]) => `${unit(first)}-${unit(last)}`).join('')}]*$`,
);

function unit(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`;
}

/** Own fonts of the document: then its own rules define which font has which character. */
const HAS_FONTS = /@font-face|FontFace/i;

/** The fonts with which a document is printed. */
export interface DocumentFonts {
  /** Rules for the user's style sheet. */
  rules: string;
  /** The families of text without one, and of the generic families. */
  generic: Record<keyof typeof GENERIC_FAMILIES, string>;
}

/** The whole fonts, for any document. */
export const WHOLE_FONTS: DocumentFonts = { rules: '', generic: GENERIC_FAMILIES };

/** Returns the fonts of a document: the everyday parts if it has no other characters, and no fonts of its own. */
export function fontsFor({ html, files }: Bundle): DocumentFonts {
  if (!IS_EVERYDAY.test(html)) return WHOLE_FONTS;
  const texts = [html, ...sheetTexts(files)];
  if (texts.some((text) => HAS_FONTS.test(text))) return WHOLE_FONTS;
  const { default: family, serif, 'sans-serif': sansSerif, monospace } = GENERIC_FAMILIES;
  return {
    rules: rulesFor(texts),
    generic: texts.some(mayMakeOthers)
      ? GENERIC_FAMILIES
      : {
          // Rules apply to this one.
          default: family,
          serif: everydayFamily(serif),
          'sans-serif': everydayFamily(sansSerif),
          monospace: everydayFamily(monospace),
        },
  };
}

/**
 * Matches scripts, other documents, and features that show characters which are not written. A generic family cannot
 * be made of two fonts by rules, so that such characters would come from another family.
 */
const MAKES_OTHERS =
  /<script|\bon[a-z]{3,30}\s{0,20}=|javascript:|<i?frame|<object|<embed|<details|password|greek|hebrew|disclosure|full-width|text-emphasis|@counter-style/i;

/** Named character references within the everyday characters, of those that documents use most. */
const EVERYDAY_REFERENCE =
  /^(?:amp|lt|gt|quot|apos|nbsp|shy|copy|reg|trade|euro|pound|yen|cent|sect|deg|para|middot|bull|hellip|[nm]dash|[lrsb][sd]quo|bdquo|[lr]aquo|times|divide|plusmn|micro|frac(?:12|14|34)|sup[123]|ordm|ordf|thinsp|e[nm]sp|szlig|(?:ae|oe)lig|[a-z](?:uml|acute|grave|circ|tilde|cedil|ring|slash|caron))$/i;

function mayMakeOthers(text: string): boolean {
  if (MAKES_OTHERS.test(text) || !IS_EVERYDAY.test(text)) return true;
  const codes = text.matchAll(/&(?:#x([0-9a-f]{1,8})|#(\d{1,8})|([a-z][a-z0-9]*))|\\([0-9a-f]{1,6})/gi);
  return [...codes].some(([, hex, decimal, name, escaped]) => {
    if (name !== undefined) return !EVERYDAY_REFERENCE.test(name);
    const code = decimal === undefined ? Number.parseInt(hex ?? escaped ?? '', 16) : Number(decimal);
    return !EVERYDAY_CHARACTERS.some(([first, last]) => code >= first && code <= last);
  });
}

/** Where families are named; one that is named elsewhere is the whole font. */
const FONTS_DECLARED = /(?:font|face)[^;}>]{1,300}/gi;

/**
 * Returns rules by which the everyday characters of the families that a document names come from small fonts. All
 * others, which scripts and character references may add, come from the whole fonts, as without these rules.
 */
function rulesFor(texts: readonly string[]): string {
  const declared = texts.flatMap((text) => text.match(FONTS_DECLARED) ?? []).join('\n');
  const isNamed = (name: string): boolean => new RegExp(`(?<![\\w-])${name}(?![\\w-])`, 'i').test(declared);
  return Object.entries(EVERYDAY_FAMILIES)
    .flatMap(([family, names]) =>
      names
        .filter((name) => name === GENERIC_FAMILIES.default || isNamed(name))
        .map((name) => facesOf(name, family)),
    )
    .join('');
}

const OTHERS = complement(EVERYDAY_CHARACTERS);

/** Returns the ranges of Unicode outside the given ranges, which are sorted. */
function complement(ranges: readonly Range[]): Range[] {
  const ends = [-1, ...ranges.map(([, last]) => last)];
  const starts = [...ranges.map(([first]) => first), 0x110000];
  return ends.map((end, index) => [end + 1, (starts[index] ?? 0) - 1] as const);
}

function facesOf(name: string, family: string): string {
  return [400, 700]
    .flatMap((weight) => ['normal', 'italic'].map((style) => `font-weight:${weight};font-style:${style};`))
    .map(
      (descriptors) =>
        face(name, everydayFamily(family), descriptors, EVERYDAY_CHARACTERS) +
        face(name, family, descriptors, OTHERS),
    )
    .join('');
}

function face(name: string, local: string, descriptors: string, ranges: readonly Range[]): string {
  const range = ranges.map(([first, last]) => `U+${first.toString(16)}-${last.toString(16)}`).join(',');
  return `@font-face{font-family:"${name}";src:local("${local}");${descriptors}unicode-range:${range}}`;
}
