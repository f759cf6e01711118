import { listed } from '@platen/core/listed';
import { all, type Element } from '../xml/tree.ts';

/** Most slides that a warning names. */
const MAX_NAMED = 8;

/** Finds tables that loops have made longer than their slide, below which rows are cut off. */
export class TooLongTables {
  readonly #height: number;
  readonly #found: string[] = [];

  /** @param height of the slides in EMU */
  constructor(height: number) {
    this.#height = height;
  }

  /** @param slide number of the slide in the result */
  find(root: Element, slide: number): void {
    for (const frame of all(root, 'p:graphicFrame')) {
      const rows = all(frame, 'a:tr');
      const isRepeated = new Set(rows.map(({ source }) => source)).size < rows.length;
      const top = Number(frame.first('p:xfrm')?.first('a:off')?.get('y') ?? 0);
      let bottom = top;
      const first = rows.findIndex((row) => (bottom += Number(row.get('h') ?? 0)) > this.#height);
      if (isRepeated && first !== -1)
        this.#found.push(`slide ${slide} from row ${first + 1} of ${rows.length}`);
    }
  }

  tell(warn: (text: string) => void): void {
    if (this.#found.length > 0)
      warn(`Tables are longer than their slide, and cut off: ${listed(this.#found, MAX_NAMED)}.`);
  }
}
