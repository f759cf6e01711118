import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { FAMILIES } from '@platen/pdf/text/families';

/** Chooses the fonts for an SVG's text: those of the fonts layer, whatever the SVG requests. */

/** Fallback fonts by the characters that need them; the first matching entry is used. */
const SCRIPTS: readonly { characters: RegExp; files: RegExp }[] = [
  { characters: /[\u3040-\u30ff]/u, files: /^NotoSansJP_/ },
  { characters: /[\uac00-\ud7af\u1100-\u11ff]/u, files: /^NotoSansKR_/ },
  { characters: /[\u3105-\u312f]/u, files: /^NotoSansTC_/ },
  { characters: /\p{Script=Han}|[\u3000-\u303f\uff00-\uffef]/u, files: /^NotoSansSC_/ },
];
const OTHER_SCRIPTS: readonly { characters: RegExp; files: RegExp }[] = [
  { characters: /\p{Script=Arabic}/u, files: /^NotoSansArabic_/ },
  { characters: /\p{Script=Devanagari}/u, files: /^NotoSansDevanagari_/ },
  { characters: /\p{Script=Thai}/u, files: /^NotoSansThai_/ },
  { characters: /[\u2190-\u2bff]/u, files: /^NotoSansSymbols2?_/ },
  { characters: /[\u2200-\u22ff\u{1d400}-\u{1d7ff}]/u, files: /^NotoSansMath_/ },
  { characters: /\p{Extended_Pictographic}/u, files: /^NotoColorEmoji/ },
  // All other characters beyond Latin-1: Latin with diacritics, Greek, Cyrillic, Vietnamese.
  { characters: /[\u0100-\u2fff]/u, files: /^NotoSans-/ },
];
const BASIC = /^(Arimo|Tinos|Cousine|Carlito|Caladea)_/;

/** Returns whether the SVG contains text. */
export function hasText(svg: string): boolean {
  return /<([\w.-]+:)?text[\s>]/.test(svg);
}

/** Returns the font files that the text needs. */
export function fontFilesFor(svg: string, folder: string): string[] {
  const text = withoutCharacterReferences(svg);
  const ideographic = SCRIPTS.find(({ characters }) => characters.test(text));
  const wanted = [
    BASIC,
    ...(ideographic === undefined ? [] : [ideographic.files]),
    ...OTHER_SCRIPTS.filter(({ characters }) => characters.test(text)).map(({ files }) => files),
  ];
  return readdirSync(folder)
    .filter((name) => wanted.some((pattern) => pattern.test(name)))
    .map((name) => join(folder, name));
}

function withoutCharacterReferences(text: string): string {
  return text.replace(/&#(x[0-9a-f]{1,6}|\d{1,7});/gi, (reference, digits: string) => {
    const code = digits.startsWith('x') ? Number.parseInt(digits.slice(1), 16) : Number(digits);
    return code <= 0x10ffff ? String.fromCodePoint(code) : reference;
  });
}

const FALLBACK = 'Arimo';
/** CSS leaves the initial font to the reader; browsers use a Times. */
const INITIAL = 'Tinos';
const BY_NAME = new Map(
  Object.entries(FAMILIES).flatMap(([family, names]) => names.map((name) => [name, family])),
);
/**
 * A known name that is a complete entry of the list: after its beginning, a comma, or the size in the
 * shorthand. Longer names come first, or "Courier New" would become "Cousine New".
 */
const NAMES = new RegExp(
  `(^\\s*|,\\s*|\\d(?:[a-z]{1,3}|%)\\s+)(["']?)(${[...BY_NAME.keys()].sort((a, b) => b.length - a.length).join('|')})\\2(?=\\s*(?:,|$))`,
  'gi',
);

/**
 * Replaces known font families by those of the layer and appends one to every list: the engine uses the first
 * family it has, does not know generic ones, and omits text when it has none.
 *
 * @param own further available families, by their own names
 */
export function withKnownFonts(svg: string, own: readonly string[] = []): string {
  const names = new Set(own.map((family) => family.toLowerCase()));
  const families = (list: string): string => withFamilies(list, names);
  return withInitialFont(svg)
    .replace(/(font-family\s*=\s*)("[^"<]*"|'[^'<]*')/g, (_, name: string, value: string) => {
      const quote = value.charAt(0);
      return `${name}${quote}${families(value.slice(1, -1))}${quote}`;
    })
    .replace(
      // The limit exceeds every list of families: a group per character of many megabytes would exhaust the regex engine.
      // bounded: at most 10,000 characters after each property name
      /((?<![\w-])font(?:-family)?\s*:)((?:"[^"<>=]*"|'[^'<>=]*'|[^;}"'<>]){1,10000})/g,
      (_, name: string, value: string) => `${name}${families(value)}`,
    );
}

function withFamilies(list: string, own: ReadonlySet<string>): string {
  // `!important` follows the list.
  const mark = list.indexOf('!');
  const families = mark === -1 ? list : list.slice(0, mark);
  const rest = mark === -1 ? '' : list.slice(mark);
  const known = families
    // Removes the line height from the `font` shorthand: SVG does not use it, and the engine cannot parse it.
    .replace(/(?<![\w.%])(\d[\w.%]*)\s*\/\s*[\w.%]+/, '$1')
    .replace(NAMES, (whole: string, before: string, _quote, name: string) =>
      own.has(name.toLowerCase()) ? whole : before + (BY_NAME.get(name.toLowerCase()) ?? name),
    );
  return `${known.trimEnd()}, ${FALLBACK} ${rest}`.trimEnd();
}

function withInitialFont(svg: string): string {
  return svg.replace(/<([\w.-]+:)?svg(?=[\s/>])[^>]*/, (tag) =>
    /\sfont-family\s*=/.test(tag)
      ? tag
      : tag.replace(/^<\S+?svg|^<svg/, (start) => `${start} font-family="${INITIAL}"`),
  );
}
