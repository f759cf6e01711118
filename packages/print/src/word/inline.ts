import { colour, hex, blended, pixels, type Colour } from './css.ts';
import { fontName } from './fonts.ts';
import type { Run, RunStyle } from './model.ts';
import { FIELD_MARKS, type Picture } from './reading.ts';
import { type Box, hasBackground, type Node, type Rect, type TextNode, union } from './tree.ts';

/** The runs of a paragraph. */

/** The surroundings of a paragraph's text. */
export interface TextContext {
  /** The background behind it. */
  backdrop: Colour;
  pictures: ReadonlyMap<number, Picture>;
  printBackground: boolean;
}

const FIELDS = new RegExp(`([${FIELD_MARKS.PAGE}${FIELD_MARKS.NUMPAGES}])`, 'u');

interface Inherited {
  link: string | null;
  underline: boolean;
  strike: boolean;
  shade: Colour | null;
  raised: RunStyle['raised'];
  opacity: number;
}

/** Collects runs, with spaces as the browser has drawn them. */
export class RunWriter {
  readonly runs: Run[] = [];
  readonly tabs: number[] = [];
  /** The area of its lines. */
  extent: Rect | null = null;
  /** Lines that end because their width is exhausted. */
  #wraps = 0;
  #line: Rect | null = null;
  /** Targets of links. */
  readonly names: string[] = [];
  readonly #context: TextContext;
  /** A space that is visible only if more text follows on the same line. */
  #blank: RunStyle | null = null;
  #endsBlank = true;

  constructor(context: TextContext) {
    this.#context = context;
  }

  get isEmpty(): boolean {
    return this.runs.length === 0;
  }

  /** Whether every line ends where the document requires it. */
  get isUnwrapped(): boolean {
    return this.#wraps <= this.runs.filter(({ kind }) => kind === 'break').length;
  }

  #extend(rect: Rect): void {
    if (this.#line !== null && rect.top > this.#line.bottom - 2) this.#wraps += 1;
    this.#line = rect;
    this.extent = union(this.extent, rect);
  }

  /**
   * Adds the content of lines of text.
   *
   * @param origin of tab stops
   */
  add(node: Node, origin: number): void {
    const above = node.parent;
    this.#add(node, above === null ? ROOT : inherited(above, this.#context), origin);
  }

