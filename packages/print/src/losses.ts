import * as z from 'zod';
import { WEB_GL_NAME } from './page-scripts/web-gl.ts';
import { RUNNING } from './contents/running.ts';
import { contentBeside, FORCED_BREAK, NAME_OF } from './in-document.ts';
import { SOME_RULE } from './page-rules.ts';

/** What an engine cannot print as the document asks for it, and which would be missing without a word. */

/** Signs of page numbers outside of the boxes of pages. */
const COUNTS_PAGES = /counters?\(\s*pages?\b/i;

/** Signs of elements with which the numbers of pages begin again. */
const SETS_PAGES = /counter-(?:re)?set\s*:[^;{}]{0,200}\bpages?\b/i;

/** Returns whether a text may have page numbers in its flow, or set them. */
export function mayCountPages(text: string): boolean {
  return COUNTS_PAGES.test(text) || SETS_PAGES.test(text);
}

/** Signs of effects for which both engines print an element as a picture. */
const HAS_EFFECTS = /\bfilter\b|box-reflect/i;

/** Returns whether a text may have such effects. */
export function mayBePictured(text: string): boolean {
  return HAS_EFFECTS.test(text);
}

/** Signs of elements that Chromium does not divide or tag, or repeats in part. */
const HAS_BLOCKS =
  /<(?:img|svg|canvas|thead|tfoot|i?frame|object|embed|details)\b|table-(?:header|footer)-group|display\s*:\s*contents|\bfixed\b|\browspan\b|\bfloat\b|first-letter/i;

/** Signs of styles for which Chromium draws text several times: see repeated-text.ts. */
const REPEATS_TEXT = /text-(?:shadow|stroke)|\bbackground(?:-clip)?\s*:[^;{}]{0,200}\btext\b/i;

/** Statements that set `repeats` if a loaded document may have such styles. */
export const REPEATING = `
  let repeats = false;
  {
    ${SOME_RULE}
    const isClosed = (sheet) => { try { return sheet.cssRules === null; } catch { return true; } };
    repeats = [...document.styleSheets].some(isClosed) ||
      someStyle('[style*="text-s" i],[style*=background i]',
      ({ textShadow, webkitTextStroke, webkitTextStrokeWidth, background, backgroundClip }) =>
        Boolean(textShadow || webkitTextStroke || webkitTextStrokeWidth) || /\\btext\\b/.test(background + backgroundClip));
  }`;

/** Returns whether a text may have something of that kind. */
export function mayLose(text: string): boolean {
  return (
    HAS_BLOCKS.test(text) ||
    mayCountPages(text) ||
    mayBePictured(text) ||
    mayForceBreaks(text) ||
    mayPlaceWhole(text) ||
    REPEATS_TEXT.test(text)
  );
}

/** Returns whether a text may have absolutely placed boxes that should not be divided. */
function mayPlaceWhole(text: string): boolean {
  return /break-inside/i.test(text) && /\babsolute\b/i.test(text);
}

/** Maximum number of elements that are named, of each kind. */
export const NAMED = 3;

/**
 * Statements that leave two lists of elements in `counting`: those with page numbers that nothing counts in `shown` (both
 * engines print 0), and those that set the number of their page in `set`, which both engines ignore. The first page has
 * the number 1 anyway, and documents that number their own pages have neither.
 */
export const COUNTING = `
  const counting = { shown: [], set: [] };
  {
    ${SOME_RULE}${NAME_OF}
    const countsPages = ${COUNTS_PAGES};
    const counts = (counters) => /(?:^| )pages? /.test(counters + ' ');
    const mayCount = someStyle('[style*=counter-]',
      ({ content, counterReset, counterSet }) => countsPages.test(content) || counts(counterReset) || counts(counterSet));
    let [isCounted, isSet, isFirst, before] = [false, false, true, null];
    for (const element of mayCount ? document.querySelectorAll('*') : []) {
      const own = getComputedStyle(element);
      isCounted ||= counts(own.counterIncrement);
      if (element.getClientRects().length === 0 || element.closest('[${RUNNING}]') !== null) continue;
      const set = [own.counterReset, own.counterSet].find(counts);
      isSet ||= set !== undefined;
      isFirst &&= before === null || before.contains(element);
      before = element;
      if (set !== undefined && !(isFirst && /(?:^| )page [01](?: |$)/.test(set)) && counting.set.length <= ${NAMED})
        counting.set.push(nameOf(element) || 'html');
      for (const part of ['::before', '::after'])
        if (countsPages.test(getComputedStyle(element, part).content) && counting.shown.length <= ${NAMED})
          counting.shown.push(nameOf(element) + part);
    }
    if (isCounted || (isSet && counting.shown.length > 0)) counting.set = counting.shown = [];
  }`;

/** Returns whether a text may have forced breaks. */
export function mayForceBreaks(text: string): boolean {
  return /break-(?:before|after)/i.test(text);
}

/** Statements that leave closed `<details>` with a content in `closed`. */
export const CLOSED = `
  const closed = [];
  {
    ${NAME_OF}
    for (const element of document.querySelectorAll('details:not([open])')) {
      if (closed.length > ${NAMED} || element.getClientRects().length === 0) continue;
      const hides = (node) => node instanceof Text ? node.data.trim() !== ''
        : node instanceof HTMLElement && node.localName !== 'summary' && (node.textContent.trim() !== '' || node.matches('img,svg,canvas,:has(img,svg,canvas)'));
      if ([...element.childNodes].some(hides)) closed.push(nameOf(element));
    }
  }`;

/** Statements that leave elements whose forced breaks Chromium ignores in `misplaced`, if something is beside them. */
export const MISPLACED_BREAKS = `
  const misplaced = [];
  {
    ${SOME_RULE}${NAME_OF}${contentBeside()}
    const forced = ${FORCED_BREAK};
    const isOutOfFlow = (element, { display, cssFloat, position }) => {
      if (/absolute|fixed/.test(position) || /^inline/.test(display)) return true;
      if (cssFloat !== 'none' && !/flex|grid/.test(getComputedStyle(element.parentElement).display)) return true;
      for (let at = element.parentElement; at !== null; at = at.parentElement)
        if (/^inline-/.test(getComputedStyle(at).display)) return true;
      return false;
    };
    const mayForce = someStyle('[style*=break-]',
      ({ breakBefore, breakAfter }) => forced.test(breakBefore) || forced.test(breakAfter));
    for (const element of mayForce ? document.body?.querySelectorAll('*') ?? [] : []) {
      const look = getComputedStyle(element);
      const [before, after] = [forced.test(look.breakBefore), forced.test(look.breakAfter)];
      if ((!before && !after) || misplaced.length > ${NAMED} || element.getClientRects().length === 0) continue;
      if ((before && hasContentBeside(element, 'previousSibling')) || (after && hasContentBeside(element, 'nextSibling')))
        if (isOutOfFlow(element, look)) misplaced.push(nameOf(element));
    }
  }`;

/**
 * Defines `isWithoutFilter(element, filter)`: writes a filter that changes no colour and moves nothing as an opacity,
 * which engines print without a picture, and returns whether that was possible.
 */
const WITHOUT_FILTER = `
  const neutral = { brightness: 1, contrast: 1, saturate: 1, grayscale: 0, sepia: 0, invert: 0, blur: 0, 'hue-rotate': 0 };
  const isWithoutFilter = (element, filter) => {
    let { opacity } = getComputedStyle(element);
    const rest = filter.replace(/([a-z-]+)\\(([\\d.]+)(?:px|deg)?\\) ?/g, (part, name, value) => {
      if (name === 'opacity') opacity *= value;
      return name === 'opacity' || neutral[name] === Number(value) ? '' : part;
    });
    if (rest !== '') return false;
    // Fixed boxes inside keep their places.
    for (const [name, value] of [['opacity', opacity], ['filter', 'none'], ['will-change', 'filter']])
      element.style.setProperty(name, value, 'important');
    return true;
  };`;

/**
 * Statements that leave elements with text in `pictured`, and others with links or alternate texts in `unread`, if an
 * effect makes them pictures: they have no text and no tags in the PDF.
 *
 * @param reflects whether the engine does so for reflections, too
 */
export const picturedScript = (reflects: boolean): string => `
  const pictured = [], unread = [];
  {
    ${SOME_RULE}
    const mayHave = someStyle('[style*=filter i],[style*=reflect i],[filter]',
      ({ filter, webkitBoxReflect }) => Boolean(filter || webkitBoxReflect));
    ${NAME_OF}${WITHOUT_FILTER}
    let last = null;
    for (const element of mayHave ? document.querySelectorAll('*') : []) {
      if (pictured.length > ${NAMED}) break;
      if (last?.contains(element) || element.getClientRects().length === 0) continue;
      const { filter, webkitBoxReflect = 'none' } = getComputedStyle(element);
      if (filter === 'none' && (webkitBoxReflect === 'none' || ${!reflects})) continue;
      if (isWithoutFilter(element, filter)) continue;
      last = element;
      if ((element.innerText ?? element.textContent).trim() !== '') pictured.push(nameOf(element) || 'html');
      else if (element.matches('a[href],[alt]:not([alt=""])') || element.querySelector('a[href],[alt]:not([alt=""])'))
        unread.push(nameOf(element));
    }
  }`;

/** Statements that leave frames with text in `framed`: Chromium tags nothing in them. Those of other origins are unknown. */
export const FRAMES = `
  const framed = [];
  {
    ${NAME_OF}
    const textOf = (frame) => {
      const inner = frame.contentDocument;
      if (inner == null) return frame.srcdoc || /^(?:https?|data):/.test(frame.src || frame.data) ? 'unknown' : '';
      return inner.body?.innerText ?? inner.documentElement?.textContent ?? '';
    };
    for (const frame of document.querySelectorAll('iframe,frame,object,embed'))
      if (framed.length <= ${NAMED} && frame.getClientRects().length > 0 && textOf(frame).trim() !== '') framed.push(nameOf(frame));
  }`;

/** Statements that leave links for which Chromium writes none in `linkless`: areas of pictures, and those without a box. */
export const LINKLESS = `
  const linkless = [];
  {
    ${SOME_RULE}${NAME_OF}
    const leads = (map) => map.querySelector('area[href]') !== null;
    const maps = new Set([...document.querySelectorAll('map[name]')].filter(leads).map(({ name }) => '#' + name));
    for (const picture of maps.size === 0 ? [] : document.querySelectorAll('img[usemap]'))
      if (linkless.length <= ${NAMED} && maps.has(picture.useMap) && picture.getClientRects().length > 0) linkless.push(nameOf(picture));
    const hasBoxless = someStyle('a[style*=contents]', ({ display }) => display === 'contents');
    for (const link of hasBoxless ? document.querySelectorAll('a[href]') : [])
      if (linkless.length <= ${NAMED} && getComputedStyle(link).display === 'contents' && (link.innerText.trim() !== '' || link.querySelector('img,svg') !== null)) linkless.push(nameOf(link));
  }`;

/** Statements that leave canvases that stay empty without WebGL, or the error of a script that lacks it, in `undrawn`. */
export const UNDRAWN = `
  const undrawn = [];
  {
    ${NAME_OF}
    const { canvases = [], error = null } = window[${JSON.stringify(WEB_GL_NAME)}] ?? {};
    for (const canvas of canvases)
      if (undrawn.length <= ${NAMED} && canvas.isConnected && canvas.getClientRects().length > 0) undrawn.push(nameOf(canvas));
    if (undrawn.length === 0 && error !== null) undrawn.push('"' + error.slice(0, 200) + '"');
  }`;

/**
 * Returns the warning for content that is wider than its pages, which engines print smaller; none for a hundredth.
 *
 * @param ratio the scale that makes room for all of it
 * @param least the smallest scale to which the engine goes
 */
export function wideWarnings(element: string, ratio: number, least: number): string[] {
  const percent = Math.round(100 * Math.max(ratio, least));
  const lost = ratio < least - 0.005 ? ', and what does not fit then is cut off' : '';
  if (percent >= 99) return [];
  return [
    `The content is wider than the pages (${element}): it is printed at ${percent}% of its size${lost}.`,
  ];
}

const lossesSchema = z
  .object({
    cut: z.array(z.object({ element: z.string(), text: z.string() })),
    pictured: z.array(z.string()),
    unread: z.array(z.string()),
    framed: z.array(z.string()),
    covering: z.array(z.string()),
    linkless: z.array(z.string()),
    undrawn: z.array(z.string()),
    counting: z.object({ shown: z.array(z.string()), set: z.array(z.string()) }).nullable(),
    tall: z.array(z.string()),
    misplaced: z.array(z.string()),
    closed: z.array(z.string()),
    spanned: z.array(z.string()),
    divided: z.array(z.string()),
    heads: z.array(z.string()),
    repeats: z.boolean(),
    wide: z.object({ element: z.string(), ratio: z.number().positive(), least: z.number() }).nullable(),
  })
  .partial()
  .catch({});

/** Returns the warnings for what these statements and `CUT_TEXT` have found. */
export function lossWarnings(found: unknown): string[] {
  const {
    cut = [],
    pictured = [],
    framed = [],
    covering = [],
    linkless = [],
    undrawn = [],
    counting = null,
    tall = [],
    misplaced = [],
    closed = [],
    heads = [],
    spanned = [],
    divided = [],
    wide = null,
  } = lossesSchema.parse(found);
  const texts = cut.map(({ element, text }) => `${element} ("${text}")`);
  return [
    ...told(texts, (names) => `Boxes cut their text off: ${names}.`),
    ...told(
      pictured,
      (names) =>
        `Effects (filter) make pictures of these: their text cannot be searched, copied or read aloud: ${names}.`,
    ),
    ...told(
      framed,
      (names) =>
        `Chromium tags nothing in frames: their text is not read aloud, and their headings are not in the outline: ${names}.`,
    ),
    ...told(
      covering,
      (names) =>
        `Fixed boxes are repeated on every page and cover text of the pages after the first one: ${names}.`,
    ),
    ...told(
      linkless,
      (names) =>
        `Chromium writes no links for the areas of pictures (map), and for links without a box (display: contents): ${names}.`,
    ),
    ...told(undrawn, (names) => `There is no WebGL, so what scripts draw with it is missing: ${names}.`),
    ...told(
      counting?.shown ?? [],
      (names) =>
        `Nothing counts the pages in ${names}: page numbers belong into @page margin boxes, headers, footers or running elements.`,
    ),
    ...told(
      counting?.set ?? [],
      (names) =>
        `Page numbers go on where elements set them (counter-reset, counter-set): ${names}; the option first_page_number sets the first one.`,
    ),
    ...told(
      heads,
      (names) =>
        `Chromium repeats heads and feet of tables up to a quarter of the page; not repeated: ${names}.`,
    ),
    ...told(
      spanned,
      (names) =>
        `Chromium draws backgrounds of cells that span rows (rowspan) too long or too short where pages end: ${names}.`,
    ),
    ...told(
      divided,
      (names) =>
        `Chromium divides absolutely placed boxes where pages end, also with break-inside: avoid: ${names}.`,
    ),
    ...told(closed, (names) => `Closed details are printed without their content: ${names}.`),
    ...told(
      misplaced,
      (names) =>
        `Chromium ignores forced breaks of floats, of absolute and inline boxes, and within inline blocks: ${names}.`,
    ),
    ...told(
      tall,
      (names) =>
        `Pictures are higher than a page and are divided; Chromium may leave an empty page behind them: ${names}.`,
    ),
    ...(wide === null ? [] : wideWarnings(wide.element, wide.ratio, wide.least)),
  ];
}

/** Returns the elements whose content no tags can describe, for what these statements have found. */
export function withoutTags(found: unknown): string[] {
  const { pictured = [], unread = [], framed = [] } = lossesSchema.parse(found);
  return [...pictured, ...unread, ...framed];
}

/** Returns whether text may be drawn several times, for what these statements have found. */
export function repeatsText(found: unknown): boolean {
  return lossesSchema.parse(found).repeats ?? false;
}

/** Returns a warning with the first of these elements; none for no elements. */
export function told(names: readonly string[], text: (names: string) => string): string[] {
  if (names.length === 0) return [];
  return [text(`${names.slice(0, NAMED).join(', ')}${names.length > NAMED ? ' and others' : ''}`)];
}
