import { type PdfDict, type PdfValue, type Ref, stringBytes } from '../model/values.ts';
import type { StreamedPdf } from './writer.ts';

/** Maximum number of children of a node: readers search larger nodes slowly. */
const KIDS = 256;

/** Orders entries of a name tree. */
export function byBytes([a]: readonly [string, PdfValue], [b]: readonly [string, PdfValue]): number {
  return Buffer.compare(stringBytes(a), stringBytes(b));
}

/** A node of the tree, with its first and its last key. */
interface Kid {
  ref: Ref;
  first: PdfValue;
  last: PdfValue;
}

/**
 * A name tree or a number tree (ISO 32000-2, 7.9.6 and 7.9.7) whose leaves are written in order as their entries
 * arrive.
 */
export class TreeWriter {
  readonly #file: StreamedPdf;
  readonly #leaf: '/Names' | '/Nums';
  #kids: Kid[] = [];

  constructor(file: StreamedPdf, leaf: '/Names' | '/Nums') {
    this.#file = file;
    this.#leaf = leaf;
  }

  /** @param entries sorted, and all greater than those before */
  async add(entries: readonly (readonly [PdfValue, PdfValue])[]): Promise<void> {
    for (let from = 0; from < entries.length; from += KIDS) {
      const some = entries.slice(from, from + KIDS);
      const [first, last] = [some[0]?.[0] ?? null, some.at(-1)?.[0] ?? null];
      this.#kids.push(await this.#node({ [this.#leaf]: some.flat() }, first, last));
    }
  }

  /** @returns the root; undefined for a tree without entries */
  async finish(): Promise<Ref | undefined> {
    if (this.#kids.length === 0) return undefined;
    while (this.#kids.length > KIDS) {
      const nodes: Kid[] = [];
      for (let from = 0; from < this.#kids.length; from += KIDS) {
        const some = this.#kids.slice(from, from + KIDS);
        const kids = { '/Kids': some.map(({ ref }) => ref) };
        nodes.push(await this.#node(kids, some[0]?.first ?? null, some.at(-1)?.last ?? null));
      }
      this.#kids = nodes;
    }
    const id = this.#file.reserve(1);
    await this.#file.value(id, { '/Kids': this.#kids.map(({ ref }) => ref) });
    return `${id} 0 R`;
  }

  async #node(node: PdfDict, first: PdfValue, last: PdfValue): Promise<Kid> {
    const id = this.#file.reserve(1);
    await this.#file.value(id, { '/Limits': [first, last], ...node });
    return { ref: `${id} 0 R`, first, last };
  }
}
