/** Finds the tags of html and of Jinja2 in the text of a template; everything is named by its place in the text. */

export interface Token {
  kind: 'text' | 'output' | 'statement' | 'comment' | 'start' | 'end' | 'odd';
  from: number;
  to: number;
  /** Of an html tag in lower case; of a statement its first word. */
  name: string;
}

/** Elements whose content is text up to their end tag. */
const RAW = new Set(['script', 'style', 'textarea', 'title', 'xmp', 'iframe', 'noembed', 'noframes']);
const NAME = /[a-z][^\s/>{]*/iy;
const STATEMENT = /\{%[-+]?\s*(\w*)/y;
const ENDRAW = /\{%[-+]?\s*endraw\s*[-+]?%\}/g;
/** Where something other than text may begin. */
const BEGINS = /<[a-z/!?]|\{[{%#]/gi;

/** Returns everything in a template, in its order and without gaps. */
export function scan(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const add = (kind: Token['kind'], to: number, name = ''): void => {
    if (to > at) tokens.push({ kind, from: at, to, name });
    at = to;
  };
  while (at < text.length) {
    BEGINS.lastIndex = at;
    add('text', BEGINS.exec(text)?.index ?? text.length);
    if (at === text.length) break;
    if (text[at] === '{') scanJinja(text, at, add);
    else scanTag(text, at, add);
  }
  return tokens;
}

type Add = (kind: Token['kind'], to: number, name?: string) => void;

function scanJinja(text: string, at: number, add: Add): void {
  const to = endOfJinja(text, at);
  if (to === null) return add('odd', text.length);
  if (text[at + 1] === '{') return add('output', to);
  if (text[at + 1] === '#') return add('comment', to);
  STATEMENT.lastIndex = at;
  const name = STATEMENT.exec(text)?.[1] ?? '';
  if (name !== 'raw') return add('statement', to, name);
  ENDRAW.lastIndex = to;
  const end = ENDRAW.exec(text);
  if (end === null) return add('odd', text.length);
  add('odd', end.index + end[0].length);
}

/** Returns where the tag of Jinja2 ends that begins at a place; null if it does not end. */
export function endOfJinja(text: string, at: number): number | null {
  const kind = text[at + 1];
  if (kind === '#') {
    const end = text.indexOf('#}', at + 2);
    return end < 0 ? null : end + 2;
  }
  const close = kind === '{' ? '}}' : '%}';
  let depth = 0;
  for (let n = at + 2; n < text.length; n++) {
    const letter = text[n] ?? '';
    if (letter === '"' || letter === "'") {
      n = endOfString(text, n);
      if (n < 0) return null;
    } else if ('([{'.includes(letter)) depth++;
    else if (depth === 0 && text.startsWith(close, n)) return n + 2;
    else if (')]}'.includes(letter)) depth = Math.max(0, depth - 1);
  }
  return null;
}

function endOfString(text: string, at: number): number {
  const quote = text[at];
  for (let n = at + 1; n < text.length; n++) {
    if (text[n] === '\\') n++;
    else if (text[n] === quote) return n;
  }
  return -1;
}

function scanTag(text: string, at: number, add: Add): void {
  if (text.startsWith('<!--', at)) {
    const end = text.indexOf('-->', at + 4);
    const to = end < 0 ? text.length : end + 3;
    // The service reads the tags of Jinja2 in comments of html too.
    return add(end < 0 || text.slice(at, to).includes('{%') ? 'odd' : 'comment', to);
  }
  const isEnd = text[at + 1] === '/';
  NAME.lastIndex = at + (isEnd ? 2 : 1);
  const name = NAME.exec(text)?.[0].toLowerCase() ?? '';
  const to = endOfTag(text, at + 1);
  if (to === null) return add('odd', text.length);
  if (name === '') return add(/^<!doctype/i.test(text.slice(at, at + 9)) ? 'comment' : 'odd', to);
  add(isEnd ? 'end' : 'start', to, name);
  if (isEnd || !RAW.has(name)) return;
  const rest = new RegExp(`</${name}[\\s/>]`, 'gi');
  rest.lastIndex = to;
  add('text', rest.exec(text)?.index ?? text.length);
}

/** Returns where a tag of html ends; null if it does not. Tags of Jinja2 and quoted values are passed over. */
function endOfTag(text: string, at: number): number | null {
  for (let n = at; n < text.length; n++) {
    const letter = text[n] ?? '';
    if (letter === '>') return n + 1;
    if (letter === '{' && '{%#'.includes(text[n + 1] ?? ' ')) {
      const end = endOfJinja(text, n);
      if (end === null) return null;
      n = end - 1;
    } else if ((letter === '"' || letter === "'") && text[n - 1] === '=') {
      const end = endOfValue(text, n);
      if (end === null) return null;
      n = end;
    }
  }
  return null;
}

function endOfValue(text: string, at: number): number | null {
  for (let n = at + 1; n < text.length; n++) {
    if (text[n] === text[at]) return n;
    if (text[n] === '{' && '{%#'.includes(text[n + 1] ?? ' ')) {
      const end = endOfJinja(text, n);
      if (end === null) return null;
      n = end - 1;
    }
  }
  return null;
}
