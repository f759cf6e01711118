import { placedRows } from '../html/grid.ts';
import type { HtmlBlock, HtmlList, HtmlParagraph, HtmlTable } from '../html/model.ts';
import { pictureOf } from '../marks.ts';
import type { OfficePackage } from '../package.ts';
import { make } from '../xml/build.ts';
import { all, type Element, type Node, shallowCopy } from '../xml/tree.ts';
import { span } from './span.ts';
import type { AutomaticStyles } from './styles.ts';

/** HTML as native content of OpenDocument texts, in the styles of the document. */

interface Place {
  file: OfficePackage;
  styles: AutomaticStyles;
  /** The paragraph that the content replaces. */
  format: Element;
  /** An element of the tree that receives the content. */
  near: Element;
}

const ALIGN = { left: 'start', center: 'center', right: 'end', justify: 'justify' } as const;
/** LibreOffice treats `start` as left, whatever the direction. */
const RTL_ALIGN = { ...ALIGN, left: 'left', right: 'right' } as const;
/** Font sizes of headings in points, when the document has no style for them. */
const SIZES = [20, 16, 14, 12, 11, 10];
const BORDER = '0.5pt solid #000000';

export class OdfHtml {
  readonly #place: Place;
  readonly #headings: ReadonlySet<string>;

  constructor(place: Place) {
    this.#place = place;
    const { file } = place;
    const styles = file.has('styles.xml') ? all(file.xml('styles.xml').root, 'style:style') : [];
    this.#headings = new Set(styles.map((style) => style.get('style:name') ?? ''));
  }

  write(blocks: readonly HtmlBlock[]): Node[] {
    return blocks.map((block) => this.#block(block));
  }

  #block(block: HtmlBlock): Element {
    switch (block.type) {
      case 'paragraph':
        return this.#text(block);
      case 'list':
        return this.#list(block);
      case 'table':
        return this.#table(block);
      case 'rule':
        return make(this.#place.near, 'text:p', {
          'text:style-name': this.#style(undefined, {
            'fo:border-bottom': BORDER,
            'fo:padding': '0cm',
            'fo:margin-bottom': '0.2cm',
          }),
        });
    }
  }

  #text({ runs, heading, align, quote, rtl }: HtmlParagraph): Element {
    const { near, format, styles } = this.#place;
    const properties: Record<string, string> = {};
    if (rtl) {
      properties['style:writing-mode'] = 'rl-tb';
      properties['fo:text-align'] = RTL_ALIGN[align ?? 'right'];
    } else if (align !== null) properties['fo:text-align'] = ALIGN[align];
    if (quote > 0) properties['fo:margin-left'] = `${quote}cm`;
    const named = heading > 0 ? `Heading_20_${heading}` : (format.get('text:style-name') ?? undefined);
    const isKnown = heading === 0 || this.#headings.has(named ?? '');
    const style = this.#style(isKnown ? named : undefined, properties);
    const paragraph =
      heading > 0
        ? make(near, 'text:h', { 'text:outline-level': heading, 'text:style-name': style })
        : shallowCopy(format);
    if (style !== undefined) paragraph.set('text:style-name', style);
    const look = isKnown ? {} : { bold: true, size: SIZES[heading - 1] ?? 10 };
    for (const run of runs) {
      const { picture } = run;
      if (picture === undefined) paragraph.append(span({ ...look, ...run }, null, near, styles));
      else paragraph.append(pictureOf(picture));
    }
    return paragraph;
  }

  /** Returns the name of a paragraph style with changed properties. */
  #style(parent: string | undefined, properties: Readonly<Record<string, string>>): string | undefined {
    if (Object.keys(properties).length === 0) return parent;
    return this.#place.styles.derive('paragraph', parent, 'style:paragraph-properties', properties);
  }

  #list(list: HtmlList): Element {
    const { near, styles } = this.#place;
    let next = 1;
    const items = list.items.map((blocks, i) => {
      const number = list.numbers[i] ?? next;
      const start = list.mark === 'bullet' || number === next ? {} : { 'text:start-value': number };
      next = number + 1;
      const content = blocks.flatMap((block) => this.#inItem(block));
      return make(
        near,
        'text:list-item',
        start,
        ...(content.length > 0 ? content : [shallowCopy(this.#place.format)]),
      );
    });
    return make(near, 'text:list', { 'text:style-name': styles.list(list.mark) }, ...items);
  }

  /**
   * Converts a block in a list item: an item cannot contain a table (ODF 1.3 part 3, 5.3.4), so its cells'
   * content takes its place.
   */
  #inItem(block: HtmlBlock): Element[] {
    // The indent of a quote would replace that of the item.
    if (block.type === 'paragraph') return [this.#block({ ...block, quote: 0 })];
    if (block.type !== 'table') return [this.#block(block)];
    return block.rows.flat().flatMap(({ blocks }) => blocks.flatMap((inner) => this.#inItem(inner)));
  }

  #table(table: HtmlTable): Element {
    const { near, styles } = this.#place;
    const cellStyle = (background: string | null): string =>
      styles.derive('table-cell', undefined, 'style:table-cell-properties', {
        'fo:border': BORDER,
        'fo:padding': '0.1cm',
        ...(background === null ? {} : { 'fo:background-color': `#${background}` }),
      });
    const rows = placedRows(table).map((row) =>
      make(
        near,
        'table:table-row',
        {},
        ...row.flatMap(({ cell, colspan, covered }) => {
          const hidden = (count: number): Element[] =>
            Array.from({ length: count }, () => make(near, 'table:covered-table-cell'));
          if (covered) return hidden(colspan);
          const content = cell.blocks.map((block) => this.#block(block));
          const spans = {
            'table:number-columns-spanned': colspan > 1 ? colspan : undefined,
            'table:number-rows-spanned': cell.rowspan > 1 ? cell.rowspan : undefined,
          };
          const style = { 'table:style-name': cellStyle(cell.background), 'office:value-type': 'string' };
          const filled = content.length > 0 ? content : [make(near, 'text:p')];
          return [make(near, 'table:table-cell', { ...style, ...spans }, ...filled), ...hidden(colspan - 1)];
        }),
      ),
    );
    const columns = make(near, 'table:table-column', { 'table:number-columns-repeated': table.columns });
    // Header rows are repeated at the top of each page and recognised by assistive technology.
    const found = table.rows.findIndex((row) => !row.every(({ header, rowspan }) => header && rowspan === 1));
    const count = found === -1 ? table.rows.length : found;
    const heads = count > 0 ? [make(near, 'table:table-header-rows', {}, ...rows.slice(0, count))] : [];
    const style = styles.derive('table', undefined, 'style:table-properties', {
      'table:align': 'margins',
      'table:border-model': 'collapsing',
    });
    const named = { 'table:name': 'Table', 'table:style-name': style };
    return make(near, 'table:table', named, columns, ...heads, ...rows.slice(count));
  }
}
