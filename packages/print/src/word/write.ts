import type { Block, Border, Borders, Cell, Line, Paragraph, Row, Run, RunStyle, Table } from './model.ts';
import type { Parts } from './parts.ts';
import { SIDES } from './tree.ts';

/** WordprocessingML of blocks (ECMA-376 part 1, 17). */

/** Twentieths of a point in a CSS pixel. */
const TWIPS = 15;
/** English metric units in a CSS pixel. */
const EMU = 9525;
/** Says of a picture that it is decoration and needs no words ([MS-ODRAWXML] 2.28). */
const DECORATION =
  '<a:extLst><a:ext uri="{C183D7F6-B498-43B3-948B-1728B52AA6E4}"><adec:decorative' +
  ' xmlns:adec="http://schemas.microsoft.com/office/drawing/2017/decorative" val="1"/></a:ext></a:extLst>';

/** Writes the blocks of one part of a package. */
export class BlockWriter {
  readonly #parts: Parts;
  readonly #scale: number;
  readonly #out: string[] = [];
  /** Alternates, so that borders of neighbours are not taken for those of one paragraph. */
  #parity = 0;

  constructor(parts: Parts, scale: number) {
    this.#parts = parts;
    this.#scale = scale;
  }

  /** @param top where the blocks begin */
  write(blocks: readonly Block[], top: number): string {
    this.#blocks(blocks, top);
    return this.#out.join('');
  }

