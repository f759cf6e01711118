/**
 * Boxes in the margins of pages (CSS Paged Media 3), which WebKit drops. They are rewritten as rules for elements, which it
 * keeps. A document that is overlaid on the pages has such elements (convert function).
 */

/** The element for a page, and the one for a box in its margins, whose class is the name of the box. */
export const PAGE_ELEMENT = 'platen-page';
export const BOX_ELEMENT = 'platen-box';

/** A block of an `@page` rule. */
interface PageBlock {
  declarations: string[];
  boxes: { name: string; declarations: string[] }[];
  /** Position after the closing brace. */
  end: number;
}

/** An `@page` rule of a style sheet. */
export interface PageRule extends PageBlock {
  /** The text between its name and its brace. */
  prelude: string;
  start: number;
}

/** Tokens that may hide or begin a rule; and delimiters of declarations (CSS Syntax 3, 4). */
const OUTSIDE = /\/\*|["']|@page(?![\w-])/gi;
const INSIDE = /\/\*|["']|\burl\(\s*(?=[^"'\s])|[{};]/gi;

/** Maximum characters between the name of a rule and its brace. */
const LONGEST_PRELUDE = 300;

/** The `@page` rules of a style sheet, in order. Unreadable ones are omitted. */
export function pageRulesOfSheet(css: string): PageRule[] {
  const rules: PageRule[] = [];
  const next = new RegExp(OUTSIDE);
  for (let match = next.exec(css); match !== null; match = next.exec(css)) {
    const hidden = endOfHidden(css, match);
    if (hidden !== null) next.lastIndex = hidden;
    else {
      const begin = css.slice(next.lastIndex, next.lastIndex + LONGEST_PRELUDE);
      const brace = /[{};]/.exec(begin);
      if (brace?.[0] !== '{') continue;
      const block = readBlock(css, next.lastIndex + brace.index + 1);
      // An unclosed rule contains all that follows.
      if (block === 'open') break;
      if (block === null) continue;
      const prelude = withoutComments(begin.slice(0, brace.index)).trim();
      rules.push({ prelude, start: match.index, ...block });
      next.lastIndex = block.end;
    }
  }
  return rules;
}

/** Returns the end of a comment, a string or a URL that begins here; null if none does. */
function endOfHidden(css: string, { 0: begin, index }: RegExpExecArray): number | null {
  const behind = (what: string, from: number): number => {
    const at = css.indexOf(what, from);
    return at === -1 ? css.length : at + what.length;
  };
  if (begin === '/*') return behind('*/', index + 2);
  if (begin !== '"' && begin !== "'") return begin.endsWith('(') ? behind(')', index) : null;
  for (let at = index + 1; at < css.length; at += 1) {
    if (css[at] === '\\') at += 1;
    else if (css[at] === begin) return at + 1;
    else if (css[at] === '\n') return at;
  }
  return css.length;
}

/** Null for a block with nested braces inside a box. */
function readBlock(css: string, begin: number): PageBlock | null | 'open' {
  const block: PageBlock = { declarations: [], boxes: [], end: begin };
  let box: PageBlock['boxes'][number] | null = null;
  let start = begin;
  const next = new RegExp(INSIDE);
  next.lastIndex = begin;
  for (let match = next.exec(css); match !== null; match = next.exec(css)) {
    const hidden = endOfHidden(css, match);
    if (hidden !== null) {
      next.lastIndex = hidden;
      continue;
    }
    const written = withoutComments(css.slice(start, match.index)).trim();
    start = next.lastIndex;
    if (match[0] === '{') {
      if (box !== null || !written.startsWith('@')) return null;
      box = { name: written.slice(1).toLowerCase(), declarations: [] };
      continue;
    }
    if (written !== '') (box ?? block).declarations.push(written);
    if (match[0] === ';') continue;
    if (box === null) return { ...block, end: start };
    block.boxes.push(box);
    box = null;
  }
  return 'open';
}

function withoutComments(text: string): string {
  if (!text.includes('/*')) return text;
  const parts: string[] = [];
  let at = 0;
  for (let open = text.indexOf('/*'); open !== -1; open = text.indexOf('/*', at)) {
    parts.push(text.slice(at, open));
    const close = text.indexOf('*/', open + 2);
    at = close === -1 ? text.length : close + 2;
  }
  return parts.join(' ') + text.slice(at);
}

/** A style sheet with its boxes and pages as rules for elements, each after the `@page` rule that contains it. */
export function keepMarginBoxes(css: string): string {
  if (!/@page/i.test(css)) return css;
  const pieces: string[] = [];
  let done = 0;
  for (const rule of pageRulesOfSheet(css)) {
    const selector = selectorOf(rule.prelude);
    const kept = selector === null ? '' : rulesOf(selector, rule);
    if (kept === '' && rule.boxes.length === 0) continue;
    const own = rule.declarations.join(';');
    pieces.push(css.slice(done, rule.start), `@page ${rule.prelude}{${own}}${kept}`);
    done = rule.end;
  }
  return pieces.join('') + css.slice(done);
}

/** Specificity of `:first` relative to `:left` (CSS Paged Media 3, 4.4). */
const WEIGHTS: Readonly<Record<string, number>> = { first: 2, left: 1, right: 1 };

/** Selector of the elements for pages; null for pages with a name, and an unknown page selector. */
function selectorOf(prelude: string): string | null {
  const [name = '', ...pseudos] = prelude.toLowerCase().split(':');
  if (name !== '' || pseudos.some((pseudo) => WEIGHTS[pseudo] === undefined)) return null;
  return PAGE_ELEMENT + pseudos.map((pseudo) => `.${pseudo}`.repeat(WEIGHTS[pseudo] ?? 0)).join('');
}

/** Inherited properties of a page for its boxes. */
const OF_PAGE =
  /^(?:--[\w-]+|color|font(?:-[\w-]+)?|line-height|letter-spacing|word-spacing|text-[\w-]+|direction|quotes)\s*:/i;

function rulesOf(page: string, { declarations, boxes }: PageRule): string {
  const written = (selector: string, own: readonly string[]): string =>
    own.length === 0 ? '' : `${selector}{${own.join(';')}}`;
  const ofBoxes = boxes
    .filter(({ name }) => MARGIN_BOXES.has(name))
    .map((box) => {
      const at = `${page} ${BOX_ELEMENT}.${box.name}`;
      const isContent = (declaration: string): boolean => /^content\s*:/i.test(declaration);
      const looks = box.declarations.filter((declaration) => !isContent(declaration)).map(inBox);
      return written(at, looks) + written(`${at}::before`, box.declarations.filter(isContent));
    });
  const ofPage = declarations.filter((declaration) => OF_PAGE.test(declaration));
  return written(page, ofPage) + ofBoxes.join('');
}

/** The boxes of an edge, in order, with their default text alignment (CSS Paged Media 3, 5.3). */
export const EDGES = {
  top: ['top-left', 'top-center', 'top-right'],
  right: ['right-top', 'right-middle', 'right-bottom'],
  bottom: ['bottom-left', 'bottom-center', 'bottom-right'],
  left: ['left-top', 'left-middle', 'left-bottom'],
} as const;
export const CORNERS = [
  'top-left-corner',
  'top-right-corner',
  'bottom-right-corner',
  'bottom-left-corner',
] as const;
const MARGIN_BOXES = new Set<string>([...Object.values(EDGES).flat(), ...CORNERS]);

const PLACES: Readonly<Record<string, string>> = { top: 'flex-start', middle: 'center', bottom: 'flex-end' };

/** A declaration of a box, in the form for its element. */
function inBox(declaration: string): string {
  const [, value = '', important = ''] =
    /^vertical-align\s*:\s*(top|middle|bottom)\s*(!.*)?$/i.exec(declaration) ?? [];
  const place = PLACES[value.toLowerCase()];
  return place === undefined ? declaration : `justify-content:${place}${important}`;
}
