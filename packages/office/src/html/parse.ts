import { type DefaultTreeAdapterTypes as Tree, parseFragment } from 'parse5';
import {
  type InheritedFormat,
  attribute,
  isHidden,
  type TextFormat,
  ELEMENT_FORMATS,
  styled,
  transformed,
} from './text-formats.ts';
import { markOfList, numbersOf } from './lists.ts';
import type { HtmlBlock, HtmlCell, HtmlParagraph, HtmlRun, HtmlTable } from './model.ts';

/** Converts HTML to the document model. Of unknown elements it keeps the text. */

/** Maximum nesting of elements; deeper ones are left out. */
const MAX_DEPTH = 60;
/** Maximum column span or row span of a table cell. */
const MAX_SPAN = 100;

const BLOCKS: ReadonlySet<string> = new Set(
  'address article aside blockquote caption center dd details div dl dt figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section summary table ul'.split(
    ' ',
  ),
);
const LEFT_OUT: ReadonlySet<string> = new Set(
  'script style template head title noscript iframe object embed svg math'.split(' '),
);

/** @param html a fragment that may be untrusted: nothing in it is run or loaded */
export function readHtml(html: string): HtmlBlock[] {
  const reader = new BlockReader();
  const around: InheritedFormat = { look: {}, align: null, heading: 0, quote: 0, rtl: false, depth: 0 };
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

  children(node: Tree.ParentNode, around: InheritedFormat): void {
    if (around.depth > MAX_DEPTH) return;
    for (const child of node.childNodes) {
      if ('value' in child) this.#text(child.value, around);
      else if ('tagName' in child) this.#element(child, { ...around, depth: around.depth + 1 });
    }
  }

  #element(element: Tree.Element, outer: InheritedFormat): void {
    const { tagName } = element;
    // A list directly inside a list has no `children` here.
    if (LEFT_OUT.has(tagName) || outer.depth > MAX_DEPTH || isHidden(element)) return;
    if (tagName === 'br') return this.#add({ ...outer.look, text: '\n' }, outer);
    if (tagName === 'img') return this.#picture(element, outer);
    const around = styled(element, { ...outer, look: { ...outer.look, ...ELEMENT_FORMATS[tagName] } });
    if (tagName === 'a') {
      const href = attribute(element, 'href');
      // Only links with these schemes are kept, so no scripts.
      if (/^(?:https?:|mailto:|tel:|ftp:)/i.test(href)) around.look.url = href;
      return this.children(element, around);
    }
    if (tagName === 'q') {
      this.#text('“', around);
      this.children(element, around);
      return this.#text('”', around);
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

  #list(element: Tree.Element, around: InheritedFormat): void {
    const items: HtmlBlock[][] = [];
    const own: Tree.Element[] = [];
    for (const child of element.childNodes) {
      if (!('tagName' in child) || isHidden(child)) continue;
      const reader = new BlockReader();
      // A list directly inside a list belongs to the item before it.
      if (child.tagName === 'li')
        reader.children(child, styled(child, { ...around, depth: around.depth + 1 }));
      else reader.#element(child, { ...around, depth: around.depth + 1 });
      const blocks = reader.end();
      const last = items.at(-1);
      if (child.tagName !== 'li' && last !== undefined) last.push(...blocks);
      else {
        items.push(blocks);
        own.push(child);
      }
    }
    if (items.length === 0) return;
    this.#blocks.push({ type: 'list', mark: markOfList(element), numbers: numbersOf(element, own), items });
  }

  #table(element: Tree.Element, around: InheritedFormat): void {
    for (const child of element.childNodes)
      if ('tagName' in child && child.tagName === 'caption')
        this.#element(child, { ...around, align: around.align ?? 'center', depth: around.depth + 1 });
    const rows = rowsOf(element).map((row) =>
      row.childNodes
        .filter(
          (child): child is Tree.Element =>
            'tagName' in child && /^t[dh]$/.test(child.tagName) && !isHidden(child),
        )
        .map((cell) => cellOf(cell, around)),
    );
    const filled = rows.filter((row) => row.length > 0);
    if (filled.length === 0) return;
    const columns = Math.max(...columnCounts(filled));
    const table: HtmlTable = { type: 'table', rows: filled, columns };
    this.#blocks.push(table);
  }

  #picture(element: Tree.Element, around: InheritedFormat): void {
    const [src, width, height, alt] = ['src', 'width', 'height', 'alt'].map((name) =>
      attribute(element, name),
    );
    const pixels = (value = ''): string => (/^\d+(?:\.\d+)?$/.test(value) ? `${value}px` : '');
    if (src === undefined || src === '') return;
    const picture = { src, width: pixels(width), height: pixels(height), alt: alt ?? '' };
    this.#add({ text: '', picture }, around);
  }

  #text(value: string, around: InheritedFormat): void {
    if (around.look.pre === true) {
      return this.#add({ ...around.look, text: transformed(value, around.look) }, around);
    }
    const collapsed = transformed(value, around.look).replace(/[ \t\n\f\r]+/g, ' ');
    const before = this.#open?.runs.at(-1);
    const atStart = before === undefined || /[ \n]$/.test(before.text);
    const text = atStart ? collapsed.replace(/^ /, '') : collapsed;
    if (text !== '') this.#add({ ...around.look, text }, around);
  }

  #add(run: HtmlRun & TextFormat, { heading, align, quote, rtl }: InheritedFormat): void {
    const { pre: _, transform: __, ...plain } = run;
    this.#open ??= { type: 'paragraph', runs: [], heading, align, quote, rtl };
    this.#open.runs.push(plain);
  }

  #close(): void {
    const open = this.#open;
    this.#open = null;
    const last = open?.runs.at(-1);
    if (open === null || last === undefined) return;
    // A trailing line break is not an empty line, even in preformatted text.
    last.text = last.text.replace(/[ \n]$/, '');
    this.#blocks.push(open);
  }
}

function cellOf(cell: Tree.Element, around: InheritedFormat): HtmlCell {
  const header = cell.tagName === 'th';
  const look: TextFormat = header ? { ...around.look, bold: true } : around.look;
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
    if (!('tagName' in child) || isHidden(child)) return [];
    if (child.tagName === 'tr') return [child];
    return /^t(?:head|body|foot)$/.test(child.tagName) ? rowsOf(child) : [];
  });
}

/** Returns the columns that each row takes, including cells that span from rows above. */
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
