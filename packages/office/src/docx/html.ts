import {
  type FlatBlock,
  flattened,
  type HtmlBlock,
  type HtmlCell,
  type HtmlParagraph,
  type HtmlRun,
  type HtmlTable,
} from '../html/model.ts';
import { placedRows } from '../html/grid.ts';
import type { OfficePackage } from '../package.ts';
import { make } from '../xml/build.ts';
import { copyElement, type Element, type Node, remove } from '../xml/tree.ts';
import { DocxNumbering, INDENT } from './numbering.ts';
import { insertInOrder, PARAGRAPH_ORDER } from './order.ts';
import { runNodes } from './rich.ts';
import { styleIds } from './style-ids.ts';

/** HTML as native Word content, in the styles of the document. */

interface Place {
  file: OfficePackage;
  part: string;
  /** The paragraph that the content replaces. */
  format: Element;
  /** An element of the tree that receives the content. */
  near: Element;
}

const JUSTIFICATION = { left: 'left', center: 'center', right: 'right', justify: 'both' } as const;
const MIRRORED = { left: 'right', center: 'center', right: 'left', justify: 'justify' } as const;
/** Font sizes of headings in points, when the document has no style for them. */
const SIZES = [20, 16, 14, 12, 11, 10];
/** Width of the text in twentieths of a point. */
const TEXT_WIDTH = 9000;
/** Left and right margins of a cell together in twentieths of a point, unless set otherwise. */
const CELL_MARGINS = 216;

export class DocxHtml {
  readonly #place: Place;
  readonly #model: Element | null;
  readonly #styles: ReadonlyMap<string, string>;
  /** The lists that have begun, with their number and the number of the next item. */
  readonly #lists = new Map<object, { id: number; next: number }>();
  /** Width available for a table in twentieths of a point. */
  #width = TEXT_WIDTH;

  constructor(place: Place) {
    this.#place = place;
    this.#model = place.format.elements('w:r')[0] ?? null;
    this.#styles = styleIds(place.file);
  }

