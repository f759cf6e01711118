import { randomBytes } from 'node:crypto';
import { type Bundle, someStyles } from '@platen/print/bundle';
import { EACH_RULE } from '@platen/print/page-rules';
import type { PaperSize } from '@platen/print/paper';
import type { Margins } from '@platen/print/sheet-options';
import { BOX_ELEMENT, classOfPage, CORNERS, EDGES, PAGE_ELEMENT } from '@platen/print/webkit/margin-boxes';
import * as z from 'zod';

/**
 * Boxes in the margins of pages (CSS Paged Media 3, 5), and page backgrounds. A document of elements that
 * represent them is printed, and laid over or under the pages.
 */

/** Returns whether styles of a document may define page boxes or backgrounds. */
export function mayHaveBoxes(document: Bundle): boolean {
  return someStyles(document, (text) => text.includes(PAGE_ELEMENT));
}

const boxesSchema = z.object({
  /** Rules of pages and boxes, font rules, and the properties inherited from the document's root. */
  css: z.string(),
  language: z.string(),
  /** Whether boxes have content, and whether pages have a background. */
  hasContent: z.boolean(),
  hasBackground: z.boolean(),
});
export type PageBoxes = z.infer<typeof boxesSchema>;

/** Returns null if there are none, or if the document's scripts have made the result invalid. */
export function pageBoxesOf(found: unknown): PageBoxes | null {
  const boxes = boxesSchema.safeParse(found).data ?? null;
  return boxes === null || !(boxes.hasContent || boxes.hasBackground) ? null : boxes;
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
    if (own.length === 0) return null;
    const css = own.map(({ cssText }) => cssText).join('\\n');
    const root = getComputedStyle(document.documentElement);
    const names = [...${JSON.stringify(HANDED_DOWN)}, ...new Set(css.match(/--[-\\w]+/g) ?? [])];
    const handed = names.map((name) => name + ':' + root.getPropertyValue(name)).filter((text) => !text.endsWith(':'));
    const says = (test, names) => own.some(({ selectorText, style }) => test(selectorText) && names.some((name) => {
      const value = style.getPropertyValue(name);
      return value !== '' && !/^(?:none|normal|initial|transparent)$/.test(value);
    }));
    return {
      css: faces.join('\\n') + 'html{' + handed.join(';') + '}' + css,
      language: document.documentElement.lang,
      hasContent: says((selector) => selector.includes('::before'), ['content']),
      hasBackground: says((selector) => !selector.includes('${BOX_ELEMENT}'), ['background-color', 'background-image', 'background']),
    };
  })();`;

/** The properties of a page that its boxes depend on; lengths in CSS pixels. */
export interface BoxedPage {
  number: number;
  /** Its name; `''` for none. */
  name: string;
  isLeft: boolean;
  /** The sheet that it is laid over has at least this size, and is higher by `SPARE`. */
  size: PaperSize;
  margins: Margins;
}

/** The layer that is drawn: boxes over the text of a page, or the background of a page under it. */
export type Layer = 'boxes' | 'backgrounds';

/**
 * Pixels by which sheets are higher than the pages on them; without them the last row of pixels would move to
 * the next sheet.
 */
export const SPARE = 4;

/**
 * Returns html with the boxes or backgrounds of a document, one page for each of its pages.
 *
 * @param rules further rules, such as counter styles
 * @param total number of pages of the document
 */
export function pageBoxesHtml(
  { css, language }: PageBoxes,
  layer: Layer,
  pages: readonly BoxedPage[],
  { rules, total }: { rules: string; total: number },
): string {
  const nonce = randomBytes(16).toString('hex');
  const data = pages.map(({ number, name, isLeft, size, margins }) => ({
    number,
    margins,
    classes: [
      ...(name === '' ? [] : [classOfPage(name)]),
      ...(number === 1 ? ['first'] : []),
      isLeft ? 'left' : 'right',
    ].join(' '),
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
${layer === 'boxes' ? `${PAGE_ELEMENT} { background: none !important }` : ''}
</style>
<style>${inStyle(css)}
${inStyle(rules)}</style>
<body><script nonce="${nonce}">
const edges = ${inScript(layer === 'boxes' ? { ...EDGES, corners: CORNERS } : {})};
for (const { number, classes, margins, lengths } of ${inScript(data)}) {
  const page = document.body.appendChild(document.createElement('${PAGE_ELEMENT}'));
  page.className = classes;
  for (const [name, length] of lengths) page.style.setProperty(name, length);
  page.style.counterReset = 'page ' + number + ' pages ${total}';
  for (const [name, list] of Object.entries(edges)) {
    const edge = page.appendChild(document.createElement('platen-edge'));
    edge.className = name;
    // A margin without a thickness has no boxes.
    const isThere = (box) => (name === 'corners' ? box.split('-', 2) : [name]).every((side) => margins[side] > 0);
    for (const box of list.filter(isThere)) edge.appendChild(document.createElement('${BOX_ELEMENT}')).className = box;
    for (const box of [...edge.children])
      if (/^(none|normal)$/.test(getComputedStyle(box, '::before').content)) box.remove();
    if (edge.children.length > 1 && edge.querySelector('.' + list[1]) !== null) edge.classList.add('around');
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
:where(${BOX_ELEMENT}) { display: flex; flex-direction: column; justify-content: center; flex: 1 1 auto; min-width: 0; min-height: 0; text-align: center }
:where(.around > ${BOX_ELEMENT}) { flex: 1 1 0 }
:where(.around > :is(.top-center, .bottom-center, .left-middle, .right-middle)) { flex: 0 1 auto }
:where(.top-left, .bottom-left, .top-right-corner, .bottom-right-corner) { text-align: left }
:where(.top-right, .bottom-right, .top-left-corner, .bottom-left-corner) { text-align: right }
:where(.left-top, .right-top) { justify-content: flex-start }
:where(.left-bottom, .right-bottom) { justify-content: flex-end }
:where(.corners > ${BOX_ELEMENT}) { position: absolute; box-sizing: border-box }
:where(.top-left-corner, .bottom-left-corner) { left: 0; width: var(--platen-left) }
:where(.top-right-corner, .bottom-right-corner) { right: 0; width: var(--platen-right) }
:where(.top-left-corner, .top-right-corner) { top: 0; height: var(--platen-top) }
:where(.bottom-left-corner, .bottom-right-corner) { bottom: 0; height: var(--platen-bottom) }`;
