import type { TextChar } from '../../pdfium/text.ts';

/** The characters of a page in visual lines, independent of their drawing order. */

export const BLANK = /^\s*$/u;

/** Maximum difference between angles in one group of lines, in radians: 2 degrees. */
const SAME_ANGLE = Math.PI / 90;

/** Characters from line to line and from left to right, with spaces in gaps. */
export function inLines(chars: readonly TextChar[]): TextChar[] {
  const seen = chars.filter(({ text }) => !BLANK.test(text));
  seen.sort((a, b) => a.top + a.bottom - (b.top + b.bottom) || a.left - b.left);
  const lines: TextChar[][] = [];
  for (const char of seen) {
    const line = lines.at(-1);
    const first = line?.[0];
    const middle = (char.top + char.bottom) / 2;
    if (line !== undefined && first !== undefined && middle < first.bottom && middle > first.top)
      line.push(char);
    else lines.push([char]);
  }
  return lines.flatMap((line) => {
    line.sort((a, b) => a.left - b.left);
    return line.flatMap((char, index) => {
      const before = line[index - 1];
      const gap = before === undefined ? Infinity : char.left - before.right;
      return gap > 0.2 * (char.bottom - char.top) ? [{ ...char, text: ' ', right: char.left }, char] : [char];
    });
  });
}

/**
 * The characters that are not upright, grouped by angle, each group in its own lines. PDFium mixes up the order of
 * those of a page if lines run from right to left.
 */
export function turnedLines(chars: readonly TextChar[]): TextChar[][] {
  const groups = new Map<number, TextChar[]>();
  for (const char of chars) {
    if (char.turned === undefined) continue;
    const whole = Math.round(char.turned.angle / SAME_ANGLE);
    const group = groups.get(whole);
    if (group === undefined) groups.set(whole, [char]);
    else group.push(char);
  }
  return Array.from(groups, ([whole, group]) => alongAngle(group, whole * SAME_ANGLE));
}

function alongAngle(chars: readonly TextChar[], angle: number): TextChar[] {
  const given = new Map<TextChar, TextChar>();
  for (const char of chars) {
    const laid = laidDown(char, angle);
    given.set(laid, char);
  }
  return inLines([...given.keys()]).map((laid) => given.get(laid) ?? laid);
}

/** A character in the coordinate system in which its line is horizontal. */
function laidDown(char: TextChar, angle: number): TextChar {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const along = (x: number, y: number): number => x * cos + y * sin;
  const { x, y } = char.turned ?? { x: char.left, y: char.bottom };
  const [middleX, middleY] = [(char.left + char.right) / 2, (char.top + char.bottom) / 2];
  const middle = along(middleX, middleY);
  // The bounding box of a rotated box has the same centre. The sum of its width and height, divided by |cos| + |sin|,
  // is the sum of those of the box.
  const width = 2 * Math.abs(middle - along(x, y));
  const around = (char.right - char.left + char.bottom - char.top) / (Math.abs(cos) + Math.abs(sin));
  const height = Math.max(0, around - width);
  const level = middleY * cos - middleX * sin;
  return {
    ...char,
    left: middle - width / 2,
    right: middle + width / 2,
    top: level - height / 2,
    bottom: level + height / 2,
  };
}
