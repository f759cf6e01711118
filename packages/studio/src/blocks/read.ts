import { decodeHTML } from 'entities/decode';
import { Fragment, type Mark, type MarkType, type Node, type NodeType } from 'prosemirror-model';
import { isPageBreak } from './kinds.ts';
import { FAMILIES, type Family, schema } from './schema.ts';
import { type Piece, treeOf } from './tree.ts';

/** Reads a template as blocks. Whatever they cannot show is a block of code, as it is written. */

/** What was read for a node. */
export interface Origin {
  node: Node;
  source: string;
  /** The origin of what contains it. */
  parent: number;
  /** The white space before it. */
  lead: string;
  /** The white space after its start tag, and before its end tag. */
  pad: readonly [string, string];
}

/** The nodes of a document with their texts, by their number. */
export type Origins = Map<number, Origin>;

export interface Blocks {
  doc: Node;
  /** The text before and after what is edited in blocks. */
  before: string;
  after: string;
}

const GROUPS = new Set(
  'address article aside blockquote center div fieldset figure footer form header hgroup main nav section'.split(
    ' ',
  ),
);
const TEXTS = new Set([...GROUPS, ...'p h1 h2 h3 h4 h5 h6 figcaption legend'.split(' ')]);
const MARKS: Readonly<Record<string, MarkType>> = {
  ...Object.fromEntries(
    'abbr bdi bdo big cite code del dfn font ins kbd label mark q s samp small span strike sub sup time tt u var'
      .split(' ')
      .map((name) => [name, schema.marks.span]),
  ),
  a: schema.marks.link,
  strong: schema.marks.strong,
  b: schema.marks.strong,
  em: schema.marks.em,
  i: schema.marks.em,
  u: schema.marks.underline,
};
const INLINE = new Set([...Object.keys(MARKS), 'br', 'img', 'wbr', 'svg', 'input', 'canvas']);
/** White space of html: a no-break space is a character. */
const SPACE = /^[ \t\n\r\f]*$/;
const SPACES = ' \t\n\r\f';

/** Reads the blocks of a template. @param origins receives what was read */
export function readBlocks(text: string, origins: Origins): Blocks {
  const root = treeOf(text);
  const html = root.children.find(({ name }) => name === 'html');
  const body =
    [...root.children, ...(html?.children ?? [])].find(({ name }) => name === 'body') ?? html ?? root;
  const { from, to } = body.inner;
  const reader = new Reader(text, origins);
  const doc = reader.keep({ at: from, parent: 0 }, body.inner, body.inner, (origin) =>
    schema.node('doc', { origin }, reader.children(body, 'blocks', origin)),
  );
  return { doc, before: text.slice(0, from), after: text.slice(to) };
}

interface Range {
  from: number;
  to: number;
}

/** Where what is before a node ends, and the origin of what contains it. */
interface Context {
  at: number;
  parent: number;
}

class Reader {
  readonly #text: string;
  readonly #origins: Origins;

  constructor(text: string, origins: Origins) {
    this.#text = text;
    this.#origins = origins;
  }

