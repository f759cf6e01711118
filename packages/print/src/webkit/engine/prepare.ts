import type { SheetOptions } from '../../sheet-options.ts';
import { ALTERNATE_TEXTS, lacksImages } from '../../alternate-texts.ts';
import { heightsScript } from '../../overlay.ts';
import { pageRulesScript, PIXELS_OF_INCH } from '../../page-rules.ts';
import { CONTENT_HEIGHT } from '../../sheet.ts';
import { paperInches } from '../../paper.ts';
import { widthQueriesScript } from '../../width-queries.ts';
import { KEPT } from '../../contents/css.ts';
import type { Bundle } from '../../bundle.ts';
import { CUT_TEXT } from '../../cut-text.ts';
import { COUNTING, mayBePictured, mayCountPages, picturedScript, UNDRAWN } from '../../losses.ts';
import { NAMED_FACES } from '../../named-faces.ts';
import { mayScroll, OPEN_SCROLLERS } from '../../scroll-containers.ts';
import { UNLOADED_ADDRESSES } from '../../page-scripts/unloaded.ts';
import { hasSoftHyphens, WHOLE_WORDS } from '../../hyphenation/soft-hyphens.ts';
import { SETTLE } from '../../page-scripts/settle.ts';
import { FIRST_PAGE } from './first-page.ts';
import { LAST_MARGINS, UPRIGHT_CELLS } from './flow.ts';
import { DARKENED } from './gradients.ts';
import { onPaper } from './on-paper.ts';
import { BOXES, PAGE_STYLES } from './page-boxes.ts';
import { NOTES } from './paged.ts';

/**
 * Returns statements that run inside a loaded document, prepare it for printing, and wait until it is ready.
 *
 * WebKit requests resources that only print rules name in the middle of printing, which is too late, and cannot lay a
 * document out for print before. So these statements make the print rules apply at once, and wait for the resources.
 *
 * @param hasBoxes whether it may have boxes in the margins of pages
 * @returns statements that return as JSON the result of the `@page` rules (page-rules.ts), their boxes, the heights
 * of header and footer, the height of the content for a document of one page, and what is lost
 */
export function prepareForPrint(
  document: Bundle,
  mentions: Mentions,
  hasBoxes: boolean,
  {
    paper,
    landscape,
    margins,
    scale,
    author,
    roomFor,
    fitsContent,
    outline,
  }: Pick<
    SheetOptions,
    'paper' | 'landscape' | 'margins' | 'scale' | 'author' | 'roomFor' | 'fitsContent' | 'outline'
  >,
): string {
  const sheet = paperInches(paper, landscape);
  const reading = author === null ? 'null' : `(() => {${pageRulesScript(author, sheet, landscape)}})()`;
  const heights =
    roomFor === null ? 'const heights = null;' : heightsScript(roomFor, sheet.width * PIXELS_OF_INCH);
  const content = fitsContent ? CONTENT_HEIGHT : `const content = null;{${FIRST_PAGE}${LAST_MARGINS}}`;
  const pictures = [...document.files].filter(([, { contentType }]) => contentType.startsWith('image/'));
  const cells = mentions.vertical ? UPRIGHT_CELLS : '';
  const opening = `${mentions.scrollers ? `{${OPEN_SCROLLERS}}${CUT_TEXT}` : 'const cut = [];'}${mentions.softHyphens ? JOINED_WORDS : ''}`;
  const waiting = pictures.length === 0 ? '' : arrival(pictures.map(([address]) => address));
  const texts = lacksImages(document.html) ? ALTERNATE_TEXTS : '';
  return `${NOTES}const hyphenated = [];${MEDIA}${waiting}${SETTLE}${texts}${KEEP_ANIMATED}{${NAMED_FACES}}{${JOINED}}{${FIRST_BREAK}${SINGLE_BREAKS}}${cells}${mentions.contentVisibility ? SHOWN : ''}
  const rules = ${reading};${widthQueriesScript({ paper, landscape, margins, scale }, ROOM)}${onPaper({ paper, landscape, margins, scale }, opening)}${mentions.pageCounters ? COUNTING : 'const counting = null;'}${mentions.effects ? picturedScript(false) : 'const pictured = [];'}${mentions.webGl ? UNDRAWN : 'const undrawn = [];'}${UNLOADED_ADDRESSES}${author === null ? 'const ofPages = [];' : PAGE_STYLES}${hasBoxes ? BOXES : 'const boxes = null;'}${REMOVAL}${heights}
  const fixed = [], links = [], outlined = [], posters = [];${outline ? outlinedScript(mentions.bookmarkLevels) : ''}${mentions.gradients ? DARKENED : 'const darkened = [];'}
  for (const link of document.links) if (link.getClientRects().length > 0) note(links, link);
  for (const video of document.querySelectorAll('video[poster]')) if (video.getClientRects().length > 0) note(posters, video);${content}
  ${SOME_HEIGHT}
  const { direction } = getComputedStyle(document.documentElement);
  return JSON.stringify({ rules, boxes, heights, content, direction, cut, wide, columns, fixed, links, outlined, darkened, posters, ofPages, counting, pictured, undrawn, unloaded, hyphenated, title: document.title });`;
}

