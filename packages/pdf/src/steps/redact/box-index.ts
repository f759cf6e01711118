import type { Box } from '../geometry.ts';

/** Width and height of the grid cells for boxes: a few characters. */
const CELL = 32;
/** Maximum number of cells of a box; larger boxes are always compared. */
const MAX_CELLS = 64;

/** Boxes on a page in a grid, so that each glyph is compared only with boxes near it. */
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

  /** The boxes that may overlap a box, with possible duplicates. */
  near(box: Box): readonly Box[] {
    const cells = cellsOf(box);
    if (cells === undefined) return [...this.#large, ...[...this.#cells.values()].flat()];
    return [...this.#large, ...cells.flatMap((cell) => this.#cells.get(cell) ?? [])];
  }
}

/** Undefined for a box in too many cells. */
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
