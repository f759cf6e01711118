import { randomBytes } from 'node:crypto';
import { type Bundle, someStyles } from '../../bundle.ts';
import { EACH_RULE } from '../../page-rules.ts';
import type { PaperSize } from '../../paper.ts';
import type { Margins } from '../../sheet-options.ts';
import { BOX_ELEMENT, CORNERS, EDGES, PAGE_ELEMENT } from '../margin-boxes.ts';
import * as z from 'zod';

/**
 * Boxes in the margins of pages (CSS Paged Media 3, 5): a document of elements that represent them is printed, and laid over
 * the pages. Boxes have the text, the counters of pages and the looks that their rules say, but not sizes of their own.
 */

/** Returns whether styles of a document may define boxes. */
export function mayHaveBoxes(document: Bundle): boolean {
  return someStyles(document, (text) => text.includes(PAGE_ELEMENT));
}

const boxesSchema = z.object({
  /** Rules of pages and boxes, font rules, and the properties inherited from the document's root. */
  css: z.string(),
  language: z.string(),
});
export type PageBoxes = z.infer<typeof boxesSchema>;

/** Returns null if there are none, or if the document's scripts have made the result invalid. */
export function pageBoxesOf(found: unknown): PageBoxes | null {
  return boxesSchema.safeParse(found).data ?? null;
}

/** The properties that pages inherit from the root of their document. */
const HANDED_DOWN = [
  'color',
  'direction',
  'font-family',
  'font-feature-settings',
  'font-kerning',
  'font-size',
  'font-style',
  'font-variant-caps',
  'font-variant-numeric',
  'font-weight',
  'letter-spacing',
  'line-height',
  'quotes',
  'text-transform',
  'word-spacing',
];

/** Statements that read the page rules of a loaded document into `boxes`, as the schema defines. */
export const BOXES = `
  const boxes = (() => {
    const own = [], faces = [];
    ${EACH_RULE}
    eachRule((rule, _, applies) => {
      if (!applies) return;
      if (rule instanceof CSSStyleRule && rule.selectorText.includes('${PAGE_ELEMENT}')) own.push(rule);
      else if (rule instanceof CSSFontFaceRule) faces.push(rule.cssText);
    });
    if (!own.some(({ style }) => !/^(?:none|normal|)$/.test(style.getPropertyValue('content')))) return null;
    const css = own.map(({ cssText }) => cssText).join('\\n');
    const root = getComputedStyle(document.documentElement);
    const names = [...${JSON.stringify(HANDED_DOWN)}, ...new Set(css.match(/--[-\\w]+/g) ?? [])];
    const handed = names.map((name) => name + ':' + root.getPropertyValue(name)).filter((text) => !/:$|^font-size:16px$/.test(text));
    return { css: faces.join('\\n') + 'html{' + handed.join(';') + '}' + css, language: document.documentElement.lang };
  })();`;

/** Properties of pages and of boxes in their margins that are printed. */
const OF_PAGES =
  /^(?:--|size$|margin-(?:top|right|bottom|left)$|color$|font|line-height|letter-|word-spacing|text-|direction|quotes|-webkit-(?:text|font|locale))/;
const OF_BOXES =
  /^(?:--|content$|color$|font|line-height|letter-|word-|overflow-wrap|text-|white-space|justify-content|direction|quotes|opacity|padding|border|background|-webkit-(?:text|font|locale|background|box-decoration))/;

/** Statements that leave what is ignored of the rules for pages in `ofPages`, and remove it from those of boxes. */
export const PAGE_STYLES = `
  const ofPages = [];
  {
    ${EACH_RULE}
    const add = (what) => ofPages.includes(what) || ofPages.push(what);
    eachRule((rule, _, applies) => {
      const selector = rule.selectorText ?? '', { style } = rule;
      const isPage = rule instanceof CSSPageRule, isBox = !isPage && selector.includes('${BOX_ELEMENT}');
      if (!applies || !(isPage || isBox) || style.length === 0) return;
      const name = /^[^:\\s]+/.exec(selector.trim())?.[0];
      if (isPage && name !== undefined) {
        if (!name.startsWith('platen-')) add('@page ' + name);
        return;
      }
      for (const property of [...style]) {
        const value = style.getPropertyValue(property);
        const plain = property.replace(/^(border|padding|background|margin|counter)-.*/, '$1');
        if (isBox && !${String(OF_BOXES)}.test(property)) {
          add(plain + ' of boxes in margins');
          style.removeProperty(property);
        } else if (isPage && !${String(OF_PAGES)}.test(property)) add(plain);
        else if (isPage && property === 'size' && selector !== '') add('size of ' + selector);
        else if (isPage && /^(?:size|margin-)/.test(property) && /(?!calc)\\b[a-z-]+\\(|\\dv(?:w|h|i|b|min|max)\\b/.test(value)) add(plain + ': ' + value);
        else if (isBox && property === 'content' && /platen-(?:string|element)|counters?\\(\\s*(?!pages?\\b)/.test(value)) add('content of boxes but texts, pictures and counters of pages');
      }
    });
  }`;

/** The properties of a page that its boxes depend on; lengths in CSS pixels. */
export interface BoxedPage {
  number: number;
  isLeft: boolean;
  /** The sheet that it is laid over has at least this size, and is higher by `SPARE`. */
  size: PaperSize;
  margins: Margins;
}

