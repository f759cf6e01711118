import { inLogicalOrder, mirrored, runsRightToLeft } from '../glyphs/direction.ts';
import { BLANK, BROKEN, type Letter, separation, UNKNOWN } from '../glyphs/letters.ts';
import { cellsOf, columnLines, linesOf, sortedByPlace } from '../glyphs/lines.ts';

/** Puts letters together to lines as a reader sees them. */

/** Letters that follow one another in a line, in the order in which they are shown. */
interface Segment {
  letters: Letter[];
  left: number;
  right: number;
}

/** A line of text with its letters in logical order; blanks are letters too. */
export type TextLine = readonly Letter[];

/** Part of the size by which letters of a segment may stand before the last one, as accents do. */
const BACK = 0.5;
/** Part of the size of a gap between words: less than the narrowest blanks. */
const WORD_GAP = 0.11;
/** Part of the size from which text to the left is not part of the same line. */
const FAR = 3;
/** Part of the size by which copies of a text may stand apart. */
const COPY = 0.5;
/** Number of segments before a segment that are compared with it. */
const COPIES = 40;

/** Minimum number of segments of a text that is shown letter by letter. */
const MANY = 40;

/** The lines of letters in reading order. */
export function textLines(letters: readonly Letter[]): TextLine[] {
  const known = letters.filter(({ text }) => text !== UNKNOWN);
  const segments = withoutCopies(segmentsOf(known));
  const isScattered = segments.length > MANY && known.length < 2 * segments.length;
  const lines = isScattered ? scatteredLines(segments) : joinedLines(segments);
  return lines.map((line) => logicalLine(spaced(line))).filter((line) => line.length > 0);
}

function segmentsOf(letters: readonly Letter[]): Segment[] {
  const segments: Segment[] = [];
  let before: Letter | undefined;
  for (const letter of letters) {
    const last = segments.at(-1);
    if (last !== undefined && before !== undefined && follows(before, letter)) {
      last.letters.push(letter);
      last.left = Math.min(last.left, letter.left);
      last.right = Math.max(last.right, letter.right);
    } else segments.push({ letters: [letter], left: letter.left, right: letter.right });
    before = letter;
  }
  return segments;
}

/** Returns whether a letter continues the line of another one, to the right or directly to the left. */
function follows(before: Letter, letter: Letter): boolean {
  if (separation(before, letter) === BROKEN) return false;
  const size = Math.max(before.size, letter.size);
  return letter.left > before.left - BACK * size || Math.abs(before.left - letter.right) < BACK * size;
}

/** Leaves out text that is drawn again in nearly the same place: shadows, outlines, bold text. */
function withoutCopies(segments: readonly Segment[]): Segment[] {
  const kept: Segment[] = [];
  const texts: string[] = [];
  for (const segment of segments) {
    const text = segment.letters.map((letter) => letter.text).join('');
    const first = segment.letters[0];
    let isCopy = false;
    for (let at = Math.max(0, kept.length - COPIES); at < kept.length && !isCopy; at++) {
      const other = kept[at];
      isCopy = texts[at] === text && other !== undefined && isNear(other, segment, first);
    }
    if (isCopy) continue;
    kept.push(segment);
    texts.push(text);
  }
  return kept;
}

function isNear(one: Segment, other: Segment, first: Letter | undefined): boolean {
  const start = one.letters[0];
  if (start === undefined || first === undefined || start.angle !== first.angle) return false;
  const most = Math.min(COPY * first.size, Math.max(0.5 * (other.right - other.left), 0.1));
  return Math.abs(one.left - other.left) < most && Math.abs(start.level - first.level) < COPY * first.size;
}

/** Joins segments that stand in the line of the one before them. */
function joinedLines(segments: readonly Segment[]): Letter[][] {
  const lines: Segment[][] = [];
  let base: Letter | undefined;
  for (const segment of segments) {
    const line = lines.at(-1);
    const first = segment.letters[0];
    if (first === undefined) continue;
    if (
      line !== undefined &&
      base !== undefined &&
      separation(base, first) !== BROKEN &&
      fits(line, segment, base)
    ) {
      line.push(segment);
      if (first.size > base.size) base = first;
    } else {
      lines.push([segment]);
      base = first;
    }
  }
  return lines.map(inPlaceOrder);
}

/** Part of the size by which a mark may stand before the end of its letter. */
const MARK_BEFORE = 0.1;
/** Maximum number of letters that are shown before a mark and stand behind it. */
const MARK_BEHIND = 200;

/** The letters of segments from left to right. */
function inPlaceOrder(line: readonly Segment[]): Letter[] {
  const sorted = line.toSorted((a, b) => a.left - b.left).flatMap(({ letters }) => leftToRight(letters));
  // From right to left, marks precede their letters, as they are shown.
  if (sorted.some(({ text }) => runsRightToLeft(text))) return sorted;
  const isFilled = line.some((one) => line.some((other) => other.left > one.left && other.right < one.right));
  if (isFilled && line.length < COMPARED && !sorted.some(({ text }) => MARK.test(text)))
    return sortedByPlace(sorted);
  // Otherwise, programs may show marks after the letters that follow them.
  const ordered: Letter[] = [];
  for (const letter of sorted) {
    let at = ordered.length;
    // Marks of the same letter keep their order.
    const isAfter = (other: Letter | undefined): boolean =>
      other !== undefined &&
      other.left > letter.left + (MARK.test(other.text) ? 1 : -1) * MARK_BEFORE * letter.size &&
      other.right > letter.left + MARK_BEFORE * letter.size;
    if (MARK.test(letter.text))
      while (at > Math.max(1, ordered.length - MARK_BEHIND) && isAfter(ordered[at - 1])) at--;
    ordered.splice(at, 0, letter);
  }
  return ordered;
}

