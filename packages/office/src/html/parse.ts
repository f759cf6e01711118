import { type DefaultTreeAdapterTypes as Tree, parseFragment } from 'parse5';
import type { Align, HtmlBlock, HtmlCell, HtmlParagraph, HtmlRun, HtmlTable } from './model.ts';

/** Reads html as what it comes to in a document. Everything it does not know is read for its text. */

/** Elements inside of each other; what is deeper is left out. */
const MAX_DEPTH = 60;
/** Cells that one cell of a table may be as wide or as high as. */
const MAX_SPAN = 100;

type Look = Omit<HtmlRun, 'text' | 'picture'> & { pre?: boolean };

const LOOKS: Readonly<Record<string, Look>> = {
  strong: { bold: true },
  b: { bold: true },
  th: { bold: true },
  em: { italic: true },
  i: { italic: true },
  cite: { italic: true },
  u: { underline: 'single' },
  ins: { underline: 'single' },
  s: { strike: true },
  del: { strike: true },
  strike: { strike: true },
  sub: { subscript: true },
  sup: { superscript: true },
  code: { font: 'Courier New' },
  kbd: { font: 'Courier New' },
  pre: { font: 'Courier New', pre: true },
  mark: { highlight: 'FFFF00' },
};
const BLOCKS: ReadonlySet<string> = new Set(
  'address article aside blockquote center dd details div dl dt figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section summary table ul'.split(
    ' ',
  ),
);
const LEFT_OUT: ReadonlySet<string> = new Set(
  'script style template head title noscript iframe object embed svg math'.split(' '),
);

interface Around {
  look: Look;
  align: Align | null;
  heading: number;
  quote: number;
  depth: number;
}

/** @param html a fragment, safe or not: nothing of it is run or loaded */
export function readHtml(html: string): HtmlBlock[] {
  const reader = new BlockReader();
  const around: Around = { look: {}, align: null, heading: 0, quote: 0, depth: 0 };
  reader.children(parseFragment(html), around);
  return reader.end();
}

class BlockReader {
  readonly #blocks: HtmlBlock[] = [];
  #open: HtmlParagraph | null = null;

  end(): HtmlBlock[] {
    this.#close();
    return this.#blocks;
  }

  children(node: Tree.ParentNode, around: Around): void {
    if (around.depth > MAX_DEPTH) return;
    for (const child of node.childNodes) {
      if ('value' in child) this.#text(child.value, around);
      else if ('tagName' in child) this.#element(child, { ...around, depth: around.depth + 1 });
    }
  }

  #element(element: Tree.Element, outer: Around): void {
    const { tagName } = element;
    // A list right inside of a list comes here without `children`.
    if (LEFT_OUT.has(tagName) || outer.depth > MAX_DEPTH) return;
    if (tagName === 'br') return this.#add({ ...outer.look, text: '\n' }, outer);
    if (tagName === 'img') return this.#picture(element, outer);
    const around = styled(element, { ...outer, look: { ...outer.look, ...LOOKS[tagName] } });
    if (tagName === 'a') {
      const href = attribute(element, 'href');
      // Only what leads somewhere: no scripts.
      if (/^(?:https?:|mailto:|tel:|ftp:)/i.test(href)) around.look.url = href;
      return this.children(element, around);
    }
    if (!BLOCKS.has(tagName)) return this.children(element, around);
    this.#close();
    if (tagName === 'hr') this.#blocks.push({ type: 'rule' });
    else if (tagName === 'ul' || tagName === 'ol') this.#list(element, around);
    else if (tagName === 'table') this.#table(element, around);
    else {
      if (/^h[1-6]$/.test(tagName)) around.heading = Number(tagName.slice(1));
      if (tagName === 'blockquote' || tagName === 'dd') around.quote += 1;
      this.children(element, around);
    }
    this.#close();
  }

  #list(element: Tree.Element, around: Around): void {
    const items: HtmlBlock[][] = [];
    for (const child of element.childNodes) {
      if (!('tagName' in child)) continue;
      const reader = new BlockReader();
      // A list right inside of a list belongs to the item before it.
      if (child.tagName === 'li')
        reader.children(child, styled(child, { ...around, depth: around.depth + 1 }));
      else reader.#element(child, { ...around, depth: around.depth + 1 });
      const blocks = reader.end();
      const last = items.at(-1);
      if (child.tagName !== 'li' && last !== undefined) last.push(...blocks);
      else items.push(blocks);
    }
    const start = Number.parseInt(attribute(element, 'start'), 10);
    if (items.length === 0) return;
    this.#blocks.push({
      type: 'list',
      ordered: element.tagName === 'ol',
      start: Number.isInteger(start) ? start : 1,
      items,
    });
  }

  #table(element: Tree.Element, around: Around): void {
    const rows = rowsOf(element).map((row) =>
      row.childNodes
        .filter((child): child is Tree.Element => 'tagName' in child && /^t[dh]$/.test(child.tagName))
        .map((cell) => cellOf(cell, around)),
    );
    const filled = rows.filter((row) => row.length > 0);
    if (filled.length === 0) return;
    const columns = Math.max(...columnCounts(filled));
    const table: HtmlTable = { type: 'table', rows: filled, columns };
    this.#blocks.push(table);
  }

  #picture(element: Tree.Element, around: Around): void {
    const [src, width, height, alt] = ['src', 'width', 'height', 'alt'].map((name) =>
      attribute(element, name),
    );
    const pixels = (value = ''): string => (/^\d+(?:\.\d+)?$/.test(value) ? `${value}px` : '');
    if (src === undefined || src === '') return;
    const picture = { src, width: pixels(width), height: pixels(height), alt: alt ?? '' };
    this.#add({ text: '', picture }, around);
  }

  #text(value: string, around: Around): void {
    if (around.look.pre === true) {
      return this.#add({ ...around.look, text: value.replace(/\n$/, '') }, around);
    }
    const collapsed = value.replace(/[ \t\n\f\r]+/g, ' ');
    const before = this.#open?.runs.at(-1);
    const atStart = before === undefined || /[ \n]$/.test(before.text);
    const text = atStart ? collapsed.replace(/^ /, '') : collapsed;
    if (text !== '') this.#add({ ...around.look, text }, around);
  }

  #add(run: HtmlRun & { pre?: boolean }, { heading, align, quote }: Around): void {
    const { pre: _, ...plain } = run;
    this.#open ??= { type: 'paragraph', runs: [], heading, align, quote };
    this.#open.runs.push(plain);
  }

  #close(): void {
    const open = this.#open;
    this.#open = null;
    const last = open?.runs.at(-1);
    if (open === null || last === undefined) return;
    last.text = last.text.replace(/ $/, '');
    this.#blocks.push(open);
  }
}

