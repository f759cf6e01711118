import type { Glyph, Replacement } from './reader.ts';
import type { Quad } from './shown.ts';

/** Letters with their places in the direction of their lines. */

/** The characters of a glyph, or of glyphs that have one replacement text together. */
export interface Letter {
  text: string;
  glyphs: readonly Glyph[];
  /** The angle of its line, in units of `SAME_ANGLE`. Places are comparable only between equal angles. */
  angle: number;
  /** Start and end along the line. */
  left: number;
  right: number;
  /** The base line; larger numbers are above. */
  level: number;
  /** Size of the font. */
  size: number;
}

/** Maximum difference between angles of the same line: 2 degrees. */
const SAME_ANGLE = Math.PI / 90;
const TURN = Math.round((2 * Math.PI) / SAME_ANGLE);

export const BLANK = /^\s+$/u;
/** The text of a glyph without known characters. */
export const UNKNOWN = '\ufffd';

/**
 * The letters that glyphs show, in the same order.
 *
 * @param replaced whether replacement texts take the place of the characters of their glyphs
 */
export function lettersOf(glyphs: readonly Glyph[], replaced: boolean): Letter[] {
  const letters: Letter[] = [];
  for (let at = 0; at < glyphs.length;) {
    const glyph = glyphs[at];
    if (glyph === undefined) break;
    const { replacement } = glyph;
    let end = at + 1;
    if (replaced && replacement !== undefined) {
      while (glyphs[end]?.replacement === replacement) end++;
      const some = glyphs.slice(at, end);
      if (!repeats(replacement, some)) {
        if (replacement.text !== '') letters.push(letter(replacement.text, some, glyph));
        at = end;
        continue;
      }
      for (const one of some) add(letters, one);
    } else add(letters, glyph);
    at = end;
  }
  return withAccents(letters);
}

/** Accents that some programs draw over letters. */
const ACCENT = /^[`\u00a8\u00af\u00b4\u00b8\u02c6\u02c7\u02d8-\u02dd]$/u;

/** The same letters with separately drawn accents as marks after the letters under them. */
function withAccents(letters: Letter[]): Letter[] {
  for (let at = 0; at < letters.length; at++) {
    const accent = letters[at];
    if (accent === undefined || !ACCENT.test(accent.text)) continue;
    const middle = (accent.left + accent.right) / 2;
    const base = [at - 1, at + 1].find((place) => {
      const letter = letters[place];
      const isOver = letter !== undefined && middle > letter.left && middle < letter.right;
      return isOver && separation(accent, letter) !== BROKEN;
    });
    const letter = base === undefined ? undefined : letters[base];
    if (base === undefined || letter === undefined) continue;
    const text = accent.text === '`' ? '\u0300' : accent.text.normalize('NFKD').trim();
    const mark = { ...accent, text, left: letter.right, right: letter.right };
    if (base < at) letters[at] = mark;
    else {
      letters[at] = letter;
      letters[++at] = mark;
    }
  }
  return letters;
}

/** Returns whether a replacement text says what its glyphs say. */
function repeats({ text }: Replacement, glyphs: readonly Glyph[]): boolean {
  const shown = glyphs.map((glyph) => glyph.text ?? UNKNOWN).join('');
  return shown.replace(/\s+/gu, '') === text.replace(/\s+/gu, '');
}

/** Width, in sizes, of glyphs without characters that are parts of others: dots of Arabic letters, accents. */
const NARROW = 0.2;

function add(letters: Letter[], glyph: Glyph): void {
  const one = letter(glyph.text ?? UNKNOWN, [glyph], glyph);
  if (glyph.text !== undefined || one.right - one.left > NARROW * one.size) letters.push(one);
}

function letter(text: string, glyphs: readonly Glyph[], first: Glyph): Letter {
  const [dx, dy] = first.direction;
  const angle = ((Math.round(Math.atan2(dy, dx) / SAME_ANGLE) % TURN) + TURN) % TURN;
  return { text, glyphs, angle, size: first.size, ...placeOf(glyphs, first, angle) };
}

function placeOf(
  glyphs: readonly Glyph[],
  { quad, isVertical }: Glyph,
  angle: number,
): Pick<Letter, 'left' | 'right' | 'level'> {
  const [cos, sin] = [Math.cos(angle * SAME_ANGLE), Math.sin(angle * SAME_ANGLE)];
  let [left, right] = [Infinity, -Infinity];
  for (const { x, y, along, up } of glyphs.map((glyph) => glyph.quad)) {
    // The sides along the line: those of the base line, or of the column.
    const [ax, ay] = isVertical ? up : along;
    const start = (x + (isVertical ? along[0] / 2 : 0)) * cos + (y + (isVertical ? along[1] / 2 : 0)) * sin;
    const end = start + ax * cos + ay * sin;
    left = Math.min(left, start, end);
    right = Math.max(right, start, end);
  }
  const [bx, by] = baseOf(quad, isVertical);
  return { left, right, level: by * cos - bx * sin };
}

/** A point on the base line, which is a quarter above the lower side; or on the axis of a column. */
function baseOf({ x, y, along, up }: Quad, isVertical: boolean): readonly [number, number] {
  const [vx, vy] = isVertical ? [along[0] / 2, along[1] / 2] : [up[0] / 4, up[1] / 4];
  return [x + vx, y + vy];
}

/** What separates two letters: nothing, a blank, or the end of a line. */
export const [JOINED, APART, BROKEN] = [0, 1, 2] as const;
export type Separation = typeof JOINED | typeof APART | typeof BROKEN;

/** Part of the size from which a gap may be a blank. */
const GAP = 0.25;
/** Part of the size by which letters of a line may be raised or lowered. */
const RAISED = 0.5;

export function separation(one: Letter, next: Letter, gap = GAP): Separation {
  const size = Math.max(one.size, next.size);
  if (one.angle !== next.angle || Math.abs(one.level - next.level) > RAISED * size) return BROKEN;
  const distance = Math.max(next.left - one.right, one.left - next.right);
  return distance > gap * size ? APART : JOINED;
}
