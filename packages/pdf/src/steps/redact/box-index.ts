import type { Box } from '../geometry.ts';

/** Sides of the cells of a page that boxes are sorted into: a few characters. */
const CELL = 32;
/** Cells that one box may be in; larger ones are looked at everywhere. */
const MAX_CELLS = 64;

/** Boxes on a page by where they are, so that each glyph is compared with those around it alone. */
export class BoxIndex {
  readonly #cells = new Map<string, Box[]>();
  readonly #large: Box[] = [];

  constructor(boxes: readonly Box[]) {
    const seen = new Set<string>();
    for (const box of boxes) {
      const key = `${box.x} ${box.y} ${box.width} ${box.height}`;
      if (seen.has(key)) continue;
      seen.add(key);
      const cells = cellsOf(box);
      if (cells === undefined) this.#large.push(box);
      else {
        for (const cell of cells) {
          const there = this.#cells.get(cell);
          if (there === undefined) this.#cells.set(cell, [box]);
          else there.push(box);
        }
      }
    }
  }

  /** Those that may meet a box; one may be there twice. */
  near(box: Box): readonly Box[] {
    const cells = cellsOf(box);
    if (cells === undefined) return [...this.#large, ...[...this.#cells.values()].flat()];
    return [...this.#large, ...cells.flatMap((cell) => this.#cells.get(cell) ?? [])];
  }
}

/** Undefined for a box in too many of them. */
function cellsOf({ x, y, width, height }: Box): string[] | undefined {
  const [left, right] = [Math.floor(x / CELL), Math.floor((x + width) / CELL)];
  const [bottom, top] = [Math.floor(y / CELL), Math.floor((y + height) / CELL)];
  if (!((right - left + 1) * (top - bottom + 1) <= MAX_CELLS)) return undefined;
  const cells: string[] = [];
  for (let column = left; column <= right; column++) {
    for (let row = bottom; row <= top; row++) cells.push(`${column} ${row}`);
  }
  return cells;
}
