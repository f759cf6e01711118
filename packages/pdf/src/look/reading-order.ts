import type { PageText, TextChar } from '../pdfium/text.ts';

/** A word with its place on the page, in points from the top left. */
export interface Word {
  text: string;
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Consecutive characters in the content with the same marked content. */
interface Run {
  chars: readonly TextChar[];
  /** Its position in the content. */
  index: number;
  block: number;
}

const LINE_END: Omit<TextChar, 'text'> = { left: 0, top: 0, right: 0, bottom: 0, mark: -1 };

/**
 * Returns the characters of a page in reading order: that of the tags, if there are any, followed by untagged
 * characters; otherwise the order of the content.
 */
export function inReadingOrder({ chars, order }: PageText): TextChar[] {
  if (order.length === 0) return chars;
  const places = new Map(order.map(({ mark, block }, place) => [mark, { place, block }]));
  const runs = runsOf(chars).map((run, index) => {
    const known = places.get(run[0]?.mark ?? -1);
    return { chars: run, index, block: known?.block ?? 0, place: known?.place ?? order.length };
  });
  // Characters of the same element keep their order.
  const sorted = runs.toSorted((a, b) => a.place - b.place);
  return sorted.flatMap((run, at) => joined(sorted[at - 1], run));
}

function runsOf(chars: readonly TextChar[]): TextChar[][] {
  const runs: TextChar[][] = [];
  for (const char of chars) {
    const last = runs.at(-1);
    if (last?.[0]?.mark === char.mark) last.push(char);
    else runs.push([char]);
  }
  return runs;
}

/** A run, preceded by the separator from the run before if that was elsewhere in the content. */
function joined(before: Run | undefined, run: Run): readonly TextChar[] {
  if (before === undefined || before.index === run.index - 1) return run.chars;
  const last = before.chars.at(-1)?.text ?? '';
  const isParted = before.block === run.block ? /\s/.test(last) : /[\r\n]/.test(last);
  return isParted
    ? run.chars
    : [{ ...LINE_END, text: before.block === run.block ? ' ' : '\n' }, ...run.chars];
}

/** A page as text with uniform line ends and without trailing spaces. */
export function plainText(chars: readonly TextChar[]): string {
  const lines = chars
    .map(({ text }) => text)
    .join('')
    .split(/\r\n|\r|\n/);
  return lines
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();
}

/** The words, separated by white space. */
export function wordsOf(chars: readonly TextChar[]): Word[] {
  const words: Word[] = [];
  let word: Word | undefined;
  for (const { text, left, top, right, bottom } of chars) {
    if (/^\s$/.test(text)) {
      word = undefined;
    } else if (word === undefined) {
      word = { text, left, top, right, bottom };
      words.push(word);
    } else {
      word.text += text;
      word.left = Math.min(word.left, left);
      word.top = Math.min(word.top, top);
      word.right = Math.max(word.right, right);
      word.bottom = Math.max(word.bottom, bottom);
    }
  }
  return words;
}