  #blocks(blocks: readonly Block[], top: number): void {
    let bottom = top;
    blocks.forEach((block, at) => {
      const gap = Math.max(0, block.top - bottom);
      const next = blocks[at + 1];
      if (block.kind === 'paragraph') {
        const after = next?.kind === 'table' ? Math.max(0, next.top - block.bottom) : 0;
        this.#paragraph(block, gap, after);
      } else {
        const before = blocks[at - 1];
        if (block.breakBefore) this.#spacer(1, true);
        else if (before === undefined ? gap >= 1 : before.kind === 'table') this.#spacer(gap, false);
        this.#table(block);
      }
      bottom = Math.max(bottom, block.bottom);
    });
    // A cell, a header and a document end with a paragraph.
    if (blocks.at(-1)?.kind !== 'paragraph') this.#spacer(1, false);
  }

  /** A paragraph that is nothing but room. */
  #spacer(height: number, breakBefore: boolean): void {
    const line = Math.max(20, this.#twips(height));
    this.#out.push(
      `<w:p><w:pPr>${breakBefore ? '<w:pageBreakBefore/>' : ''}<w:spacing w:before="0" w:after="0" w:line="${line}" w:lineRule="exact"/><w:rPr><w:sz w:val="2"/></w:rPr></w:pPr></w:p>`,
    );
  }

  #paragraph(paragraph: Paragraph, before: number, after: number): void {
    const { runs, bookmarks } = paragraph;
    this.#out.push('<w:p>', this.#paragraphProperties(paragraph, before, after));
    for (const name of bookmarks) {
      const known = this.#parts.bookmark(name);
      if (known === null) continue;
      const id = this.#parts.nextBookmark();
      this.#out.push(`<w:bookmarkStart w:id="${id}" w:name="${known}"/><w:bookmarkEnd w:id="${id}"/>`);
    }
    let open: string | null = null;
    for (const run of runs) {
      if (run.link !== open) {
        if (open !== null) this.#out.push('</w:hyperlink>');
        open = run.link;
        if (open !== null) this.#out.push(`<w:hyperlink ${this.#parts.linkAttribute(open)}>`);
      }
      this.#run(run, paragraph);
    }
    if (open !== null) this.#out.push('</w:hyperlink>');
    this.#out.push('</w:p>');
  }

  #paragraphProperties(paragraph: Paragraph, before: number, after: number): string {
    const { style, list, indent, lineHeight, tabs, shade, borders, align } = paragraph;
    const hasBorders = SIDES.some((side) => borders[side] !== undefined);
    this.#parity = hasBorders ? 1 - this.#parity : 0;
    const { left, right } = this.#indents(paragraph);
    const spacing = [
      `w:before="${this.#twips(before)}"`,
      `w:after="${this.#twips(after)}"`,
      ...this.#line(lineHeight, paragraph),
    ];
    const marked = list === null ? undefined : this.#parts.lists[list.list - 1];
    const hanging = this.#twips(marked?.isInside === false ? marked.hanging : 0);
    const first = this.#twips(indent.first);
    const firstLine =
      list !== null
        ? `w:hanging="${hanging}"`
        : first < 0
          ? `w:hanging="${-first}"`
          : `w:firstLine="${first}"`;
    const last = runsSize(paragraph);
    return [
      '<w:pPr>',
      `<w:pStyle w:val="${style}"/>`,
      style.startsWith('Heading') ? '<w:keepNext/>' : '',
      paragraph.keepTogether ? '<w:keepLines/>' : '',
      paragraph.breakBefore ? '<w:pageBreakBefore/>' : '',
      list === null
        ? ''
        : `<w:numPr><w:ilvl w:val="${list.level}"/><w:numId w:val="${list.list}"/></w:numPr>`,
      hasBorders ? this.#paragraphBorders(borders) : '',
      shade === null ? '' : shading(shade),
      tabs.length === 0
        ? ''
        : `<w:tabs>${tabs.map((tab) => `<w:tab w:val="left" w:pos="${this.#twips(tab)}"/>`).join('')}</w:tabs>`,
      paragraph.rightToLeft ? '<w:bidi/>' : '',
      `<w:spacing ${spacing.join(' ')}/>`,
      `<w:ind w:left="${left}" w:right="${right + (hasBorders ? this.#parity : 0)}" ${firstLine}/>`,
      `<w:jc w:val="${justification(align, paragraph.rightToLeft)}"/>`,
      last === null ? '' : `<w:rPr>${this.#runProperties(last, paragraph)}</w:rPr>`,
      '</w:pPr>',
    ].join('');
  }

  /** The sides of paragraphs that run from right to left change places. */
  #indents({ indent, rightToLeft }: Paragraph): { left: number; right: number } {
    const [left, right] = rightToLeft ? [indent.right, indent.left] : [indent.left, indent.right];
    return { left: this.#twips(left), right: this.#twips(right) };
  }

  #line(height: number | null, { runs }: Paragraph): string[] {
    if (height === null) {
      return runs.length === 0
        ? ['w:line="20"', 'w:lineRule="exact"']
        : ['w:line="240"', 'w:lineRule="auto"'];
    }
    const size = Math.max(...runs.map(({ style }) => style.size), 1);
    // What is set tighter than the font wants it has no other way; anything else may grow with its text.
    const rule = height < size * TIGHT ? 'exact' : 'atLeast';
    return [`w:line="${Math.max(20, this.#twips(height))}"`, `w:lineRule="${rule}"`];
  }

  #paragraphBorders(borders: Borders): string {
    const lines = (['top', 'left', 'bottom', 'right'] as const).map((side) => {
      const border = borders[side];
      return border === undefined ? '' : this.#borderLine(side, border, border.space);
    });
    return `<w:pBdr>${lines.join('')}</w:pBdr>`;
  }

  #borderLine(name: string, { width, style, colour }: Line, space = 0): string {
    const eighths = Math.min(96, Math.max(2, Math.round(width * 6 * this.#scale)));
    const points = Math.min(31, Math.round(space * 0.75 * this.#scale));
    return `<w:${name} w:val="${style}" w:sz="${eighths}" w:space="${points}" w:color="${colour}"/>`;
  }

  #run(run: Run, paragraph: Paragraph): void {
    const properties = `<w:rPr>${this.#runProperties(run.style, paragraph)}</w:rPr>`;
    if (run.kind === 'field') {
      this.#out.push(
        `<w:r>${properties}<w:fldChar w:fldCharType="begin"/></w:r>`,
        `<w:r>${properties}<w:instrText xml:space="preserve"> ${run.name} </w:instrText></w:r>`,
        `<w:r>${properties}<w:fldChar w:fldCharType="separate"/></w:r>`,
        `<w:r>${properties}<w:t>1</w:t></w:r>`,
        `<w:r>${properties}<w:fldChar w:fldCharType="end"/></w:r>`,
      );
      return;
    }
    this.#out.push('<w:r>', properties, this.#runContent(run), '</w:r>');
  }

  #runContent(run: Exclude<Run, { kind: 'field' }>): string {
    switch (run.kind) {
      case 'text':
        return `<w:t xml:space="preserve">${escapeXml(run.text)}</w:t>`;
      case 'break':
        return '<w:br/>';
      case 'tab':
        return '<w:tab/>';
      case 'picture': {
        const { relationship, number } = this.#parts.picture(run.picture);
        const extent = `cx="${this.#emu(run.width)}" cy="${this.#emu(run.height)}"`;
        const about = `id="${number}" name="Picture ${number}" descr="${escapeXml(run.description ?? '')}"`;
        const inner = run.description === '' ? DECORATION : '';
        return (
          `<w:drawing><wp:inline distT="0" distB="0" distL="0" distR="0"><wp:extent ${extent}/><wp:docPr ${about}>${inner}</wp:docPr>` +
          '<a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic>' +
          `<pic:nvPicPr><pic:cNvPr ${about}/><pic:cNvPicPr/></pic:nvPicPr>` +
          `<pic:blipFill><a:blip r:embed="${relationship}"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill>` +
          `<pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext ${extent}/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr>` +
          '</pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing>'
        );
      }
    }
  }

  /** What a run has that its paragraph's style has not. */
  #runProperties(style: RunStyle, { style: paragraph }: Paragraph): string {
    const base = this.#parts.styles.get(paragraph);
    return runProperties(style, base ?? null, this.#scale);
  }

  #table(table: Table): void {
    const width = this.#twips(table.columns.reduce((sum, column) => sum + column, 0));
    this.#out.push(
      '<w:tbl><w:tblPr>',
      table.rightToLeft ? '<w:bidiVisual/>' : '',
      `<w:tblW w:w="${width}" w:type="dxa"/><w:tblInd w:w="${this.#twips(table.indent)}" w:type="dxa"/>`,
      '<w:tblLayout w:type="fixed"/>',
      '<w:tblCellMar><w:top w:w="0" w:type="dxa"/><w:left w:w="0" w:type="dxa"/><w:bottom w:w="0" w:type="dxa"/><w:right w:w="0" w:type="dxa"/></w:tblCellMar>',
      '</w:tblPr><w:tblGrid>',
      ...table.columns.map((column) => `<w:gridCol w:w="${this.#twips(column)}"/>`),
      '</w:tblGrid>',
    );
    for (const row of table.rows) this.#row(row, table);
    this.#out.push('</w:tbl>');
  }

  #row(row: Row, table: Table): void {
    const properties = [
      row.keepTogether ? '<w:cantSplit/>' : '',
      row.height === null
        ? ''
        : `<w:trHeight w:val="${Math.min(MAX_HEIGHT, this.#twips(row.height))}" w:hRule="atLeast"/>`,
      row.isHeader ? '<w:tblHeader/>' : '',
    ].join('');
    this.#out.push('<w:tr>', properties === '' ? '' : `<w:trPr>${properties}</w:trPr>`);
    for (const cell of row.cells) this.#cell(cell, table);
    this.#out.push('</w:tr>');
  }

  #cell(cell: Cell, { columns, rightToLeft }: Table): void {
    const width = columns
      .slice(cell.column, cell.column + cell.span)
      .reduce((sum, column) => sum + column, 0);
    const [start, end] = rightToLeft ? (['right', 'left'] as const) : (['left', 'right'] as const);
    const borders = [
      ['top', 'top'],
      ['left', start],
      ['bottom', 'bottom'],
      ['right', end],
    ] as const;
    const lines = borders.map(([name, side]) => {
      const border: Border | undefined = cell.borders[side];
      return border === undefined ? '' : this.#borderLine(name, border);
    });
    const margin = (name: string, side: keyof Cell['padding']): string =>
      `<w:${name} w:w="${Math.max(0, this.#twips(cell.padding[side]))}" w:type="dxa"/>`;
    this.#out.push(
      `<w:tc><w:tcPr><w:tcW w:w="${this.#twips(width)}" w:type="dxa"/>`,
      cell.span > 1 ? `<w:gridSpan w:val="${cell.span}"/>` : '',
      cell.merge === null ? '' : cell.merge === 'starts' ? '<w:vMerge w:val="restart"/>' : '<w:vMerge/>',
      lines.join('') === '' ? '' : `<w:tcBorders>${lines.join('')}</w:tcBorders>`,
      cell.shade === null ? '' : shading(cell.shade),
      `<w:tcMar>${margin('top', 'top')}${margin('left', start)}${margin('bottom', 'bottom')}${margin('right', end)}</w:tcMar>`,
      cell.align === 'top' ? '' : `<w:vAlign w:val="${cell.align}"/>`,
      '</w:tcPr>',
    );
    this.#blocks(cell.blocks, cell.top);
    this.#out.push('</w:tc>');
  }

  #twips(length: number): number {
    return Math.round(length * TWIPS * this.#scale);
  }

  #emu(length: number): number {
    return Math.max(1, Math.round(length * EMU * this.#scale));
  }
}