const MARK = /^\p{M}/u;

/** Returns whether a segment continues a line, or fills a gap in it. */
function fits(line: readonly Segment[], segment: Segment, { size }: Letter): boolean {
  const [left, right] = [Math.min(...line.map((one) => one.left)), Math.max(...line.map((one) => one.right))];
  const slack = 0.3 * size;
  if (segment.left > right - slack) return true;
  const isRightToLeft = [...(line[0]?.letters ?? []), ...segment.letters].some(({ text }) =>
    runsRightToLeft(text),
  );
  if (segment.right < left + slack) return isRightToLeft || left - segment.right < FAR * size;
  return line.every((one) => isBetween(segment, one, slack));
}

/** Number of letters of a line that are compared with a segment in it. */
const COMPARED = 500;

/** Returns whether a segment stands beside another one, or in a gap of it. */
function isBetween(segment: Segment, { left, right, letters }: Segment, slack: number): boolean {
  if (segment.left > right - slack || segment.right < left + slack) return true;
  return letters
    .slice(-COMPARED)
    .every(
      (one) => BLANK.test(one.text) || segment.left > one.right - slack || segment.right < one.left + slack,
    );
}

/** Letters that are shown from right to left, in the order in which they stand. */
function leftToRight(letters: readonly Letter[]): Letter[] {
  const [first, last] = [letters[0], letters.at(-1)];
  return first !== undefined && last !== undefined && last.left < first.left
    ? letters.toReversed()
    : [...letters];
}

/** The lines of a page whose letters are shown one by one, in any order. */
function scatteredLines(segments: readonly Segment[]): Letter[][] {
  const lines = linesOf(segments.flatMap(({ letters }) => letters));
  return columnLines(cellsOf(lines)).map(({ letters }) => letters);
}

/** The letters of a line, with a blank in each gap and nowhere else. */
function spaced(letters: readonly Letter[]): Letter[] {
  const line: Letter[] = [];
  const usual = usualGaps(letters.filter(({ text }) => !BLANK.test(text)));
  let before: Letter | undefined;
  let [hasBlank, at] = [false, 0];
  for (const letter of letters) {
    if (BLANK.test(letter.text)) {
      hasBlank = true;
      continue;
    }
    const gap = before === undefined ? -1 : letter.left - before.right;
    const size = Math.max(letter.size, before?.size ?? 0);
    if (before !== undefined && (hasBlank || gap > (usual[at] ?? 0) + WORD_GAP * size))
      line.push({ ...letter, text: ' ', glyphs: [], left: before.right, right: letter.left });
    line.push(letter);
    before = letter;
    hasBlank = false;
    at++;
  }
  return line;
}

/** Part of the size up to which letters of a word may be spaced; characters farther apart are in columns. */
const SPACED = 0.35;

const LETTER = /[\p{L}\p{N}]/u;

/** Minimum number of other gaps that tell what is usual beside a gap. */
const FEW = 3;

/** The usual gap before each letter of a line, whose letters may be spaced, all or some. */
function usualGaps(letters: readonly Letter[]): number[] {
  const all: number[] = [];
  // Letters in columns have no gaps of words.
  let part: number[] = [];
  const parts = letters.map((letter, at) => {
    const before = letters[at - 1];
    if (before === undefined || !LETTER.test(before.text) || !LETTER.test(letter.text)) return part;
    const gap = letter.left - before.right;
    if (gap > SPACED * letter.size) part = [];
    else {
      part.push(gap);
      all.push(gap);
    }
    return part;
  });
  // In a line of few letters, half of the gaps may be those between words.
  const least = all.length < FEW ? 0 : quantile(all, 4);
  const usual = new Map(
    Array.from(new Set(parts), (gaps) => [gaps, gaps.length > FEW ? quantile(gaps, 2) : least]),
  );
  return parts.map((gaps) => Math.max(0, usual.get(gaps) ?? 0));
}

/** The number at the given fraction of sorted numbers. */
function quantile(numbers: readonly number[], fraction: number): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) / fraction)] ?? 0;
}

function logicalLine(line: readonly Letter[]): Letter[] {
  const right = line.filter(({ text }) => runsRightToLeft(text)).length;
  if (right === 0) return [...line];
  const left = line.filter(({ text }) => /\p{L}/u.test(text)).length - right;
  const ordered = inLogicalOrder(line, right >= left);
  // Fonts have the glyphs of brackets as they look, which from right to left is not as they are written.
  return areNested(ordered) ? ordered : ordered.map((one) => ({ ...one, text: mirrored(one.text) }));
}

const [OPENING, CLOSING] = ['([{<«‹', ')]}>»›'];

/** Returns whether each bracket is closed after it was opened. */
function areNested(letters: readonly Letter[]): boolean {
  let depth = 0;
  for (const { text } of letters) {
    if (OPENING.includes(text)) depth++;
    else if (CLOSING.includes(text) && --depth < 0) return false;
  }
  return true;
}
