import { BLANK, type Letter } from './letters.ts';

/** Letters in the lines and columns in which they stand, independent of the order in which they are shown. */

export interface Line {
  /** From left to right. */
  letters: Letter[];
  level: number;
  size: number;
  left: number;
  right: number;
}

/** Part of the size by which letters of a line may be raised or lowered. */
const RAISED = 0.45;
/** Part of the size that separates columns. */
const COLUMN = 1.5;
/** Distance of lines of a column, in sizes. */
const LEADING = 5;

/** The letters of all angles, line by line from top to bottom. Copies of a letter in its place are left out. */
export function linesOf(letters: readonly Letter[]): Line[] {
  const groups = new Map<number, Letter[]>();
  for (const letter of letters) {
    const group = groups.get(letter.angle);
    if (group === undefined) groups.set(letter.angle, [letter]);
    else group.push(letter);
  }
  return [...groups.values()].flatMap(levelLines);
}

function levelLines(letters: Letter[]): Line[] {
  const lines: Line[] = [];
  for (const letter of letters.toSorted((a, b) => b.level - a.level)) {
    const line = lines.at(-1);
    const size = Math.max(letter.size, line?.size ?? 0);
    if (line === undefined || line.level - letter.level > RAISED * size) {
      const { level, left, right } = letter;
      lines.push({ letters: [letter], level, size, left, right });
      continue;
    }
    line.letters.push(letter);
    if (letter.size > line.size) line.level = letter.level;
    line.size = size;
    line.left = Math.min(line.left, letter.left);
    line.right = Math.max(line.right, letter.right);
  }
  for (const line of lines) line.letters = inOrder(line.letters);
  return lines;
}

function inOrder(letters: Letter[]): Letter[] {
  const sorted = sortedByPlace(letters);
  return sorted.filter((letter, at) => !hasTwin(sorted, at, letter));
}

/** The letters from left to right, without blanks over which others stand, such as those that pad a cell of a table. */
export function sortedByPlace(letters: readonly Letter[]): Letter[] {
  const sorted = letters.toSorted((a, b) => a.left - b.left || a.right - b.right);
  return sorted.filter(({ text, left, right }, at) => {
    if (!BLANK.test(text)) return true;
    const middle = (left + right) / 2;
    const near = sorted.slice(Math.max(0, at - NEAR), at + NEAR + 1);
    return !near.some((one) => !BLANK.test(one.text) && one.left < middle && one.right > middle);
  });
}

/** Number of letters before a letter that are compared with it. */
const NEAR = 4;

/** Returns whether the same letter stands in its place already, as in text that is drawn twice. */
function hasTwin(sorted: readonly Letter[], at: number, { text, left, right, size }: Letter): boolean {
  const most = Math.min(0.3 * (right - left), 0.15 * size);
  for (let index = at - 1; index >= Math.max(0, at - NEAR); index--) {
    const other = sorted[index];
    if (other?.text === text && left - other.left < most && !BLANK.test(text)) return true;
  }
  return false;
}

/** The lines of columns, one column after the other. @param cells from `cellsOf` */
export function columnLines(cells: readonly Line[]): Line[] {
  const columns: { lines: Line[]; last: Line }[] = [];
  for (const part of cells) {
    const column = columns.find(({ last }) => continues(last, part));
    if (column === undefined) columns.push({ lines: [part], last: part });
    else {
      column.lines.push(part);
      column.last = part;
    }
    // Columns that ended above are not continued.
    if (columns.length > MOST_OPEN) columns.push(...columns.splice(0, 1));
  }
  return columns.flatMap((column) => column.lines);
}

/** Number of columns that are compared with a line. */
const MOST_OPEN = 40;

function continues(above: Line, line: Line): boolean {
  const size = Math.max(above.size, line.size);
  const isNear = above.level - line.level < LEADING * size && above.level > line.level;
  return isNear && above.letters[0]?.angle === line.letters[0]?.angle && isBelow(above, line);
}

function isBelow(above: Line, line: Line): boolean {
  return Math.min(above.right, line.right) > Math.max(above.left, line.left);
}

/** The parts of lines between wide gaps, line by line. */
export function cellsOf(lines: readonly Line[]): Line[] {
  return lines.flatMap(parts);
}

function parts({ letters, level, size }: Line): Line[] {
  const found: Line[] = [];
  let last: Line | undefined;
  for (const letter of letters) {
    if (last === undefined || letter.left - last.right > COLUMN * size) {
      last = { letters: [], level, size, left: letter.left, right: letter.right };
      found.push(last);
    }
    last.letters.push(letter);
    last.right = Math.max(last.right, letter.right);
  }
  return found;
}
