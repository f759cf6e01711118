import { readNumbers, writeNumbers } from '../model/name-tree.ts';
import { isDict, type PdfDict, type PdfValue } from '../model/values.ts';
import type { Part } from './part.ts';
import type { Target } from './target.ts';

/** A range of pages with consecutive labels (ISO 32000-2, 12.4.2). */
interface Range {
  /** Index of its first page in the document. */
  start: number;
  label: PdfDict;
}

/**
 * Page labels: each page keeps its label; a page of a document without labels gets its number in the new document.
 */
export class Labels {
  readonly #target: Target;
  readonly #ranges: Range[] = [];
  #pages = 0;
  #any = false;

  constructor(target: Target) {
    this.#target = target;
  }

  /** @param places indices of the selected pages in the source */
  add({ source, importer }: Part, places: readonly number[]): void {
    const ranges: Range[] = [];
    for (const [start, value] of readNumbers(source, source.catalog['/PageLabels'])) {
      const label = source.resolve(value);
      if (isDict(label)) ranges.push({ start, label });
    }
    ranges.sort((a, b) => a.start - b.start);
    if (ranges.length > 0) this.#any = true;
    for (const place of places)
      this.#addPage(labelAt(ranges, place) ?? later({ '/S': '/D' }, this.#pages), importer);
  }

  #addPage(wanted: PdfDict, importer: Part['importer']): void {
    const last = this.#ranges.at(-1);
    const next = last === undefined ? undefined : later(last.label, this.#pages - last.start);
    const label = importer.import(wanted);
    if (isDict(label) && (next === undefined || !sameLabel(next, label))) {
      this.#ranges.push({ start: this.#pages, label });
    }
    this.#pages++;
  }

  finish(catalog: PdfDict): void {
    if (!this.#any) return;
    const entries = this.#ranges.map(({ start, label }): [number, PdfValue] => [start, label]);
    catalog['/PageLabels'] = this.#target.add(writeNumbers(entries, (node) => this.#target.add(node)));
  }
}

/** @param ranges by start */
function labelAt(ranges: readonly Range[], place: number): PdfDict | undefined {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle]?.start ?? 0) <= place) low = middle + 1;
    else high = middle;
  }
  const range = ranges[low - 1];
  return range === undefined ? undefined : later(range.label, place - range.start);
}

/** The label of the page at an offset from the first page of its range. */
function later(label: PdfDict, pages: number): PdfDict {
  const first = label['/St'];
  const number = (typeof first === 'number' ? first : 1) + pages;
  const { '/Type': _type, '/St': _start, ...rest } = label;
  return number === 1 ? rest : { ...rest, '/St': number };
}

function sameLabel(one: PdfDict, other: PdfDict): boolean {
  return ['/S', '/P', '/St'].every((key) => one[key] === other[key]);
}
