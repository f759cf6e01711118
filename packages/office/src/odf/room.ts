import type { OfficePackage } from '../package.ts';
import { typedLength } from '../pictures/facts.ts';
import type { Room } from '../pictures/registry.ts';
import { all, closest, type Element } from '../xml/tree.ts';
import { countOf } from './counts.ts';

/** The room for a picture in an OpenDocument text: its cell, text box, section or page, without paddings. */

const PLACES: ReadonlySet<string> = new Set(['table:table-cell', 'draw:text-box', 'text:section']);
const TABLE: ReadonlySet<string> = new Set(['table:table']);
/** Least width and height, in centimetres. */
const LEAST = 0.3;

export class OdfRooms {
  readonly #root: Element;
  readonly #file: OfficePackage;
  #paper: Room | undefined;
  #styles: ReadonlyMap<string, Element> | undefined;
  readonly #columns = new Map<Element, number[]>();

  /** @param root the content of the text */
  constructor(root: Element, file: OfficePackage) {
    this.#root = root;
    this.#file = file;
  }

  get #page(): Room {
    return (this.#paper ??= pageOf(this.#file));
  }

  /** Returns the room at an element. */
  at(near: Element): Room {
    const { height } = this.#page;
    return { width: Math.max(LEAST, this.#widthAt(near)), height };
  }

  #widthAt(near: Element): number {
    const place = closest(near, PLACES);
    if (place === null) return this.#page.width;
    const outside = (): number => (place.parent === null ? this.#page.width : this.#widthAt(place.parent));
    switch (place.tag) {
      case 'table:table-cell':
        return this.#cell(place) ?? outside();
      case 'draw:text-box':
        return place.parent === null ? outside() : lengthOf(place.parent, 'svg:width', outside());
      default:
        return columnOf(
          this.#style('section', place.get('text:style-name'))?.first('style:section-properties'),
          outside(),
        );
    }
  }

  #cell(cell: Element): number | undefined {
    const table = closest(cell, TABLE);
    const row = cell.parent;
    if (table === null || row === null) return undefined;
    const columns = this.#columns.get(table) ?? this.#columnsOf(table);
    this.#columns.set(table, columns);
    let at = 0;
    for (const other of row.elements()) {
      if (other === cell) break;
      at += countOf(other, 'table:number-columns-repeated');
    }
    const own = columns.slice(at, at + countOf(cell, 'table:number-columns-spanned'));
    if (own.length === 0 || own.includes(0)) return undefined;
    const properties = this.#style('table-cell', cell.get('table:style-name'))?.first(
      'style:table-cell-properties',
    );
    const both = properties === undefined ? 0 : lengthOf(properties, 'fo:padding', 0);
    const paddings = ['fo:padding-left', 'fo:padding-right'].map((side) =>
      properties === undefined ? 0 : lengthOf(properties, side, both),
    );
    return own.reduce((sum, width) => sum + width, 0) - paddings.reduce((sum, width) => sum + width, 0);
  }

  /** Returns the widths of a table's columns in centimetres; 0 for one whose style has none. */
  #columnsOf(table: Element): number[] {
    return all(table, 'table:table-column')
      .filter((column) => closest(column.parent, TABLE) === table)
      .flatMap((column) => {
        const style = this.#style('table-column', column.get('table:style-name'));
        const properties = style?.first('style:table-column-properties');
        const width = properties === undefined ? 0 : lengthOf(properties, 'style:column-width', 0);
        const count = Math.min(1024, countOf(column, 'table:number-columns-repeated'));
        return Array.from({ length: count }, () => width);
      });
  }

  /** Returns an automatic style. */
  #style(family: string, name: string | undefined): Element | undefined {
    this.#styles ??= new Map(
      this.#root
        .elements('office:automatic-styles')
        .flatMap((styles) => styles.elements('style:style'))
        .map((style) => [`${style.get('style:family')} ${style.get('style:name')}`, style]),
    );
    return this.#styles.get(`${family} ${name}`);
  }
}

/** Returns a length in centimetres. */
export function lengthOf(element: Element, attribute: string, fallback: number): number {
  const text = element.get(attribute) ?? '';
  return /^0(?:\.0+)?[a-z]/.test(text) ? 0 : (typedLength(text) ?? fallback);
}

/** Returns the width of a column of a section or page. */
function columnOf(properties: Element | undefined, width: number): number {
  const columns = properties?.first('style:columns');
  const count = Number(columns?.get('fo:column-count') ?? 1);
  if (columns === undefined || !(count > 1)) return width;
  return (width - (count - 1) * lengthOf(columns, 'fo:column-gap', 0)) / count;
}

/** Returns the paper size between the margins of the first page layout. */
function pageOf(file: OfficePackage): Room {
  const paper = file.has('styles.xml')
    ? all(file.xml('styles.xml').root, 'style:page-layout-properties')[0]
    : undefined;
  const of = (name: string, fallback: number): number => (paper ? lengthOf(paper, name, fallback) : fallback);
  const margin = of('fo:margin', 2);
  const width = of('fo:page-width', 21) - of('fo:margin-left', margin) - of('fo:margin-right', margin);
  const height = of('fo:page-height', 29.7) - of('fo:margin-top', margin) - of('fo:margin-bottom', margin);
  return { width: columnOf(paper, Math.max(1, width)), height: Math.max(1, height) };
}
