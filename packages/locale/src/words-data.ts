import { toCardinal as cs } from 'n2words/cs-CZ';
import { toCardinal as de } from 'n2words/de-DE';
import { toCardinal as enGB } from 'n2words/en-GB';
import { toCardinal as enIN } from 'n2words/en-IN';
import { toCardinal as en } from 'n2words/en-US';
import { toCardinal as es } from 'n2words/es-ES';
import { toCardinal as frBE } from 'n2words/fr-BE';
import { toCardinal as fr } from 'n2words/fr-FR';
import { toCardinal as hu } from 'n2words/hu-HU';
import { toCardinal as id } from 'n2words/id-ID';
import { toCardinal as it } from 'n2words/it-IT';
import { toCardinal as ja } from 'n2words/ja-JP';
import { toCardinal as ko } from 'n2words/ko-KR';
import { toCardinal as lt } from 'n2words/lt-LT';
import { toCardinal as lv } from 'n2words/lv-LV';
import { toCardinal as nl } from 'n2words/nl-NL';
import { toCardinal as pl } from 'n2words/pl-PL';
import { toCardinal as ru } from 'n2words/ru-RU';
import { toCardinal as th } from 'n2words/th-TH';
import { toCardinal as tr } from 'n2words/tr-TR';
import { toCardinal as uk } from 'n2words/uk-UA';
import { toCardinal as vi } from 'n2words/vi-VN';

/**
 * The languages for which n2words returns the words of Python's num2words, or better ones; see
 * docs/languages.md.
 */

export type Spelling = (value: bigint | string) => string;

/** Corrects the library's Spanish words: `dieciséis`, `veintiún mil`. */
const spanish: Spelling = (value) =>
  es(value)
    .replaceAll('dieciseis', 'dieciséis')
    .replaceAll(/veintiuno(?= mil)/g, 'veintiún')
    .replaceAll(/uno(?= mil)/g, 'un');

/**
 * Corrects the library's Italian words: thousands are joined with the rest, and only a final syllable has an
 * accent.
 */
const italian: Spelling = (value) =>
  it(value)
    .replaceAll(/(mila|mille) e (?=\p{L})/gu, '$1')
    .replaceAll(/tré(?=\p{L})/gu, 'tre');

/** Replaces a Latin letter in the library's Cyrillic words. */
const ukrainian: Spelling = (value) => uk(value).replaceAll('i', 'і');

/** Functions by language, and by language and region if these differ. */
export const SPELLINGS: ReadonlyMap<string, Spelling> = new Map<string, Spelling>(
  Object.entries({
    cs,
    de,
    en,
    'en-AU': enGB,
    'en-GB': enGB,
    'en-IE': enGB,
    'en-IN': enIN,
    'en-NZ': enGB,
    'en-ZA': enGB,
    es: spanish,
    fr,
    'fr-BE': frBE,
    'fr-CH': frBE,
    hu,
    id,
    it: italian,
    ja,
    ko,
    lt,
    lv,
    nl,
    pl,
    ru,
    th,
    tr,
    uk: ukrainian,
    vi,
  }),
);
