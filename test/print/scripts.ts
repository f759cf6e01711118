import { IS_LONG } from '../support/long.ts';
import { Random } from '../support/random.ts';

/** Documents in many scripts, for tests that a rendering does not depend on earlier ones. */

/** One or two words of each script, with the marks and ligatures that a font must have. */
const TEXTS: Readonly<Record<string, readonly [language: string, text: string]>> = {
  Latin: ['cs', 'Příliš žluťoučký kůň'],
  Greek: ['el', 'Ελληνική γλώσσα, ά ἀρχή'],
  Arabic: ['ar', 'العربية السَّلَامُ عليكم'],
  Urdu: ['ur', 'اردو زبان ٹھیک ہے'],
  Hebrew: ['he', 'שָׁלוֹם עולם'],
  Hindi: ['hi', 'हिन्दी भाषा क्षत्रिय'],
  Bengali: ['bn', 'বাংলা ভাষা ক্ষত্রিয়'],
  Japanese: ['ja', '日本語の骨、直角'],
  Chinese: ['zh-CN', '简体中文骨直角'],
  Taiwanese: ['zh-TW', '繁體中文骨直角'],
  Korean: ['ko', '한국어 骨 직각'],
};

export interface ScriptDocument {
  name: string;
  html: string;
}

/** Scripts that share letters with another one, in other shapes or fonts, and one that shares none. */
const SHARING = ['Latin', 'Arabic', 'Urdu', 'Japanese', 'Taiwanese'];

/** Returns the documents that tests print: all of them in `npm run test:long`, which takes minutes. */
export function testedDocuments(): ScriptDocument[] {
  const all = scriptDocuments();
  if (IS_LONG) return all;
  return all.filter(({ name }) => SHARING.includes(name.split(/,| with /)[0] ?? ''));
}

/**
 * Returns about thirty documents: each script in its own language, in bold and italics without a language, and beside a
 * script that another document has too.
 */
export function scriptDocuments(): ScriptDocument[] {
  const scripts = Object.entries(TEXTS);
  return scripts.flatMap(([name, [language, text]], index) => {
    const [otherName, [, other]] = scripts[(index * 7 + 2) % scripts.length] as (typeof scripts)[number];
    return [
      { name, html: `<html lang="${language}"><h1>${text}</h1><p>${text} €1,234.50 ✓` },
      {
        name: `${name}, no language`,
        html: `<p style="font-family:Arial"><b>${text}</b> <i>${text}</i> ± ≤ 😀`,
      },
      {
        name: `${name} with ${otherName}`,
        html: `<html lang="${language}"><p>${text}<p style="font-family:serif">${other}`,
      },
    ];
  });
}

/** Returns a document with a drawing of text in each script, in generic families by turns. */
export function drawnDocument(isShown: (index: number) => boolean = () => true): string {
  const drawings = Object.values(TEXTS).map(([language, text], index) => {
    const family = ['serif', 'sans-serif', 'monospace'][index % 3];
    const drawn = `<text y="30" font-size="24" font-family="${family}">${text}</text>`;
    return isShown(index) ? `<svg lang="${language}" width="400" height="50">${drawn}</svg>` : '';
  });
  return drawings.map((drawing) => `<div style="height:50px">${drawing}</div>`).join('');
}

/** Returns the same elements in an order that depends only on the seed. */
export function shuffled<T>(elements: readonly T[], seed: number): T[] {
  const random = new Random(seed);
  return elements
    .map((element) => ({ element, place: random.next() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ element }) => element);
}