  #slice({ from, to }: Range): string {
    return this.#text.slice(from, to);
  }

  /** Makes a node and keeps its text. */
  keep({ at, parent }: Context, place: Range, inner: Range, make: (origin: number) => Node): Node {
    const number = this.#origins.size + 1;
    const { from, to } = trimmed(this.#text, inner);
    const origin: Origin = {
      node: schema.topNodeType.createAndFill() as Node,
      source: this.#slice(place),
      parent,
      lead: this.#text.slice(at, place.from),
      pad: [this.#text.slice(inner.from, from), this.#text.slice(to, inner.to)],
    };
    this.#origins.set(number, origin);
    origin.node = make(number);
    return origin.node;
  }

  /** Reads the children of a piece as nodes of a family. */
  children({ children, inner }: Piece, family: Family, parent: number): Node[] {
    const nodes: Node[] = [];
    const first = children.findIndex(({ kind }) => kind === 'odd');
    const last = children.findLastIndex(({ kind }) => kind === 'odd');
    let at = inner.from;
    const add = (node: Node, { to }: Range): void => {
      nodes.push(node);
      at = to;
    };
    for (let n = 0; n < children.length; n++) {
      const child = children[n] as Piece;
      if (child.kind === 'text' && SPACE.test(this.#slice(child))) continue;
      if (n === first) {
        const place = placeOf(children.slice(first, last + 1));
        add(this.#code({ at, parent }, place, family), place);
        n = last;
      } else if (family === 'blocks' && this.#isText(child)) {
        const end = this.#endOfRun(children, n);
        const place = trimmed(this.#text, placeOf(children.slice(n, end)));
        add(this.#anonymous({ at, parent }, place, children.slice(n, end)), place);
        n = end - 1;
      } else {
        const place = trimmed(this.#text, child);
        const piece = child.kind === 'text' ? { ...child, ...place } : child;
        add(this.#node({ at, parent }, piece, family), piece);
      }
    }
    const origin = this.#origins.get(parent);
    if (origin !== undefined) origin.pad = [origin.pad[0], this.#text.slice(at, inner.to)];
    if (nodes.length > 0) return nodes;
    // Every node needs a place to write in.
    if (family === 'blocks') return [schema.node('paragraph')];
    return [FAMILIES[family].code.create()];
  }

  /** Returns whether text stands in a container without an element of its own. */
  #isText(piece: Piece): boolean {
    if (piece.kind === 'text' || piece.kind === 'output') return true;
    return (
      piece.kind === 'element' && INLINE.has(piece.name) && this.#isInline(piece) && piece.name !== 'svg'
    );
  }

  #isInline(piece: Piece): boolean {
    switch (piece.kind) {
      case 'odd':
        return false;
      case 'element':
        // What is drawn is one piece, whatever is in it.
        if (piece.name === 'svg' || piece.name === 'canvas') return true;
        return INLINE.has(piece.name) && piece.children.every((child) => this.#isInline(child));
      case 'jinja':
        return piece.children.every((child) => this.#isInline(child));
      default:
        return true;
    }
  }

  #endOfRun(pieces: readonly Piece[], from: number): number {
    let end = from + 1;
    for (let n = end; n < pieces.length; n++) {
      const piece = pieces[n] as Piece;
      if (!this.#isText(piece)) break;
      if (piece.kind !== 'text' || !SPACE.test(this.#slice(piece))) end = n + 1;
    }
    return end;
  }

  #code(context: Context, place: Range, family: Family): Node {
    return this.keep(context, place, place, (origin) =>
      FAMILIES[family].code.create({ origin }, schema.text(this.#slice(place))),
    );
  }

  #anonymous(context: Context, place: Range, run: readonly Piece[]): Node {
    return this.keep(context, place, place, (origin) =>
      schema.node('paragraph', { origin }, this.#inline(run)),
    );
  }

  #node(context: Context, piece: Piece, family: Family): Node {
    const { kind, name } = piece;
    const of = (type: NodeType, content: (origin: number) => readonly Node[] | Fragment): Node =>
      this.keep(context, piece, piece.inner, (origin) =>
        type.create({ origin, ...this.#tags(piece) }, content(origin)),
      );
    const holding = (type: NodeType, inner: Family): Node =>
      of(type, (origin) => this.children(piece, inner, origin));
    const { nodes } = schema;
    if (kind === 'jinja') {
      if (family === 'parts' && piece.children.some(isSection)) return this.#code(context, piece, family);
      return holding(FAMILIES[family].jinja, family === 'parts' ? 'rows' : family);
    }
    if (kind !== 'element') return this.#code(context, piece, family);
    if (family === 'items' && name === 'li') return holding(nodes.item, 'blocks');
    if (family === 'cells' && (name === 'td' || name === 'th')) return holding(nodes.cell, 'blocks');
    if ((family === 'rows' || family === 'parts') && name === 'tr') return holding(nodes.row, 'cells');
    if (family === 'parts' && isSection(piece)) return holding(nodes.section, 'rows');
    if (family !== 'blocks') return this.#code(context, piece, family);
    if (name === 'hr' || isPageBreak(this.#slice(piece)))
      return this.keep(context, piece, piece.inner, (origin) =>
        nodes.divider.create({ origin, code: this.#slice(piece) }),
      );
    if (name === 'ul' || name === 'ol') return holding(nodes.list, 'items');
    if (name === 'table') return holding(nodes.table, 'parts');
    if (TEXTS.has(name) && piece.children.every((child) => this.#isInline(child)))
      return of(nodes.paragraph, () => this.#inline(piece.children));
    return GROUPS.has(name) ? holding(nodes.group, 'blocks') : this.#code(context, piece, family);
  }

  #tags({ from, to, inner }: Piece): { open: string; close: string } {
    return { open: this.#text.slice(from, inner.from), close: this.#text.slice(inner.to, to) };
  }

  /** Returns what stands in lines: text with its marks, and chips. White space is what a browser makes of it. */
  #inline(pieces: readonly Piece[]): Fragment {
    const nodes: Node[] = [];
    const chip = (code: string, marks: readonly Mark[]): void => {
      nodes.push(schema.node('chip', { code }, undefined, marks));
    };
    const text = (written: string, marks: readonly Mark[]): void => {
      const last = nodes.at(-1);
      const isAfterSpace = last === undefined || isLineBreak(last) || last.text?.endsWith(' ') === true;
      const decoded = written.replace(/[ \t\n\r\f]+/g, ' ').replace(isAfterSpace ? /^ / : /^$/, '');
      if (decoded !== '') nodes.push(schema.text(decodeHTML(decoded), marks));
    };
    const visit = (piece: Piece, marks: readonly Mark[]): void => {
      const source = this.#slice(piece);
      const { open, close } = this.#tags(piece);
      if (piece.kind === 'text') return text(source, marks);
      if (piece.kind === 'output') {
        const literal = literalOf(source);
        return literal === null ? chip(source, marks) : text(literal, marks);
      }
      if (piece.kind === 'jinja') {
        chip(open, marks);
        for (const child of piece.children) visit(child, marks);
        return chip(close, marks);
      }
      const mark = Object.hasOwn(MARKS, piece.name) ? MARKS[piece.name] : undefined;
      const isMark = piece.kind === 'element' && mark !== undefined && this.#hasContent(piece);
      if (!isMark) return chip(source, marks);
      const inner = mark.create({ open }).addToSet(marks);
      for (const child of piece.children) visit(child, inner);
    };
    for (const piece of pieces) visit(piece, []);
    const last = nodes.at(-1);
    // A line break alone keeps a line free.
    if (nodes.length === 1 && last !== undefined && isLineBreak(last)) return Fragment.empty;
    if (last?.isText === true && last.text?.endsWith(' ') === true) {
      const kept = last.text.slice(0, -1);
      nodes.splice(-1, 1, ...(kept === '' ? [] : [schema.text(kept, last.marks)]));
    }
    return Fragment.from(nodes);
  }

  /** Returns whether an element has text to mark, or anything else that is seen. */
  #hasContent(piece: Piece): boolean {
    return piece.children.some((child) => child.kind !== 'text' || !SPACE.test(this.#slice(child)));
  }
}

function isSection({ name }: Piece): boolean {
  return /^t(?:head|body|foot)$/.test(name);
}

function placeOf(run: readonly Piece[]): Range {
  return { from: run[0]?.from ?? 0, to: run.at(-1)?.to ?? 0 };
}

function trimmed(text: string, { from, to }: Range): Range {
  let [start, end] = [from, to];
  while (start < end && SPACES.includes(text.charAt(start))) start++;
  while (end > start && SPACES.includes(text.charAt(end - 1))) end--;
  return { from: start, to: end };
}

function isLineBreak({ attrs }: Node): boolean {
  return /^<br\b/i.test(String(attrs['code'] ?? ''));
}

/** Returns the text of `{{ "{%" }}`, which writes what would begin a tag of Jinja2; null for fields. */
function literalOf(source: string): string | null {
  return /^\{\{ "(\{[{%#])" \}\}$/.exec(source)?.[1] ?? null;
}