/** Statements that store the elements in `hyphenated` in which words are divided. */
const JOINED_WORDS = `{${WHOLE_WORDS} for (const element of divided) note(hyphenated, element); }`;

/** WebKit leaves out what it would not have shown yet. */
const SHOWN = `
  for (const element of document.querySelectorAll('body *'))
    if (getComputedStyle(element).contentVisibility === 'auto') say(element, { 'content-visibility': 'visible' });`;

/** Statements that leave what an outline would have in `outlined`. @param hasLevels whether styles may say it (`bookmark-level`) */
const outlinedScript = (hasLevels: boolean): string => `
  const headings = 'h1,h2,h3,h4,h5,h6,[role=heading]';
  const isOutlined = (element) => {
    const level = ${hasLevels} ? getComputedStyle(element).getPropertyValue('${KEPT.bookmarkLevel}').trim() : '';
    return (level === '' ? element.matches(headings) : level !== 'none') && element.getClientRects().length > 0 && element.innerText.trim() !== '';
  };
  for (const element of document.querySelectorAll(${hasLevels} ? 'body *' : headings))
    if (isOutlined(element)) note(outlined, element);`;

/** What a document may have, by its text and that of its files; its scripts may have it, too. */
export interface Mentions {
  vertical: boolean;
  scrollers: boolean;
  pageCounters: boolean;
  effects: boolean;
  webGl: boolean;
  softHyphens: boolean;
  avoids: boolean;
  contentVisibility: boolean;
  bookmarkLevels: boolean;
  gradients: boolean;
}

export function mentionsOf({ html, files }: Bundle): Mentions {
  const texts = [html];
  for (const { contentType, bytes } of files.values())
    if (isText(contentType)) texts.push(Buffer.from(bytes).toString());
  return {
    vertical: texts.some((text) => /writing-?mode/i.test(text)),
    scrollers: texts.some((text) => mayScroll(text) || /data:text\/css/i.test(text)),
    pageCounters: texts.some(mayCountPages),
    effects: texts.some(mayBePictured),
    bookmarkLevels: texts.some((text) => text.includes(`${KEPT.bookmarkLevel}:`)),
    gradients: texts.some((text) => /-gradient/i.test(text)),
    contentVisibility: texts.some((text) => /content-?visibility/i.test(text)),
    avoids: texts.some((text) => /break-(?:inside|before|after)[^;{}]{0,40}avoid/i.test(text)),
    softHyphens: texts.some(hasSoftHyphens),
    webGl: texts.some((text) => /webgl/i.test(text)),
  };
}

function isText(contentType: string): boolean {
  return /^text\/|javascript|json|xml/i.test(contentType);
}

/** The width that WebKit compares media queries with. */
const ROOM = '(width, left, right) => width - left - right';

/**
 * Waits for the pictures that these rules have just requested, which fire no event in the document. They are
 * requested once more, one after the other: a response comes only after those of earlier requests.
 */
function arrival(addresses: readonly string[]): string {
  return `
  document.documentElement?.getBoundingClientRect();
  const pictures = ${JSON.stringify(addresses)}.map((address) => {
    const image = new Image();
    image.src = address;
    return image;
  });
  await Promise.all(pictures.map((image) => image.decode().catch(() => {})));
  await new Promise((done) => setTimeout(done));`;
}

/** WebKit prints a document without the effects of its animations. */
const KEEP_ANIMATED = `
  for (const animation of document.getAnimations()) {
    // Those of pseudo-elements have no styles of their own to be put into.
    try { animation.commitStyles(); } catch {}
  }`;

/** WebKit prints no page for a document without a height, or without a box. */
const SOME_HEIGHT = `
  {
    const root = document.documentElement;
    if (getComputedStyle(root).display === 'none') {
      document.body?.style.setProperty('display', 'none', 'important');
      root.style.setProperty('display', 'block', 'important');
    }
    if (root.getBoundingClientRect().height < 1) root.style.setProperty('min-height', '1px', 'important');
  }`;

/** The scripts as a class of a regular expression. */
const JOINING = ['Arabic', 'Syriac', 'Nko', 'Mongolian', 'Mandaic', 'Phags_Pa', 'Hanifi_Rohingya', 'Adlam']
  .map((script) => String.raw`\p{Script=${script}}`)
  .join('');

/**
 * Joined letters have no letter spacing (CSS Text 4, cursive scripts), as in Chromium; WebKit would set each letter
 * apart, in another shape. The other text of the element loses the spacing as well; nested elements keep theirs.
 */