  #add(node: Node, from: Inherited, origin: number): void {
    if (node.kind === 'text') return this.#text(node, from);
    const id = node.attribute('id') ?? (node.name === 'A' ? node.attribute('name') : null);
    if (id !== null && id !== '') this.names.push(id);
    const picture = this.#context.pictures.get(node.node);
    if (picture !== undefined) return this.#picture(node, picture, from);
    if (node.name === 'BR') {
      this.#blank = null;
      this.#endsBlank = true;
      this.runs.push({ kind: 'break', style: runStyle(node, from, this.#context), link: null });
      return;
    }
    const own = within(node, from, this.#context);
    const isAtom = node.style('display').startsWith('inline-');
    const control = controlText(node);
    if (control !== null) this.#put(control, runStyle(node, own, this.#context), own.link, node.rect);
    for (const child of node.children) this.#add(child, own, origin);
    if (isAtom && node.ink !== null && node.hasText) this.#room(node, origin, own);
  }

  /** A box that is wider than its text keeps its width by a tab stop. */
  #room(box: Box, origin: number, from: Inherited): void {
    const ink = textExtent(box);
    const isLeft = !/right|center|end/.test(box.style('text-align'));
    if (ink === null || !isLeft || box.rect.right - ink.right < 12 || hasBackground(box)) return;
    this.#blank = null;
    this.#endsBlank = true;
    this.tabs.push(box.rect.right - origin);
    this.runs.push({ kind: 'tab', style: runStyle(box, from, this.#context), link: null });
  }

  #picture(box: Box, picture: Picture, from: Inherited): void {
    this.#flushBlank(from.link);
    const style = runStyle(box, from, this.#context);
    const { left, right, top, bottom } = box.rect;
    this.runs.push({
      kind: 'picture',
      picture,
      width: right - left,
      height: bottom - top,
      description: box.attribute('alt') ?? box.attribute('aria-label'),
      style,
      link: from.link,
    });
    this.#endsBlank = false;
    this.#extend(box.rect);
  }

  #text({ text, lines, parent }: TextNode, from: Inherited): void {
    if (parent.style('visibility') !== 'visible') return;
    const style = runStyle(parent, from, this.#context);
    const { link } = from;
    const whiteSpace = parent.style('white-space-collapse');
    const keepsBlanks = whiteSpace !== 'collapse' && whiteSpace !== 'preserve-breaks';
    const keepsBreaks = whiteSpace !== 'collapse' && whiteSpace !== 'preserve-spaces';
    let at = 0;
    for (const { start, end, rect } of lines) {
      this.#between(text.slice(at, start), keepsBreaks, style, link);
      const written = text.slice(start, end);
      this.#put(keepsBlanks ? written : collapsed(written, keepsBreaks), style, link, rect);
      at = end;
    }
    this.#between(text.slice(at), keepsBreaks, style, link);
  }

  /** The invisible parts of a text: the spaces at the ends of lines. */
  #between(text: string, keepsBreaks: boolean, style: RunStyle, link: string | null): void {
    if (keepsBreaks && text.includes('\n')) {
      for (const character of text) if (character === '\n') this.#break(style, link);
    } else if (/\s/.test(text) && !this.#endsBlank) this.#blank ??= style;
  }

  #break(style: RunStyle, link: string | null): void {
    this.#blank = null;
    this.#endsBlank = true;
    this.runs.push({ kind: 'break', style, link });
  }

  #put(text: string, style: RunStyle, link: string | null, rect: Rect): void {
    if (text === '') return;
    if (/^\s/.test(text)) this.#blank = null;
    else this.#flushBlank(link);
    this.#extend(rect);
    for (const piece of text.split(FIELDS)) {
      if (piece === '') continue;
      if (piece === FIELD_MARKS.PAGE || piece === FIELD_MARKS.NUMPAGES) {
        const name = piece === FIELD_MARKS.PAGE ? 'PAGE' : 'NUMPAGES';
        this.runs.push({ kind: 'field', name, style, link });
        continue;
      }
      piece.split('\n').forEach((part, index) => {
        if (index > 0) this.runs.push({ kind: 'break', style, link });
        part.split('\t').forEach((word, column) => {
          if (column > 0) this.runs.push({ kind: 'tab', style, link });
          if (word !== '') this.#append(word, style, link);
        });
      });
    }
    this.#endsBlank = /\s$/.test(text);
  }

  #append(text: string, wanted: RunStyle, link: string | null): void {
    const style = wanted.spacing !== 0 && JOINED.test(text) ? { ...wanted, spacing: 0 } : wanted;
    const last = this.runs.at(-1);
    if (last?.kind === 'text' && last.link === link && sameStyle(last.style, style)) last.text += text;
    else this.runs.push({ kind: 'text', text, style, link });
  }

  #flushBlank(link: string | null): void {
    if (this.#blank === null) return;
    const style = this.#blank;
    this.#blank = null;
    this.#append(' ', style, link);
  }

  /** Removes breaks at the end, which show nothing. */
  finish(): void {
    if (this.runs.at(-1)?.kind === 'break') this.runs.pop();
  }
}

/**
 * Scripts with joined letters: browsers do not space them (CSS Text 3, 8.2), and word processors would separate
 * them.
 */
const JOINED =
  /\p{Script=Arabic}|\p{Script=Hanifi_Rohingya}|\p{Script=Mandaic}|\p{Script=Mongolian}|\p{Script=Nko}|\p{Script=Phags_Pa}|\p{Script=Syriac}/u;

/** White space according to CSS (CSS Text 3, 4.1), without the no-break space. */
function collapsed(text: string, keepsBreaks: boolean): string {
  return text.replace(keepsBreaks ? /[ \t\f\r]+/g : /[ \t\n\f\r]+/g, ' ');
}

const ROOT: Inherited = {
  link: null,
  underline: false,
  strike: false,
  shade: null,
  raised: null,
  opacity: 1,
};

function sameStyle(a: RunStyle, b: RunStyle): boolean {
  return a === b || (Object.keys(a) as (keyof RunStyle)[]).every((key) => a[key] === b[key]);
}

/** Decorations that the text of an element gets from its ancestors, including blocks. */
function inherited(box: Box, context: TextContext): Inherited {
  const path: Box[] = [];
  for (let at: Box | null = box; at !== null; at = at.parent) path.push(at);
  return path.reduceRight((from, one) => within(one, from, context), ROOT);
}

function within(box: Box, from: Inherited, context: TextContext): Inherited {
  const decoration = box.style('text-decoration-line');
  const isInline = box.style('display').startsWith('inline');
  const href = box.name === 'A' ? box.attribute('href') : null;
  const background = colour(box.style('background-color'));
  const position = isInline ? box.style('vertical-align') : 'baseline';
  return {
    link: href === null ? from.link : linkTarget(href),
    underline: from.underline || decoration.includes('underline'),
    strike: from.strike || decoration.includes('line-through'),
    shade: isInline && background.alpha > 0 && isPrinted(box, context) ? background : from.shade,
    raised: position === 'super' ? 'superscript' : position === 'sub' ? 'subscript' : from.raised,
    opacity: from.opacity * Number.parseFloat(box.style('opacity') || '1'),
  };
}

/** Returns whether the background of an element is printed. */
export function isPrinted(box: Box, { printBackground }: Pick<TextContext, 'printBackground'>): boolean {
  return printBackground || box.style('print-color-adjust') === 'exact';
}

const EXTERNAL = /^(?:https?|mailto|tel|ftp|sms):/i;

/** The target of a link as it was written; null for a target that works only in a browser. */
function linkTarget(href: string): string | null {
  // As browsers read a URL (URL Standard, 4.4): without line breaks and tabs.
  const written = withoutControls(href.replace(/[\t\n\r]/g, ''));
  if (written.startsWith('#')) return written.length > 1 ? written : null;
  if (/^javascript:/i.test(written) || written === '') return null;
  if (EXTERNAL.test(written)) {
    const address = encoded(written);
    return URL.canParse(address) ? address : null;
  }
  return /^[a-z][a-z\d+.-]*:/i.test(written) ? null : encoded(written);
}

/** Word does not open a document with a URL that contains invalid characters (RFC 3986, 2). */
function encoded(address: string): string {
  return address
    .toWellFormed()
    .replace(/%(?![\da-f]{2})/gi, '%25')
    .replace(/[^\w\-.~:/?#@!$&'()*+,;=%]/gu, encodeURIComponent);
}

/** The displayed text of a control without text content. */
function controlText(box: Box): string | null {
  if (box.name !== 'INPUT') return null;
  const type = (box.attribute('type') ?? 'text').toLowerCase();
  if (type === 'checkbox') return box.attribute('checked') === null ? '☐' : '☒';
  if (type === 'radio') return box.attribute('checked') === null ? '○' : '◉';
  return null;
}

export function runStyle(box: Box, from: Inherited, { backdrop }: TextContext): RunStyle {
  const behind = from.shade === null ? backdrop : blended(from.shade, backdrop, from.opacity);
  const source = from.raised === null || box.parent === null ? box : raisedSource(box);
  return {
    font: fontName(box.style('font-family')),
    size: pixels(source.style('font-size'), 16),
    bold: Number.parseInt(box.style('font-weight'), 10) >= 600,
    italic: box.style('font-style') !== 'normal' && box.style('font-style') !== '',
    smallCaps: box.style('font-variant-caps') === 'small-caps',
    underline: from.underline,
    strike: from.strike,
    colour: hex(blended(colour(box.style('color')), behind, from.opacity)),
    shade: from.shade === null ? null : hex(behind),
    raised: from.raised,
    spacing: pixels(box.style('letter-spacing')),
    rightToLeft: box.style('direction') === 'rtl',
    language: languageOf(box),
  };
}

/** Word processors themselves reduce the size of raised text. */
function raisedSource(box: Box): Box {
  for (let at: Box | null = box; at !== null; at = at.parent) {
    const position = at.style('vertical-align');
    if ((position === 'super' || position === 'sub') && at.parent !== null) return at.parent;
  }
  return box;
}

function languageOf(box: Box): string | null {
  for (let at: Box | null = box; at !== null; at = at.parent) {
    const language = at.attribute('lang');
    if (language !== null) return language === '' ? null : language;
  }
  return null;
}

/** Returns the extent of the text in a box, without its borders and backgrounds. */
export function textExtent(box: Box): Rect | null {
  let extent: Rect | null = null;
  const open: Node[] = [...box.children];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.kind === 'box') open.push(...node.children);
    else for (const { rect } of node.lines) extent = union(extent, rect);
  }
  return extent;
}

/** A text without control characters, and without spaces at its ends. */
function withoutControls(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && text.charCodeAt(start) <= 0x20) start++;
  while (end > start && text.charCodeAt(end - 1) <= 0x20) end--;
  return text.slice(start, end);
}