function cellOf(cell: Tree.Element, around: Around): HtmlCell {
  const header = cell.tagName === 'th';
  const look: Look = header ? { ...around.look, bold: true } : around.look;
  const inside = styled(cell, {
    ...around,
    look,
    heading: 0,
    quote: 0,
    align: null,
    depth: around.depth + 3,
  });
  const { highlight, ...text } = inside.look;
  const reader = new BlockReader();
  reader.children(cell, { ...inside, look: text });
  const span = (name: string): number =>
    Math.min(MAX_SPAN, Math.max(1, Number.parseInt(attribute(cell, name), 10) || 1));
  return {
    blocks: reader.end(),
    colspan: span('colspan'),
    rowspan: span('rowspan'),
    header,
    background: highlight ?? null,
  };
}

function rowsOf(element: Tree.Element): Tree.Element[] {
  return element.childNodes.flatMap((child) => {
    if (!('tagName' in child)) return [];
    if (child.tagName === 'tr') return [child];
    return /^t(?:head|body|foot)$/.test(child.tagName) ? rowsOf(child) : [];
  });
}

/** Columns that each row takes, with cells that come down from rows above. */
function columnCounts(rows: readonly HtmlCell[][]): number[] {
  const down: number[] = [];
  return rows.map((row, at) => {
    const own = row.reduce((sum, { colspan }) => sum + colspan, 0);
    const count = own + (down[at] ?? 0);
    for (const { colspan, rowspan } of row) {
      for (let below = at + 1; below < Math.min(rows.length, at + rowspan); below += 1) {
        down[below] = (down[below] ?? 0) + colspan;
      }
    }
    return count;
  });
}

function attribute(element: Tree.Element, name: string): string {
  return element.attrs.find((one) => one.name === name)?.value.trim() ?? '';
}

/** What `style`, `align`, `bgcolor` and `color` say. */
function styled(element: Tree.Element, around: Around): Around {
  const look = { ...around.look };
  let { align } = around;
  const style = attribute(element, 'style').slice(0, 2000);
  const of = (property: string): string =>
    style
      .split(';')
      .map((declaration) => declaration.split(':', 2))
      .findLast(([name = '']) => name.trim().toLowerCase() === property)?.[1]
      ?.trim() ?? '';
  const colour = colourOf(of('color') || attribute(element, 'color'));
  if (colour !== null) look.color = colour;
  const background = colourOf(of('background-color') || of('background') || attribute(element, 'bgcolor'));
  if (background !== null) look.highlight = background;
  if (/^(?:bold|[6-9]00)$/.test(of('font-weight'))) look.bold = true;
  if (/^(?:normal|400)$/.test(of('font-weight'))) look.bold = false;
  if (/^(?:italic|oblique)/.test(of('font-style'))) look.italic = true;
  if (/underline/.test(of('text-decoration'))) look.underline = 'single';
  if (/line-through/.test(of('text-decoration'))) look.strike = true;
  const size = /^(\d+(?:\.\d+)?)(pt|px)$/.exec(of('font-size'));
  if (size) look.size = Math.min(400, Math.max(1, Number(size[1]) * (size[2] === 'px' ? 0.75 : 1)));
  const wanted = of('text-align') || attribute(element, 'align');
  if (/^(?:left|center|right|justify)$/i.test(wanted)) align = wanted.toLowerCase() as Align;
  if (element.tagName === 'center') align = 'center';
  return { ...around, look, align };
}

const NAMES: Readonly<Record<string, string>> = {
  black: '000000',
  blue: '0000FF',
  gray: '808080',
  green: '008000',
  grey: '808080',
  lightgray: 'D3D3D3',
  lightgrey: 'D3D3D3',
  navy: '000080',
  orange: 'FFA500',
  purple: '800080',
  red: 'FF0000',
  silver: 'C0C0C0',
  teal: '008080',
  white: 'FFFFFF',
  yellow: 'FFFF00',
};

/** Six hexadecimal digits; null for what is no colour, or none of these. */
function colourOf(text: string): string | null {
  const value = text.toLowerCase();
  if (Object.hasOwn(NAMES, value)) return NAMES[value] ?? null;
  const hex = /^#([\da-f]{3}|[\da-f]{6})$/.exec(value)?.[1];
  if (hex !== undefined) return (hex.length === 3 ? hex.replace(/./g, '$&$&') : hex).toUpperCase();
  const rgb = /^rgb\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)$/.exec(value);
  if (rgb === null) return null;
  return rgb
    .slice(1)
    .map((channel) => Math.min(255, Number(channel)).toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase();
}
