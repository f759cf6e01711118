import { append } from '../model/lists.ts';
import type { Letter } from './letters.ts';

/** The logical order of lines that run from right to left, in part or as a whole (UAX 9). */

const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Hanifi_Rohingya}\ufb1d-\ufdff\ufe70-\ufefe]/u; // prettier-ignore
const LETTER = /\p{L}/u;
/** European and Arabic digits, which run from left to right. */
const DIGIT = /\p{Nd}/u;

type Kind = 'right' | 'left' | 'number' | 'neutral';

function kindOf(text: string): Kind {
  // Arabic digits belong to the script.
  if (DIGIT.test(text)) return 'number';
  if (RIGHT_TO_LEFT.test(text)) return 'right';
  return LETTER.test(text) ? 'left' : 'neutral';
}

/** Signs that belong to numbers beside them (UAX 9, ET). */
const SIGN = /^[-+#$%¢-¥°‰₠-₿]$/u;

function kindsOf(letters: readonly Letter[]): Kind[] {
  const kinds = letters.map(({ text }) => kindOf(text));
  return kinds.map((kind, at) =>
    SIGN.test(letters[at]?.text ?? '') && (kinds[at - 1] === 'number' || kinds[at + 1] === 'number')
      ? 'number'
      : kind,
  );
}

export function runsRightToLeft(text: string): boolean {
  return kindOf(text) === 'right';
}

/** Separators within numbers, such as dates (UAX 9, CS and ES). */
const SEPARATOR = /^[-+./,:\u2212]$/u;
/** Punctuation that follows a word without a blank. */
const PUNCTUATION = /^[.,:;!?%]$/u;

/**
 * The letters of a line in logical order.
 *
 * @param letters from left to right
 * @param isRightToLeft whether the line as a whole runs from right to left
 */
export function inLogicalOrder(letters: readonly Letter[], isRightToLeft: boolean): Letter[] {
  const kinds = kindsOf(letters);
  const first = isRightToLeft ? 0 : kinds.indexOf('right');
  if (first === -1) return [...letters];
  if (isRightToLeft) return reversed(letters, kinds);
  const ordered: Letter[] = [];
  for (let at = 0; at < letters.length;) {
    const end = kinds[at] === 'right' ? endOfRun(kinds, at) : at + 1;
    const run = letters.slice(at, end);
    append(ordered, end > at + 1 ? reversed(run, kinds.slice(at, end)) : run);
    at = end;
  }
  return ordered;
}

/** The end of a run between letters that run from right to left. */
function endOfRun(kinds: readonly Kind[], start: number): number {
  let end = start + 1;
  for (let at = start + 1; at < kinds.length && kinds[at] !== 'left'; at++) {
    if (kinds[at] === 'right') end = at + 1;
  }
  return end;
}

/** Reverses letters, but not the numbers and other runs from left to right among them. */
function reversed(letters: readonly Letter[], kinds: readonly Kind[]): Letter[] {
  const ordered: Letter[] = [];
  for (let end = letters.length; end > 0;) {
    let start = end - 1;
    if (kinds[start] === 'left' || kinds[start] === 'number' || endsRun(letters, kinds, start)) {
      for (let at = start - 1; at >= 0; at--) {
        if (kinds[at] === 'neutral') continue;
        if (kinds[at] === 'right' || !isOneRun(letters, kinds, at, start)) break;
        start = at;
      }
    }
    append(ordered, letters.slice(start, end));
    end = start;
  }
  return ordered;
}

/**
 * Returns whether punctuation stands at the right end of a run from left to right, such as the period of "No." where
 * the line ends before its number. At the end of a sentence, it would stand at the left end.
 */
function endsRun(letters: readonly Letter[], kinds: readonly Kind[], at: number): boolean {
  const [text = '', next = ''] = [letters[at]?.text, letters[at + 1]?.text];
  return kinds[at - 1] === 'left' && PUNCTUATION.test(text) && next.trim() === '';
}

/** Returns whether the letters between two places belong to a run with them. */
function isOneRun(letters: readonly Letter[], kinds: readonly Kind[], at: number, start: number): boolean {
  if (start - at <= 1) return true;
  // After a letter, numbers belong to it; other numbers are joined by a separator alone.
  if (kinds[at] === 'left') return true;
  return start - at === 2 && kinds[start] === 'number' && SEPARATOR.test(letters[at + 1]?.text ?? '');
}
const PAIRS = '()[]{}<>«»‹›⟨⟩⟪⟫≤≥';
const MIRRORED = new Map(
  [...PAIRS].map((char, index, all) => [char, all[index % 2 === 0 ? index + 1 : index - 1] ?? char]),
);

/** The other one of a pair of brackets; any other character as it is. */
export function mirrored(text: string): string {
  return MIRRORED.get(text) ?? text;
}
