import { columnNumber, type Reference } from './formula.ts';

/** The cells of a sheet that loops over columns repeat or move; references to them are not adjusted. */
export class ColumnMoves {
  /** First and last column, of the template or filled, of the moved cells of each row of the template. */
  private readonly rows = new Map<number, [first: number, last: number]>();

  get isEmpty(): boolean {
    return this.rows.size === 0;
  }

  /** Records the place of a cell. @param row of the template */
  add(row: number, before: number, now: number): void {
    if (before === now) return;
    const known = this.rows.get(row);
    const [first, last] = [Math.min(before, now), Math.max(before, now)];
    if (known === undefined) this.rows.set(row, [first, last]);
    else this.rows.set(row, [Math.min(known[0], first), Math.max(known[1], last)]);
  }

  /** Returns whether a reference to cells of the template has some of the moved cells, but not all of their row. */
  touches({ first, last, columns }: Pick<Reference, 'first' | 'last' | 'columns'>): boolean {
    if (columns === null || this.isEmpty) return false;
    const [from = 1, to = from] = columns.map((name) => columnNumber(name));
    for (const [row, [left, right]] of this.rows) {
      if (row < first || row > (last ?? first) || to < left || from > right) continue;
      if (from > left || to < right) return true;
    }
    return false;
  }

  /** Returns whether areas such as `A5:C5 E5` have some of the moved cells. */
  touchesArea(areas: string): boolean {
    if (this.isEmpty) return false;
    return [...areas.matchAll(/\$?([A-Z]{1,3})\$?(\d+)(?::\$?([A-Z]{1,3})\$?(\d+))?/g)].some(
      ([, from = '', first = '', to = from, last = first]) =>
        this.touches({ first: Number(first), last: Number(last), columns: [from, to] }),
    );
  }
}
