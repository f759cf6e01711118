/**
 * Engines do not support the CSS for contents and references (CSS Generated Content for Paged Media) and drop
 * declarations that they cannot parse. So these are rewritten under names that engines keep, and scripts find them
 * by these names.
 */

/** Signs of such declarations, which most documents do not contain. */
const MEANT =
  /target-counters?\(|target-text\(|leader\(|string-set\s*:|[\s:]string\(|float\s*:\s*footnote|footnote-(?:display|policy)\s*:|::footnote-(?:call|marker)|@footnote\b|break-(?:before|after)\s*:\s*(?:left|right|recto|verso)\b|(?<!page-)break-(?:before|after)\s*:\s*always\b|@page\s*:blank\b|position\s*:\s*running\(|[\s:]element\(|bookmark-(?:level|label|state)\s*:/i;

/** Returns whether a text may have styles that refer to pages. */
export function mayRefer(text: string): boolean {
  return MEANT.test(text);
}

/** Returns whether a document, with its rewritten declarations, shows page numbers or texts of pages. */
export function namesPages(html: string): boolean {
  return new RegExp(`${KEPT.content}|${KEPT.strings}|${KEPT.footnote}|platen-string-`).test(
    html.replace(REGISTERED, ''),
  );
}

/** Returns whether a document, with its declarations as they are kept, has elements for boxes in the margins of pages. */
export function hasRunningElements(html: string): boolean {
  return html.includes(`${KEPT.running}:`);
}

/** Custom properties that replace declarations. */
export const KEPT = {
  content: '--platen-content',
  strings: '--platen-strings',
  footnote: '--platen-footnote',
  footnoteDisplay: '--platen-footnote-display',
  footnotePolicy: '--platen-footnote-policy',
  side: '--platen-side',
  running: '--platen-running',
  bookmarkLevel: '--platen-bookmark-level',
  bookmarkLabel: '--platen-bookmark-label',
  bookmarkState: '--platen-bookmark-state',
};

/** What the alternative text of a box begins with that shows a running element; its name follows, and which of the page it is. */
export const ELEMENT_OF_BOX = 'platen-element';

/** The name of blank pages: `@page :blank`. */
export const BLANK_PAGE = 'platen-blank';

/**
 * Elements that replace the pseudo-elements of footnotes; scripts insert them into a document that has footnotes.
 */
export const FOOTNOTE_PARTS = {
  /** The number in the text: `::footnote-call`. */
  call: 'platen-footnote-call',
  /** The number before a note: `::footnote-marker`. */
  marker: 'platen-footnote-marker',
  /** The container of the notes of a page: `@footnote`. */
  notes: 'platen-footnotes',
  /** `@footnote` of pages with a selector, which is not supported. */
  notesOfSome: 'platen-footnotes-of-some-pages',
};

/** Registers them as properties that are not inherited, and gives footnotes their position. */
export const REGISTERED = Object.values(KEPT)
  .map((name) => `@property ${name}{syntax:"*";inherits:false}`)
  .join('');

/** Name of the counter style that has a text for each page. */
export function pageTextStyle(name: string, which: string): string {
  return `platen-string-${name}-${which}`;
}

const STYLE = /<style\b[^<>]*>/gi;
const STYLE_END = /<\/style/gi;

/** A document with rewritten declarations in its style elements. Everything else stays unchanged. */
export function keepReferencesOfHtml(html: string): string {
  return inStyleElements(html, keepReferences);
}

/** A document with other texts in its style elements. */
export function inStyleElements(html: string, edit: (css: string) => string): string {
  const pieces: string[] = [];
  let done = 0;
  for (const { 0: tag, index } of html.matchAll(STYLE)) {
    const begin = index + tag.length;
    if (index < done) continue;
    STYLE_END.lastIndex = begin;
    const end = STYLE_END.exec(html)?.index ?? html.length;
    pieces.push(html.slice(done, begin), edit(html.slice(begin, end)));
    done = end;
  }
  return pieces.join('') + html.slice(done);
}

const PAGE_HEAD = /@page\b[^@]*$/i;
const BLANK_HEAD = /@page\s*:blank(?=\s*$)/i;
const FOOTNOTE_AREA = /@footnote\s*$/i;

/** The parts of a footnote, as pseudo-elements; without an element before it, it applies to every element. */
const FOOTNOTE_PART = /(^|[\s,>+~(])?::footnote-(call|marker)\b/gi;

/** A selector with the pseudo-elements of footnotes replaced by the elements for them. */
function withFootnoteParts(selector: string): string {
  return selector.replace(FOOTNOTE_PART, (_, before: string | undefined, part: string) => {
    const element = part.toLowerCase() === 'call' ? FOOTNOTE_PARTS.call : FOOTNOTE_PARTS.marker;
    return `${before === undefined ? '' : `${before}*`}>${element}::before`;
  });
}

/** Delimiters of declarations, and tokens that may contain such characters (CSS Syntax 3, 4). */
const DELIMITER = /\/\*|["'{};]/g;

/** A style sheet with rewritten declarations. */
export function keepReferences(css: string): string {
  if (!mayRefer(css)) return css;
  const pieces: string[] = [];
  const next = new RegExp(DELIMITER);
  let start = 0;
  let page = '';
  let isArea = false;
  for (let match = next.exec(css); match !== null; match = next.exec(css)) {
    const [character] = match;
    if (character === '/*') next.lastIndex = after(css, '*/', next.lastIndex);
    else if (character === '"' || character === "'") next.lastIndex = endOfString(css, match.index);
    else {
      const segment = css.slice(start, match.index);
      if (character !== '{') pieces.push(kept(segment), character);
      // `@footnote` becomes a separate rule, between two halves of the rule of its page.
      else if (FOOTNOTE_AREA.test(segment) && page !== '') {
        const isOfAll = /@page\s*$/i.test(page);
        pieces.push(`}${isOfAll ? FOOTNOTE_PARTS.notes : FOOTNOTE_PARTS.notesOfSome}{`);
        isArea = true;
      } else {
        const head = segment.replace(BLANK_HEAD, `@page ${BLANK_PAGE}`);
        page = PAGE_HEAD.exec(head)?.[0] ?? page;
        pieces.push(withFootnoteParts(head), character);
      }
      if (character === '}' && isArea) {
        pieces.push(`${page}{`);
        isArea = false;
      }
      start = next.lastIndex;
    }
  }
  return pieces.join('') + kept(css.slice(start));
}

function after(css: string, what: string, from: number): number {
  const at = css.indexOf(what, from);
  return at === -1 ? css.length : at + what.length;
}

function endOfString(css: string, start: number): number {
  const quote = css[start] ?? '';
  for (let at = start + 1; at < css.length; at += 1) {
    if (css[at] === '\\') at += 1;
    else if (css[at] === quote) return at + 1;
    else if (css[at] === '\n') return at;
  }
  return css.length;
}

/** The possible characters of a property name. */
const NAME_PART = /[\w-]/;
const PAGE_TEXT = /\bstring\(\s*([\w-]+)\s*(?:,\s*([\w-]+)\s*)?\)/gi;

/** What a box shows that shows a running element: it shows nothing else (CSS GCPM 3, 1.2). */
const PAGE_ELEMENT = /^\s*element\(\s*([\w-]+)\s*(?:,\s*([\w-]+)\s*)?\)(?=\s*(?:!|$))/i;

/** A rewritten declaration, or the same text if it needs no change. */
function kept(segment: string): string {
  if (!mayRefer(segment)) return segment;
  const colon = segment.indexOf(':');
  const head = segment.slice(0, colon).trimEnd();
  let start = head.length;
  while (start > 0 && NAME_PART.test(head[start - 1] ?? '')) start -= 1;
  const [before, name, value] = [head.slice(0, start), head.slice(start), segment.slice(colon + 1)];
  switch (name.toLowerCase()) {
    case 'string-set':
      return `${before}${KEPT.strings}:${quoted(value)}`;
    case 'float':
      return `${before}${KEPT.footnote}:1`;
    case 'footnote-display':
      return `${before}${KEPT.footnoteDisplay}:${value}`;
    case 'footnote-policy':
      return `${before}${KEPT.footnotePolicy}:${value}`;
    case 'bookmark-level':
      return `${before}${KEPT.bookmarkLevel}:${value}`;
    case 'bookmark-label':
      return `${before}${KEPT.bookmarkLabel}:${quoted(value)}`;
    case 'bookmark-state':
      return `${before}${KEPT.bookmarkState}:${value}`;
    case 'position':
      return segment.replace(/position\s*:\s*running\(\s*([\w-]+)\s*\)/i, `${KEPT.running}:$1`);
    case 'content':
      if (PAGE_ELEMENT.test(value))
        return `${before}content:${value.replace(PAGE_ELEMENT, (_, element: string, which = 'first') => `"" / "${ELEMENT_OF_BOX} ${element} ${String(which).toLowerCase()}"`)}`;
      return /target-|leader\(/i.test(value)
        ? `${before}content:"";${KEPT.content}:${quoted(value)}`
        : `${before}content:${value.replace(PAGE_TEXT, (_, text: string, which = 'first') => `counter(page, ${pageTextStyle(text, String(which).toLowerCase())})`)}`;
    // Engines do not support `always` (CSS Fragmentation 4, 3.1).
    case 'break-before':
    case 'break-after':
    case 'page-break-before':
    case 'page-break-after':
      if (!/always/i.test(value)) return `${segment};${KEPT.side}:1`;
      return name.startsWith('page') ? segment : `${before}${name}:${value.replace(/always/i, 'page')}`;
    default:
      return segment;
  }
}

/** A string, or the function. */
const ATTRIBUTE = /["']|\battr\(/gi;

/** Browsers would resolve the attribute, but its name is needed. Strings stay unchanged. */
function quoted(value: string): string {
  const pieces: string[] = [];
  const next = new RegExp(ATTRIBUTE);
  let done = 0;
  for (let match = next.exec(value); match !== null; match = next.exec(value)) {
    const [found] = match;
    if (found === '"' || found === "'") {
      next.lastIndex = endOfString(value, match.index);
      continue;
    }
    pieces.push(value.slice(done, match.index), 'platen-');
    done = match.index;
  }
  return pieces.join('') + value.slice(done);
}
