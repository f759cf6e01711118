import { boundsOf, type Quad } from '../../glyphs/shown.ts';
import type { Box } from '../geometry.ts';

/** Width and height of the grid cells for boxes: a few characters. */
const CELL = 32;
/** Maximum number of cells of a box; larger boxes are always compared. */
const MAX_CELLS = 64;

/** Areas on a page in a grid, so that each glyph is compared only with areas near it. */
export class QuadIndex {
  readonly #cells = new Map<string, Quad[]>();
  readonly #large: Quad[] = [];

  constructor(quads: readonly Quad[]) {
    const seen = new Set<string>();
    for (const quad of quads) {
      const key = [quad.x, quad.y, quad.along, quad.up].join(' ');
      if (seen.has(key)) continue;
      seen.add(key);
      const cells = cellsOf(boundsOf(quad));
      if (cells === undefined) this.#large.push(quad);
      else {
        for (const cell of cells) {
          const there = this.#cells.get(cell);
          if (there === undefined) this.#cells.set(cell, [quad]);
          else there.push(quad);
        }
      }
    }
  }

  /** The areas that may overlap a box, with possible duplicates. */
  near(box: Box): readonly Quad[] {
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