export const JOINED = `
  const joining = /[${JOINING}]/u;
  if (joining.test(document.documentElement?.textContent ?? '')) {
    const spacings = new Map();
    const spacingOf = (element) => getComputedStyle(element).letterSpacing;
    const nodes = document.createTreeWalker(document, NodeFilter.SHOW_TEXT);
    while (nodes.nextNode()) {
      const { parentElement: owner, data } = nodes.currentNode;
      if (owner === null || !joining.test(data) || /^(normal|0px)$/.test(spacingOf(owner))) continue;
      for (const child of owner.children) if (!spacings.has(child)) spacings.set(child, spacingOf(child));
      spacings.set(owner, 'normal');
    }
    for (const [element, spacing] of spacings) element.style?.setProperty('letter-spacing', spacing, 'important');
  }`;

/**
 * A break before the first content of a document separates nothing (CSS Fragmentation 3), but WebKit makes an
 * empty page of it. A break to a left page stays, because the document begins on a right one.
 */
const FIRST_BREAK = `
  const firstShown = (parent) => {
    for (const child of parent?.childNodes ?? []) {
      if (child instanceof Text && child.data.trim() !== '') return null;
      if (!(child instanceof Element)) continue;
      const { display, position } = getComputedStyle(child);
      if (display !== 'none' && position !== 'absolute' && position !== 'fixed') return child;
    }
    return null;
  };
  for (let at = firstShown(document.body); at !== null; at = firstShown(at)) {
    if (/^(always|page|right|recto)$/.test(getComputedStyle(at).breakBefore)) {
      at.style.setProperty('break-before', 'auto', 'important');
    }
  }`;

/**
 * A break after an element and one before the next are one, as are those before an element and before its first child
 * (CSS Fragmentation 3, 3.1). WebKit makes two of them, with an empty page between, if there is a margin.
 */
const SINGLE_BREAKS = `
  const isForced = (value) => /^(always|page|left|right|recto|verso)$/.test(value);
  const breaking = new Set(document.querySelectorAll('[style*=break-before]'));
  const addBreaking = (owner) => {
    for (const rule of owner.cssRules) {
      if (rule.selectorText && isForced(rule.style.getPropertyValue('break-before')))
        for (const element of document.querySelectorAll(rule.selectorText)) breaking.add(element);
      if (rule.cssRules) addBreaking(rule);
      else if (rule.styleSheet) addBreaking(rule.styleSheet);
    }
  };
  inSheets(addBreaking);
  for (const element of breaking) {
    if (!isForced(getComputedStyle(element).breakBefore)) continue;
    let begin = element;
    const around = [];
    while (begin.parentElement !== document.body && firstShown(begin.parentElement) === begin) {
      begin = begin.parentElement;
      if (isForced(getComputedStyle(begin).breakBefore)) around.push(begin);
    }
    // The one that says a side stays.
    const isSided = !/^(?:always|page)$/.test(getComputedStyle(element).breakBefore);
    for (const other of isSided || around.length === 0 ? around : [element])
      other.style.setProperty('break-before', 'auto', 'important');
    const between = begin.previousSibling;
    if (between instanceof Text && between.data.trim() !== '') continue;
    for (let at = begin.previousElementSibling; at !== null; at = at.lastElementChild) {
      if (isForced(getComputedStyle(at).breakAfter)) at.style.setProperty('break-after', 'auto', 'important');
    }
  }`;

/** A media type that never prints. */
const NEVER = 'speech';

const MEDIA = `
  // Outlives a document.
  name = '';
  const forPrint = (media) => {
    if (!/print|screen/i.test(media.mediaText)) return;
    media.mediaText = media.mediaText.replace(/\\bscreen\\b/gi, '${NEVER}').replace(/\\bprint\\b/gi, 'all');
  };
  // Those of other origins cannot be read.
  const inSheets = (change) => {
    for (const sheet of document.styleSheets) try { change(sheet); } catch {}
  };
  const changeMedia = (owner) => {
    if (owner.media) forPrint(owner.media);
    for (const rule of owner.cssRules) {
      if (rule.media) forPrint(rule.media);
      if (rule.cssRules) changeMedia(rule);
      else if (rule.styleSheet) changeMedia(rule.styleSheet);
    }
  };
  inSheets(changeMedia);
  for (const source of document.querySelectorAll('picture > source[media]')) {
    const media = { mediaText: source.media };
    forPrint(media);
    source.media = media.mediaText;
  }`;

/** Removes `@page` rules: in WebKit an author's `!important` wins over that of the user, against CSS Cascade 5. */
const REMOVAL = `
  const withoutPages = (owner) => {
    for (let at = owner.cssRules.length - 1; at >= 0; at -= 1) {
      const rule = owner.cssRules[at];
      if (rule instanceof CSSPageRule) owner.deleteRule(at);
      else if (rule.cssRules) withoutPages(rule);
      else if (rule.styleSheet) withoutPages(rule.styleSheet);
    }
  };
  inSheets(withoutPages);`;
