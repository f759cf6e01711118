import { scan, type Token } from './scan.ts';

/** The elements of html and the blocks of Jinja2 in a template, as one tree. */

export interface Piece {
  /** What is `odd` does not nest: a tag without its partner, or one that is not understood. */
  kind: 'text' | 'output' | 'statement' | 'comment' | 'odd' | 'element' | 'jinja';
  from: number;
  to: number;
  /** Of an element in lower case; of a block or a statement its first word. */
  name: string;
  /** Where the content begins and ends. */
  inner: { from: number; to: number };
  children: Piece[];
}

const VOID = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));
const JINJA = new Set('for if macro call block filter trans with autoescape set'.split(' '));
const BRANCHES = new Set(['else', 'elif', 'pluralize']);
const FOREIGN = new Set(['svg', 'math']);

/** Elements whose end tag may be left out, with the start tags that end them. */
const BLOCK_STARTS =
  'address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form h1 h2 h3 ' +
  'h4 h5 h6 header hgroup hr main menu nav ol p pre section table ul';
const ENDED_BY: Readonly<Record<string, ReadonlySet<string>>> = Object.fromEntries(
  Object.entries({
    html: '',
    body: '',
    head: 'body',
    p: BLOCK_STARTS,
    li: 'li',
    dt: 'dt dd',
    dd: 'dt dd',
    tr: 'tr tbody thead tfoot',
    td: 'td th tr tbody thead tfoot',
    th: 'td th tr tbody thead tfoot',
    thead: 'tbody tfoot',
    tbody: 'tbody tfoot',
    tfoot: 'tbody',
  }).map(([name, starts]) => [name, new Set(starts.split(' '))]),
);

/** Returns the tree of a template; its root has the whole text as its content. */
export function treeOf(text: string): Piece {
  const root = pieceOf({ kind: 'text', from: 0, to: text.length, name: '' }, 'element');
  const open: Piece[] = [root];
  const top = (): Piece => open.at(-1) ?? root;
  /** Ends the innermost piece, with the tag that ends it, or as it may end without one. */
  const close = (from: number, to: number): void => {
    const ended = open.pop() ?? root;
    ended.inner.to = from;
    ended.to = to;
  };
  /** What was opened and is not ended is a tag alone, with what follows beside it. */
  const drop = (from: number): void => {
    if (Object.hasOwn(ENDED_BY, top().name) && top().kind === 'element') return close(from, from);
    const dropped = open.pop() ?? root;
    const { children, inner } = dropped;
    Object.assign(dropped, { kind: 'odd', to: inner.from, children: [] });
    top().children = [...top().children, ...children];
  };
  const start = (token: Token): void => {
    while (ENDED_BY[top().name]?.has(token.name) === true && top().kind === 'element')
      close(token.from, token.from);
    const piece = pieceOf(token, 'element');
    top().children.push(piece);
    const isClosed = open.some(({ name }) => FOREIGN.has(name)) && text[token.to - 2] === '/';
    if (!VOID.has(token.name) && !isClosed) open.push(piece);
  };
  const end = (token: Token): void => {
    const block = open.findLastIndex(({ kind }) => kind === 'jinja');
    const at = open.findLastIndex(({ kind, name }) => kind === 'element' && name === token.name);
    if (at <= Math.max(block, 0)) return void top().children.push(pieceOf(token, 'odd'));
    while (open.length > at + 1) drop(token.from);
    close(token.from, token.to);
  };
  const statement = (token: Token): void => {
    const { name } = token;
    const isEnd = name.startsWith('end') && JINJA.has(name.slice(3));
    const block = open.findLastIndex(({ kind }) => kind === 'jinja');
    if (isEnd || BRANCHES.has(name)) {
      const isPartner = isEnd ? open[block]?.name === name.slice(3) : block > 0;
      if (!isPartner) return void top().children.push(pieceOf(token, 'odd'));
      while (open.length > block + 1) drop(token.from);
      if (isEnd) return close(token.from, token.to);
    }
    const piece = pieceOf(token, 'statement');
    top().children.push(piece);
    const isBlock = JINJA.has(name) && !(name === 'set' && text.slice(token.from, token.to).includes('='));
    if (isBlock) {
      piece.kind = 'jinja';
      open.push(piece);
    }
  };
  for (const token of scan(text)) {
    if (token.kind === 'start') start(token);
    else if (token.kind === 'end') end(token);
    else if (token.kind === 'statement') statement(token);
    else top().children.push(pieceOf(token, token.kind));
  }
  while (open.length > 1) drop(text.length);
  root.inner = { from: 0, to: text.length };
  return root;
}

function pieceOf({ from, to, name }: Token, kind: Piece['kind']): Piece {
  return { kind, from, to, name, inner: { from: to, to }, children: [] };
}