/**
 * Pixels by which sheets are higher than the pages on them; without them the last row of pixels would move to
 * the next sheet.
 */
export const SPARE = 4;

/**
 * Returns html with the boxes of a document, one page for each of its pages.
 *
 * @param total number of pages of the document
 */
export function pageBoxesHtml(
  { css, language }: PageBoxes,
  pages: readonly BoxedPage[],
  total: number,
): string {
  const nonce = randomBytes(16).toString('hex');
  const data = pages.map(({ number, isLeft, size, margins }) => ({
    number,
    margins,
    classes: `${number === 1 ? 'first ' : ''}${isLeft ? 'left' : 'right'}`,
    lengths: [
      ...Object.entries(margins).map(([side, length]) => [`--platen-${side}`, `${length}px`]),
      ...Object.entries(size).map(([axis, length]) => [axis, `${length}px`]),
    ],
  }));
  const inScript = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');
  // In CSS strings, an escape represents a character.
  const inStyle = (text: string): string => text.replaceAll('<', '\\3c ');
  return `<!doctype html><html lang="${language.replace(/[^\w-]/g, '')}"><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="script-src 'nonce-${nonce}'">
<style>${LAYOUT}
html, body { background: transparent !important; margin: 0 !important }
</style>
<style>${inStyle(css)}</style>
<body><script nonce="${nonce}">
for (const { number, classes, margins, lengths } of ${inScript(data)}) {
  const page = document.body.appendChild(document.createElement('${PAGE_ELEMENT}'));
  page.className = classes;
  for (const [name, length] of lengths) page.style.setProperty(name, length);
  page.style.counterReset = 'page ' + number + ' pages ${total}';
  for (const [name, list] of Object.entries(${inScript({ ...EDGES, corners: CORNERS })})) {
    const edge = page.appendChild(document.createElement('platen-edge'));
    edge.className = name;
    // A margin without a thickness has no boxes.
    const isThere = (box) => (name === 'corners' ? box.split('-', 2) : [name]).every((side) => margins[side] > 0);
    const boxes = list.map((box) => {
      const own = isThere(box) ? edge.appendChild(document.createElement('${BOX_ELEMENT}')) : null;
      if (own !== null) own.className = box;
      if (own === null || !/^(none|normal)$/.test(getComputedStyle(own, '::before').content)) return own;
      own.remove();
      return null;
    });
    if (name === 'corners') continue;
    // They share the edge by the lengths of their contents; one in the middle stays there (CSS Paged Media 3, 5.3.2).
    const [length, least] = /^(?:top|bottom)$/.test(name) ? ['width', 'min-width'] : ['height', 'min-height'];
    const lengths = boxes.map((box) => {
      if (box === null) return 0;
      box.style.flex = '0 0 max-content';
      const own = box.getBoundingClientRect()[length];
      box.style[least] = '0';
      // Those without content are alike.
      return 1000 * Math.max(own, 0.01);
    });
    const beside = Math.max(lengths[0], lengths[2]);
    for (const [index, box] of boxes.entries())
      if (box !== null) box.style.flex = (index === 1 || boxes[1] === null ? lengths[index] : beside) + ' 1 0';
    if (boxes[1] !== null) for (const index of [0, 2]) if (boxes[index] === null) {
      const empty = document.createElement('platen-empty');
      empty.style.flex = beside + ' 1 0';
      if (index === 0) edge.prepend(empty); else edge.append(empty);
    }
  }
}
</script>`;
}

/** With the lowest specificity, so that the document's rules win. */
const LAYOUT = `
${PAGE_ELEMENT} { display: block; position: relative; overflow: hidden; break-after: page }
${PAGE_ELEMENT}:last-of-type { break-after: auto }
platen-edge { position: absolute; display: flex }
platen-edge:is(.top, .bottom) { left: var(--platen-left); right: var(--platen-right); flex-direction: row }
platen-edge:is(.left, .right) { top: var(--platen-top); bottom: var(--platen-bottom); flex-direction: column }
platen-edge.top { top: 0; height: var(--platen-top) }
platen-edge.bottom { bottom: 0; height: var(--platen-bottom) }
platen-edge.left { left: 0; width: var(--platen-left) }
platen-edge.right { right: 0; width: var(--platen-right) }
platen-edge.corners { display: contents }
${BOX_ELEMENT} { display: flex; flex-direction: column; box-sizing: border-box }
:where(${BOX_ELEMENT}) { justify-content: center; text-align: center }
:where(.top-left, .bottom-left, .top-right-corner, .bottom-right-corner) { text-align: left }
:where(.top-right, .bottom-right, .top-left-corner, .bottom-left-corner) { text-align: right }
:where(.left-top, .right-top) { justify-content: flex-start }
:where(.left-bottom, .right-bottom) { justify-content: flex-end }
:where(.corners > ${BOX_ELEMENT}) { position: absolute }
:where(.top-left-corner, .bottom-left-corner) { left: 0; width: var(--platen-left) }
:where(.top-right-corner, .bottom-right-corner) { right: 0; width: var(--platen-right) }
:where(.top-left-corner, .top-right-corner) { top: 0; height: var(--platen-top) }
:where(.bottom-left-corner, .bottom-right-corner) { bottom: 0; height: var(--platen-bottom) }`;
