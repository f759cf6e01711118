import { listed } from '@platen/core/listed';
import type { OfficePackage } from '../package.ts';
import { all, type Element } from '../xml/tree.ts';
import { slideHeight } from './slides.ts';

/** Most slides that a warning names. */
const MAX_NAMED = 8;

/** Finds tables that loops have made longer than their slide, below which rows are cut off. */
export class TooLongTables {
  readonly #file: OfficePackage;
  readonly #found: string[] = [];

  constructor(file: OfficePackage) {
    this.#file = file;
  }

  /** @param numberOf returns the number of the slide in the result */
  find(root: Element, numberOf: () => number): void {
    for (const frame of all(root, 'p:graphicFrame')) {
      const rows = all(frame, 'a:tr');
      if (new Set(rows.map(({ source }) => source)).size === rows.length) continue;
      const height = slideHeight(this.#file);
      let bottom = Number(frame.first('p:xfrm')?.first('a:off')?.get('y') ?? 0);
      const first = rows.findIndex((row) => (bottom += Number(row.get('h') ?? 0)) > height);
      if (first !== -1) this.#found.push(`slide ${numberOf()} from row ${first + 1} of ${rows.length}`);
    }
  }

  tell(warn: (text: string) => void): void {
    if (this.#found.length > 0)
      warn(`Tables are longer than their slide, and cut off: ${listed(this.#found, MAX_NAMED)}.`);
  }
}
