import { type Tagged, textOf } from './struct-tree.ts';

/** Headings, items of lists and tables of a document, as a reader of its tags sees them, and its text. */
export interface Structure {
  /** Everything there is to be read, with the numbers of items, without spaces: as it is drawn, and by its place. */
  texts: string[];
  /** Levels of headings. */
  headings: string[];
  /** `1 2.`: how deep, and its number (or `•`). */
  items: string[];
  /** `2×3 [1|1|1] [1|1×2]`: rows and columns, and what the cells of each row span. */
  tables: string[];
}

/** How LibreOffice indents items at the first level, and more at each one below it, as tags tell it. */
export const INDENTS = { html: [0, 1], docx: [0.36, 0.72], odt: [0, 0.36] } as const;

type Indents = readonly [first: number, step: number];

/** The mark before each fragment. */
const MARK = /^§(\d+)§$/;

/**
 * What there is between the marks, by their numbers.
 *
 * @param texts of the whole document, in the order in which they are drawn and by their place
 */
export function fragmentsOf(
  tree: Tagged,
  texts: readonly string[],
  indents: Indents,
): Map<number, Structure> {
  const found = new Map<number, Structure>();
  for (const text of texts) {
    for (const [, number = '', words = ''] of text.matchAll(/§(\d+)§([^§]*)/g)) {
      const known = found.get(Number(number));
      if (known) known.texts.push(plain(words));
      else found.set(Number(number), { texts: [plain(words)], headings: [], items: [], tables: [] });
    }
  }
  let current: Structure | undefined;
  for (const block of blocksOf(tree)) {
    const mark = MARK.exec(plain(textOf(block)));
    if (mark) current = found.get(Number(mark[1]));
    else if (current) walk(block, 0, current, indents);
  }
  return found;
}

/** Blocks one after the other; what only groups them is left out. */
function blocksOf(element: Tagged): Tagged[] {
  return element.children.flatMap((child) =>
    /^(?:Document|Div|Art|Sect|Part)$/.test(child.type) ? blocksOf(child) : [child],
  );
}

/** @param depth lists around it */
function walk(element: Tagged, depth: number, into: Structure, indents: Indents): void {
  const { type, children } = element;
  if (/^H[1-6]$/.test(type)) into.headings.push(type.slice(1));
  if (type === 'Table') into.tables.push(tableOf(element));
  if (type === 'LI') into.items.push(`${depthOf(element, depth, indents)} ${labelOf(element)}`);
  for (const child of children) walk(child, depth + (type === 'L' ? 1 : 0), into, indents);
}

/** How deep an item is: by the lists around it, or by its indent where lists stand side by side. */
function depthOf(item: Tagged, nested: number, [first, step]: Indents): number {
  const [paragraph] = item.children.flatMap(({ children }) => children);
  const indent = Number(paragraph?.attributes['StartIndent'] ?? 0);
  return nested > 1 ? nested : Math.max(1, 1 + Math.round((indent - first) / step));
}

/** Chromium tags the mark of an item as such; LibreOffice has it as the first text of its first paragraph. */
function labelOf(item: Tagged): string {
  let first: Tagged | undefined = item;
  while (first !== undefined && first.type !== '' && first.type !== 'Lbl') [first] = first.children;
  const mark = plain(first === undefined ? '' : textOf(first));
  return /^[\p{L}\p{N}-]+\.$/u.test(mark) ? mark : '•';
}

function tableOf(table: Tagged): string {
  const rows = rowsOf(table).map((row) =>
    row.children.filter(
      ({ type, attributes, children }) =>
        /^T[HD]$/.test(type) &&
        // LibreOffice tags places that a cell above or beside covers: they have no height and nothing in them.
        !(Number(attributes['Height'] ?? 1) === 0 && children.length === 0),
    ),
  );
  const columns = rows.map(() => 0);
  for (const [at, row] of rows.entries()) {
    for (const cell of row) {
      const [across, down] = spansOf(cell);
      for (let below = at; below < Math.min(rows.length, at + down); below += 1)
        columns[below] = (columns[below] ?? 0) + across;
    }
  }
  const cells = rows.map((row) => {
    const spans = row.map((cell) => spansOf(cell)).map(([across, down]) => `${down}×${across}`);
    return `[${spans.join('|').replaceAll('1×1', '1')}]`;
  });
  return `${rows.length}×${Math.max(0, ...columns)} ${cells.join(' ')}`;
}

function rowsOf({ children }: Tagged): Tagged[] {
  return children.flatMap((child) =>
    child.type === 'TR' ? [child] : /^T(?:Head|Body|Foot)$/.test(child.type) ? rowsOf(child) : [],
  );
}

function spansOf({ attributes }: Tagged): [across: number, down: number] {
  return [Number(attributes['ColSpan'] ?? 1), Number(attributes['RowSpan'] ?? 1)];
}

/** Where words are apart is a matter of lines and fonts; so are ligatures, and which bullet there is. */
function plain(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\s\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ue000-\uf8ff]+/g, '')
    .replace(/[•◦▪▫○■]/g, '');
}