/** Twentieths of a point: 22 inches, as high as Word has anything. */
const MAX_HEIGHT = 31_680;

/** Less is tighter than the fonts' own lines. */
const TIGHT = 1.2;

/** Share by which text may be larger than in the browser: more makes words break where they had just room. */
const LARGER = 0.01;

/** A size of text, of which word processors know halves of points. @param pixels of CSS */
function halfPoints(pixels: number): number {
  const exact = pixels * 1.5;
  const nearest = Math.round(exact);
  return Math.max(2, nearest > exact * (1 + LARGER) ? nearest - 1 : nearest);
}

/** The properties of a run, without those that `base` has as well. */
export function runProperties(style: RunStyle, base: RunStyle | null, scale: number): string {
  const size = halfPoints(style.size * scale);
  const differs = (...names: (keyof RunStyle)[]): boolean =>
    base === null || names.some((name) => style[name] !== base[name]);
  const toggle = (name: 'bold' | 'italic' | 'smallCaps' | 'strike', ...tags: string[]): string =>
    style[name] === (base?.[name] ?? false)
      ? ''
      : tags.map((tag) => (style[name] ? `<w:${tag}/>` : `<w:${tag} w:val="0"/>`)).join('');
  const font = escapeXml(style.font);
  return [
    differs('font')
      ? `<w:rFonts w:ascii="${font}" w:hAnsi="${font}" w:eastAsia="${font}" w:cs="${font}"/>`
      : '',
    toggle('bold', 'b', 'bCs'),
    toggle('italic', 'i', 'iCs'),
    toggle('smallCaps', 'smallCaps'),
    toggle('strike', 'strike'),
    differs('colour') ? `<w:color w:val="${style.colour}"/>` : '',
    differs('spacing') ? `<w:spacing w:val="${Math.round(style.spacing * TWIPS * scale)}"/>` : '',
    differs('size') ? `<w:sz w:val="${size}"/><w:szCs w:val="${size}"/>` : '',
    style.underline === (base?.underline ?? false)
      ? ''
      : `<w:u w:val="${style.underline ? 'single' : 'none'}"/>`,
    style.shade === null ? '' : shading(style.shade),
    style.raised === null ? '' : `<w:vertAlign w:val="${style.raised}"/>`,
    style.rightToLeft ? '<w:rtl/>' : '',
    style.language === null || !LANGUAGE.test(style.language) || !differs('language')
      ? ''
      : `<w:lang w:val="${style.language}" w:eastAsia="${style.language}" w:bidi="${style.language}"/>`,
  ].join('');
}

const LANGUAGE = /^[a-z]{2,3}(?:-[a-z\d]{2,8}){0,3}$/i;

function runsSize({ runs }: Paragraph): RunStyle | null {
  return runs.at(-1)?.style ?? null;
}

function justification(align: Paragraph['align'], isRtl: boolean): string {
  if (!isRtl || align === 'center' || align === 'both') return align;
  return align === 'left' ? 'right' : 'left';
}

function shading(fill: string): string {
  return `<w:shd w:val="clear" w:color="auto" w:fill="${fill}"/>`;
}

/** What XML 1.0 has no place for. */
// eslint-disable-next-line no-control-regex
const IMPOSSIBLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(IMPOSSIBLE, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
