import type { Random } from '../support/random.ts';
import { LIVING_SCRIPTS, type LivingScript } from './living-scripts.ts';

/** Artificial words of letters with marks above, below and on one another, which a font has to attach. */

interface Letters {
  letters: readonly string[];
  marks: readonly string[];
  /** Most marks on one letter. */
  most: number;
}

const from = (first: number, last: number): string[] =>
  Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index));
const characters = (text: string): string[] => Array.from(text);

const SCRIPTS: Readonly<Record<string, Letters>> = {
  Arabic: {
    letters: characters('بتثجحخدذرزسشصضطظعغفقكلمنهويلالاپچژگٹڈڑںےۓ'),
    marks: from(0x64b, 0x655),
    most: 2,
  },
  Hebrew: { letters: from(0x5d0, 0x5ea), marks: from(0x5b0, 0x5bc), most: 1 },
  Thai: { letters: from(0xe01, 0xe2e), marks: [...from(0xe34, 0xe39), 'ี่', 'ื้', 'ุ่', 'ั้'], most: 1 },
  Lao: {
    letters: ['ກ', 'ຂ', 'ຄ', 'ງ', 'ຈ', 'ປ', 'ຝ', 'ຟ', 'ມ'],
    marks: ['ັ', 'ິ', 'ຸ', 'ູ', 'ີ່', 'ຸ່', 'ໍ່'],
    most: 1,
  },
  NKo: { letters: from(0x7ca, 0x7ea), marks: from(0x7eb, 0x7f3), most: 1 },
  Latin: { letters: characters('abcdefghijklmnopqrstuvwxyzAEOÅĆ'), marks: characters('̧̛̣̱̀́̂̃̄̊'), most: 2 },
  Greek: { letters: characters('αεηιουωΑ'), marks: characters('̀́̓̔͂ͅ'), most: 2 },
  Cyrillic: { letters: characters('абвгдежзиклмноП'), marks: characters('̀́̆̈҃'), most: 1 },
  Thaana: { letters: from(0x780, 0x7a5), marks: from(0x7a6, 0x7b0), most: 1 },
  Syriac: { letters: characters('ܐܒܓܕܗܘܙܚܛܝܟܠܡܢܣܥܦܨܩܪܫܬ'), marks: from(0x730, 0x74a), most: 1 },
  Devanagari: {
    letters: from(0x915, 0x928),
    marks: ['ि', 'ी', 'ु', 'ू', 'े', 'ै', 'ं', 'ँ', 'ीं', 'ें', '्र'],
    most: 1,
  },
  Tibetan: { letters: from(0xf40, 0xf42), marks: ['ི', 'ུ', 'ེ', 'ོ', 'ྱ', 'ྲ', 'ྲི', 'ྱུ', 'ཾ'], most: 1 },
  Khmer: { letters: from(0x1780, 0x1794), marks: ['ា', 'ិ', 'ី', 'ុ', 'ូ', 'ំ', '្ក', '្ត', '្ត្រ', '៊ី'], most: 1 },
  Myanmar: { letters: from(0x1000, 0x1010), marks: ['ာ', 'ိ', 'ု', 'ံ', '့', 'ျ', 'ြ', 'ွ', 'ှ', 'ို', 'ုံ'], most: 1 },
  Adlam: { letters: from(0x1e922, 0x1e943), marks: from(0x1e944, 0x1e94a), most: 1 },
  Chakma: {
    letters: from(0x11103, 0x11126),
    marks: [...from(0x11100, 0x11102), ...from(0x11127, 0x1112a)],
    most: 1,
  },
};

/** @returns for each script as many words of four letters as requested, the same ones for the same numbers */
export function markedWords(random: Random, count: number): LivingScript[] {
  const several = (length: number, make: () => string, between = ''): string =>
    Array.from({ length }, make).join(between);
  return Object.entries(SCRIPTS).map(([name, { letters, marks, most }]) => {
    const script = LIVING_SCRIPTS.find((each) => each.name === name);
    if (script === undefined) throw new Error(`${name} is not among the living scripts`);
    const letter = (): string =>
      random.pick(letters) + several(random.below(most + 1), () => random.pick(marks));
    return { ...script, name: `${name}, marked`, text: several(count, () => several(4, letter), ' ') };
  });
}
