import { inStyleElements } from '../contents/css.ts';

/**
 * Boxes in the margins of pages and page backgrounds (CSS Paged Media 3), which WebKit drops. They are rewritten
 * as rules for elements, which it keeps. A document that is overlaid on the pages has such elements (convert
 * function).
 */

/** The element for a page, and the one for a box in its margins, whose class is the name of the box. */
export const PAGE_ELEMENT = 'platen-page';
export const BOX_ELEMENT = 'platen-box';

/** The class for pages with a name. */
export function classOfPage(name: string): string {
  return `page-${name}`;
}

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

/** Returns a document with the margin rules of its style elements rewritten. */
export function keepMarginBoxesOfHtml(html: string): string {
  return /@page/i.test(html) ? inStyleElements(html, keepMarginBoxes) : html;
}

/** A style sheet with its boxes and pages as rules for elements, each after the `@page` rule that contains it. */
export function keepMarginBoxes(css: string): string {
  const pieces: string[] = [];
  let done = 0;
  for (const rule of pageRulesOfSheet(css)) {
    const selectors = selectorsOf(rule.prelude);
    const kept = selectors === null ? '' : rulesOf(selectors, rule);
    if (kept === '' && rule.boxes.length === 0) continue;
    const own = rule.declarations.join(';');
    pieces.push(css.slice(done, rule.start), `@page ${rule.prelude}{${own}}${kept}`);
    done = rule.end;
  }
  return pieces.join('') + css.slice(done);
}

/**
 * Specificity of a name relative to a pseudo-class, and of `:first` relative to `:left` (CSS Paged Media 3, 4.4).
 */
const WEIGHTS: Readonly<Record<string, number>> = { first: 2, blank: 2, left: 1, right: 1 };
const WEIGHT_OF_NAME = 4;

/** Selectors of the elements for pages; null for an unknown page selector. */
function selectorsOf(prelude: string): string[] | null {
  const selectors = prelude.split(',').map((written) => {
    const [name = '', ...pseudos] = written.trim().split(':');
    const known = pseudos.map((pseudo) => WEIGHTS[pseudo.toLowerCase()]);
    if (!/^[\w-]*$/.test(name) || known.includes(undefined)) return null;
    const classes = pseudos.map((pseudo, index) => `.${pseudo.toLowerCase()}`.repeat(known[index] ?? 0));
    const own = name === '' ? '' : `.${classOfPage(name)}`.repeat(WEIGHT_OF_NAME);
    return PAGE_ELEMENT + own + classes.join('');
  });
  return selectors.every((selector) => selector !== null) ? selectors : null;
}

/** Inherited properties of a page for its boxes, and its background. */
const OF_PAGE =
  /^(?:--[\w-]+|color|font(?:-[\w-]+)?|line-height|letter-spacing|word-spacing|text-[\w-]+|direction|quotes|background(?:-[\w-]+)?)\s*:/i;

function rulesOf(selectors: readonly string[], { declarations, boxes }: PageRule): string {
  const written = (end: string, own: readonly string[]): string =>
    own.length === 0 ? '' : `${selectors.map((page) => page + end).join()}{${own.join(';')}}`;
  const ofPage = declarations.filter((declaration) => OF_PAGE.test(declaration));
  const ofBoxes = boxes
    .filter(({ name }) => MARGIN_BOXES.has(name))
    .map((box) => {
      const at = ` ${BOX_ELEMENT}.${box.name}`;
      const isContent = (declaration: string): boolean => /^content\s*:/i.test(declaration);
      const own = box.declarations.filter((declaration) => !isContent(declaration));
      const content = written(`${at}::before`, box.declarations.filter(isContent));
      return (
        written(
          at,
          own.flatMap((declaration) => inBox(box.name, declaration)),
        ) + content
      );
    });
  return written('', ofPage) + ofBoxes.join('');
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
function inBox(box: string, declaration: string): string[] {
  const colon = declaration.indexOf(':');
  const name = declaration.slice(0, colon).trim().toLowerCase();
  const [value = '', important] = declaration
    .slice(colon + 1)
    .toLowerCase()
    .split('!')
    .map((part) => part.trim());
  const rank = important === undefined ? '' : ' !important';
  if (/^(?:display|position|float|clear)$/.test(name)) return [];
  if (name === 'vertical-align') {
    const place = PLACES[value];
    return place === undefined ? [] : [`justify-content:${place}${rank}`];
  }
  if (box.endsWith('corner') || (name !== 'width' && name !== 'height')) return [declaration];
  const isAlong = /^(?:top|bottom)/.test(box) === (name === 'width');
  const isAuto = value === 'auto';
  // A length is kept; a percentage of the edge may be reduced for other boxes.
  if (isAlong)
    return [declaration, `flex:${isAuto ? '1 1' : value.includes('%') ? '0 1' : '0 0'} auto${rank}`];
  // A box that does not fill the margin is at the edge of the text.
  const side = /^(?:top|left)/.test(box) ? 'flex-end' : 'flex-start';
  return [declaration, `align-self:${isAuto ? 'stretch' : side}${rank}`];
}