  write(blocks: readonly HtmlBlock[]): Node[] {
    const { format, near } = this.#place;
    const section = format.first('w:pPr')?.first('w:sectPr');
    const nodes = this.#blocks(blocks);
    // The end of a section stays in its place.
    if (section) nodes.push(this.#paragraph(make(near, 'w:pPr', {}, copyElement(section)), []));
    return nodes;
  }

  #blocks(blocks: readonly HtmlBlock[], bold = false): Node[] {
    return flattened(blocks).flatMap(({ block, lists }, at, all) => {
      // Word merges two tables that have nothing between them.
      const isApart = at > 0 && all[at - 1]?.block.type === 'table';
      if (block.type === 'table')
        return [...(isApart ? [make(this.#place.near, 'w:p')] : []), this.#table(block)];
      if (block.type === 'rule') return [this.#rule()];
      const runs = bold ? block.runs.map((run) => ({ bold, ...run })) : block.runs;
      return [this.#text({ ...block, runs }, lists)];
    });
  }

  #text(block: HtmlParagraph, lists: FlatBlock['lists']): Element {
    const { heading, align, quote, rtl } = block;
    const properties = heading > 0 ? this.#headingProperties(heading) : this.#bodyProperties();
    const put = (tag: string, attributes: Record<string, string | number>): void =>
      this.#put(properties, make(this.#place.near, tag, attributes));
    if (lists.length > 0) this.#inList(properties, lists, heading);
    else if (quote > 0) put('w:ind', { 'w:left': INDENT * quote });
    if (rtl) put('w:bidi', {});
    // Left means the start of the line (ECMA-376 part 4, 14.11.2), which is the right side in a right-to-left
    // paragraph.
    const side = rtl && align !== null ? MIRRORED[align] : align;
    if (side !== null) put('w:jc', { 'w:val': JUSTIFICATION[side] });
    const style = heading > 0 ? this.#styles.get(`heading ${heading}`) : undefined;
    const look = heading > 0 && style === undefined ? { bold: true, size: SIZES[heading - 1] ?? 10 } : {};
    return this.#paragraph(
      properties,
      this.#runs(
        block.runs.map((run) => ({ ...look, ...run })),
        heading > 0,
      ),
    );
  }

  #headingProperties(heading: number): Element {
    const { near } = this.#place;
    const style = this.#styles.get(`heading ${heading}`);
    const properties = make(near, 'w:pPr');
    if (style !== undefined) this.#put(properties, make(near, 'w:pStyle', { 'w:val': style }));
    else {
      this.#put(properties, make(near, 'w:keepNext'));
      this.#put(properties, make(near, 'w:outlineLvl', { 'w:val': heading - 1 }));
    }
    return properties;
  }

  #bodyProperties(): Element {
    const { near, format } = this.#place;
    const own = format.first('w:pPr');
    const properties = own ? copyElement(own) : make(near, 'w:pPr');
    for (const child of properties.elements()) {
      if (child.tag === 'w:sectPr' || child.tag === 'w:numPr') remove(child);
    }
    return properties;
  }

  #inList(properties: Element, lists: FlatBlock['lists'], heading: number): void {
    const { near, file } = this.#place;
    const innermost = lists.at(-1);
    if (innermost === undefined) return;
    const level = Math.min(lists.length, 9) - 1;
    const style = this.#styles.get('list paragraph');
    if (style !== undefined && heading === 0)
      this.#put(properties, make(near, 'w:pStyle', { 'w:val': style }));
    if (!lists.every(({ first }, i) => first || i < lists.length - 1)) {
      this.#put(properties, make(near, 'w:ind', { 'w:left': INDENT * (level + 1) }));
      return;
    }
    const { list, number } = innermost;
    const known = this.#lists.get(list);
    const isNext = list.mark === 'bullet' || known?.next === number;
    const id =
      known !== undefined && isNext ? known.id : DocxNumbering.of(file).list(list.mark, level, number);
    this.#lists.set(list, { id, next: number + 1 });
    this.#put(
      properties,
      make(
        near,
        'w:numPr',
        {},
        make(near, 'w:ilvl', { 'w:val': level }),
        make(near, 'w:numId', { 'w:val': id }),
      ),
    );
    for (const indent of properties.elements('w:ind')) remove(indent);
  }

  #runs(runs: readonly HtmlRun[], isHeading: boolean): Node[] {
    const { near, file, part } = this.#place;
    const link = this.#styles.get('hyperlink');
    return runs.flatMap((run) => {
      const linked =
        run.url === undefined
          ? run
          : { ...(link === undefined ? { underline: 'single', color: '0563C1' } : { style: link }), ...run };
      return runNodes([linked], isHeading ? null : this.#model, near, file, part);
    });
  }

  #rule(): Element {
    const { near } = this.#place;
    const line = { 'w:val': 'single', 'w:sz': 6, 'w:space': 1, 'w:color': 'auto' };
    const border = make(near, 'w:pBdr', {}, make(near, 'w:bottom', line));
    return this.#paragraph(make(near, 'w:pPr', {}, border), []);
  }

  #paragraph(properties: Element, content: readonly Node[]): Element {
    const { near } = this.#place;
    const inner = properties.children.length > 0 ? [properties] : [];
    return make(near, 'w:p', {}, ...inner, ...content);
  }

  #put(properties: Element, child: Element): void {
    const old = properties.first(child.tag);
    if (old) remove(old);
    insertInOrder(properties, child, PARAGRAPH_ORDER);
  }

  #table(table: HtmlTable): Element {
    const { near } = this.#place;
    const style = this.#styles.get('table grid');
    const width = Math.max(1, Math.floor(this.#width / table.columns));
    const line = { 'w:val': 'single', 'w:sz': 4, 'w:space': 0, 'w:color': 'auto' };
    const borders = ['top', 'left', 'bottom', 'right', 'insideH', 'insideV'].map((edge) =>
      make(near, `w:${edge}`, line),
    );
    const look =
      style === undefined
        ? [make(near, 'w:tblW', { 'w:w': 0, 'w:type': 'auto' }), make(near, 'w:tblBorders', {}, ...borders)]
        : [
            make(near, 'w:tblStyle', { 'w:val': style }),
            make(near, 'w:tblW', { 'w:w': 0, 'w:type': 'auto' }),
          ];
    const columns = Array.from({ length: table.columns }, () => make(near, 'w:gridCol', { 'w:w': width }));
    const rows = placedRows(table).map((row) => {
      const isHeader = row.every(({ cell }) => cell.header);
      const properties = isHeader ? [make(near, 'w:trPr', {}, make(near, 'w:tblHeader'))] : [];
      const cells = row.map(({ cell, colspan, covered }) => this.#cell(cell, colspan, covered, width));
      return make(near, 'w:tr', {}, ...properties, ...cells);
    });
    return make(
      near,
      'w:tbl',
      {},
      make(near, 'w:tblPr', {}, ...look),
      make(near, 'w:tblGrid', {}, ...columns),
      ...rows,
    );
  }

  #cell(cell: HtmlCell, colspan: number, covered: boolean, width: number): Element {
    const { near } = this.#place;
    const merge = covered ? {} : { 'w:val': 'restart' };
    const properties = make(
      near,
      'w:tcPr',
      {},
      make(near, 'w:tcW', { 'w:w': width * colspan, 'w:type': 'dxa' }),
      ...(colspan > 1 ? [make(near, 'w:gridSpan', { 'w:val': colspan })] : []),
      ...(covered || cell.rowspan > 1 ? [make(near, 'w:vMerge', merge)] : []),
      ...(cell.background === null
        ? []
        : [make(near, 'w:shd', { 'w:val': 'clear', 'w:color': 'auto', 'w:fill': cell.background })]),
    );
    const around = this.#width;
    this.#width = width * colspan - CELL_MARGINS;
    const content = covered ? [] : this.#blocks(cell.blocks);
    this.#width = around;
    return make(near, 'w:tc', {}, properties, ...content);
  }
}
