import * as z from 'zod';
import type { Margins } from './sheet-options.ts';
import { inches, type PaperSize } from './paper.ts';

/** Reads the sheets of a document from its `@page` rules, and decides which rules apply (I-49). */

/** The declarations of the author's `@page` rules that apply. */
export interface AuthorPages {
  /** The lengths or the name of a paper in `size`. */
  paper: boolean;
  /** Whether the paper is in landscape or portrait. */
  orientation: boolean;
  margins: Readonly<Record<keyof Margins, boolean>>;
}

/** All declarations apply. */
export const ALL_AUTHOR_PAGES: AuthorPages = {
  paper: true,
  orientation: true,
  margins: { top: true, right: true, bottom: true, left: true },
};

const length = z.number().min(0).nullable();
const margins = z.object({ top: length, right: length, bottom: length, left: length });
const paperSize = z.object({ width: z.number().positive(), height: z.number().positive() });
/** Sizes and margins by kind of pages; null: those of the options. */
const kind = z.object({ size: paperSize.nullable(), margins });

const pageRulesSchema = z.object({
  /** For pages without their own rule; null: that of the options. */
  size: paperSize.nullable(),
  /** For pages without their own rule; null: that of the options. */
  margins,
  /** The larger one if left and right pages differ, so that content within it is over the body on both. */
  insets: z.object({ left: length, right: length }),
  /** By place of the pages, with or without their own rule; null: that of the options. */
  byPlace: z.object({ first: margins, left: margins, right: margins }),
  /** By name (`''` for none) and place of the pages, with or without their own rule. */
  kinds: z.array(z.object({ name: z.string(), first: kind, left: kind, right: kind })),
  /** Whether some pages have another text width than others, or are named and have their own margins or size. */
  isUneven: z.boolean(),
  /** The smallest margin of any page among those that rules set. */
  least: z.object({ top: length, bottom: length }),
  /** Sizes of all pages that have a rule, even if no such page occurs. */
  sizes: z.array(paperSize),
  /** Whether lengths in rules depend on the sheet of the options (`vw`, `vh`). */
  usesViewport: z.boolean(),
  /** Whether boxes in the margins have content. Always false for engines that draw none. */
  hasMarginBoxes: z.boolean(),
});
/** The result of a loaded document's page rules, in CSS pixels. */
export type PageRules = Readonly<z.infer<typeof pageRulesSchema>>;

/** Returns the result of the script; null also if the document's scripts have made it invalid. */
export function pageRulesOf(returned: unknown): PageRules | null {
  return pageRulesSchema.nullable().safeParse(returned).data ?? null;
}

/** Returns whether rules of the document set the sizes or margins of pages. */
export function sizesPages(rules: PageRules | null): boolean {
  if (rules === null) return false;
  const { size, sizes, isUneven, margins: general, byPlace } = rules;
  const said = [general, ...Object.values(byPlace)].flatMap((sides) => Object.values(sides));
  return size !== null || sizes.length > 0 || isUneven || said.some((one) => one !== null);
}

/** CSS pixels per inch. */
export const PIXELS_OF_INCH = 96;

/** Paper names for `size` (CSS Paged Media 3, 7.1), portrait, in millimetres. */
const CSS_PAPERS: Readonly<Record<string, readonly [number, number]>> = {
  a5: [148, 210],
  a4: [210, 297],
  a3: [297, 420],
  b5: [176, 250],
  b4: [250, 353],
  'jis-b5': [182, 257],
  'jis-b4': [257, 364],
  letter: [215.9, 279.4],
  legal: [215.9, 355.6],
  ledger: [279.4, 431.8],
};

/**
 * Body of a function that runs inside a loaded document: it removes the `@page` rules that do not apply, and
 * returns the result of the others as `PageRules`, or null if there are none. It changes nothing if all of them
 * apply. Rules in sheets of other origins cannot be read there: they are edited beforehand (page/page-blocks.ts).
 *
 * @param author null: no rule applies, and all are removed
 * @param sheet of the options, in their orientation
 * @param margins of pages whose rules set none, in centimetres; null: the engine knows no `width` and `height` of pages
 * @param further statements that run after the rules have been read
 */
export function pageRulesScript(
  author: AuthorPages | null,
  sheet: PaperSize,
  isLandscape: boolean,
  margins: Margins | null = null,
  further = '',
): string {
  const pixels = { width: sheet.width * PIXELS_OF_INCH, height: sheet.height * PIXELS_OF_INCH };
  const sides =
    margins && Object.entries(margins).map(([side, length]) => [side, inches(length) * PIXELS_OF_INCH]);
  return `
  const held = ${JSON.stringify(author)}, sheet = ${JSON.stringify(pixels)}, isLandscape = ${isLandscape};
  const otherwise = ${JSON.stringify(sides && Object.fromEntries(sides))};
  const papers = ${JSON.stringify(CSS_PAPERS)};${BODY}${further}
  return facts;`;
}

/**
 * Defines `eachRule` for a script in a document: it calls a function with each rule of the style sheets, the sheet
 * or rule that contains it, and whether it applies (media, `@supports`). Sheets of other origins cannot be read,
 * and are skipped.
 */
export const EACH_RULE = `
  const eachRule = (visit) => {
    const holds = ({ media }) => !media || media.mediaText === '' || matchMedia(media.mediaText).matches;
    const walk = (owner, applies) => {
      for (const rule of [...owner.cssRules]) {
        visit(rule, owner, applies);
        const inner = applies && holds(rule) && !(rule instanceof CSSSupportsRule && !CSS.supports(rule.conditionText));
        const inside = rule.styleSheet ?? rule;
        try { if (inside.cssRules) walk(inside, inner && (inside === rule || holds(inside))); } catch {}
      }
    };
    for (const sheet of [...document.styleSheets, ...(document.adoptedStyleSheets ?? [])]) {
      try { walk(sheet, !sheet.disabled && holds(sheet)); } catch {}
    }
  };`;

/**
 * Defines `someRule(matches)`: whether a function holds for the declarations of any rule of the style sheets, and
 * `someStyle(selector, matches)`: whether it does, or there is such an element, which may have the style by itself.
 */
export const SOME_RULE = `${EACH_RULE}
  const someRule = (matches) => {
    let isFound = false;
    eachRule(({ style }) => { isFound ||= style !== undefined && matches(style); });
    return isFound;
  };
  const someStyle = (selector, matches) => document.querySelector(selector) !== null || someRule(matches);`;

/** Maximum number of page names that are distinguished. */
const MAX_NAMES = 100;

const BODY = `${EACH_RULE}
  const sides = ['top', 'right', 'bottom', 'left'];
  const rules = [];
  eachRule((rule, owner, applies) => {
    if (rule instanceof CSSPageRule) rules.push({ rule, owner, applies });
  });
  if (rules.length === 0) return null;
  if (held === null) {
    for (const { rule, owner } of rules) owner.deleteRule([...owner.cssRules].indexOf(rule));
    return null;
  }
  const root = parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
  // In page rules, these are lengths of the sheet that the options ask for (csswg-drafts 5437).
  const across = getComputedStyle(document.documentElement).writingMode.startsWith('horizontal');
  const viewport = {
    w: sheet.width, h: sheet.height, min: Math.min(sheet.width, sheet.height), max: Math.max(sheet.width, sheet.height),
    i: across ? sheet.width : sheet.height, b: across ? sheet.height : sheet.width,
  };
  const lengthOf = (text, whole) => {
    const absolute = text
      .replace(/([\\d.]+)[sld]?v(w|h|i|b|min|max)\\b/g, (_, number, of) => (number * viewport[of]) / 100 + 'px')
      .replace(/([\\d.]+)r?em\\b/g, (_, number) => number * root + 'px')
      .replace(/([\\d.]+)%/g, (_, number) => (number * whole) / 100 + 'px');
    try {
      const { value } = CSSNumericValue.parse(absolute).to('px');
      return Number.isFinite(value) ? Math.max(0, value) : null;
    } catch { return null; }
  };
  const turned = ({ width, height }, wide) =>
    wide === width > height ? { width, height } : { width: height, height: width };
  const sizeOf = (text) => {
    const words = text.toLowerCase().split(/\\s+(?![^(]*\\))/);
    const orientation = words.find((word) => word === 'landscape' || word === 'portrait');
    const others = words.filter((word) => word !== orientation && word !== 'auto' && word !== '');
    const named = papers[others[0]];
    const [width, height = width] = named
      ? named.map((length) => (length * 96) / 25.4)
      : others.map((word) => lengthOf(word, 0));
    const own = held.paper && width > 0 && height > 0 ? { width, height } : null;
    if (!held.orientation) return own === null ? sheet : turned(own, isLandscape);
    if (orientation !== undefined) return turned(own ?? sheet, orientation === 'landscape');
    return own ?? sheet;
  };
  const applied = rules.filter(({ applies }) => applies).map(({ rule }) => rule);
  const bySelector = new Map();
  for (const rule of applied) {
    const selector = rule.selectorText.trim();
    if (!bySelector.has(selector)) bySelector.set(selector, []);
    bySelector.get(selector).push(rule);
  }
  // The last one counts, and those that are important before the others.
  const said = (name, selectors) => {
    const given = selectors.flatMap((selector) => bySelector.get(selector) ?? [])
      .filter(({ style }) => style.getPropertyValue(name) !== '');
    const last = given.findLast(({ style }) => style.getPropertyPriority(name) !== '') ?? given.at(-1);
    return last?.style.getPropertyValue(name) ?? null;
  };
  const sizeSaid = (selectors) => {
    const written = said('size', ['', ...selectors]);
    return written === null || written === 'auto' ? null : sizeOf(written);
  };
  const whole = sizeSaid([]) ?? sheet;
  const margin = (side, ...selectors) => {
    const text = held.margins[side] ? said('margin-' + side, ['', ...selectors]) : null;
    // As Chromium has it.
    if (text === 'auto') return 0;
    return text === null ? null : lengthOf(text, side === 'top' || side === 'bottom' ? whole.height : whole.width);
  };
  const borderOf = (side, selectors) => {
    if (!/^(?!none|hidden)\\w/.test(said('border-' + side + '-style', selectors) ?? '')) return 0;
    const width = said('border-' + side + '-width', selectors) ?? 'medium';
    return { thin: 1, medium: 3, thick: 5 }[width] ?? lengthOf(width, 0) ?? 0;
  };
  const paddingOf = (side, selectors, whole) => lengthOf(said('padding-' + side, selectors) ?? '0', whole) ?? 0;
  // width and height are those of the area within margins, borders and padding; only engines that heed them are told margins.
  const boxOf = (selectors) => {
    const size = sizeSaid(selectors);
    if (otherwise === null || !held.paper) return size;
    const own = (name, ends) => {
      const length = lengthOf(said(name, ['', ...selectors]) ?? '', whole[name]);
      return length === null ? null : ends.reduce((sum, side) =>
        sum + (margin(side, ...selectors) ?? otherwise[side]) + borderOf(side, ['', ...selectors]) + paddingOf(side, ['', ...selectors], whole[name]), length);
    };
    const [width, height] = [own('width', ['left', 'right']), own('height', ['top', 'bottom'])];
    return width === null && height === null ? size : { width: width ?? (size ?? sheet).width, height: height ?? (size ?? sheet).height };
  };
  const size = boxOf([]);
  const inset = (side) => {
    const all = [margin(side, ':left'), margin(side, ':right')].filter((length) => length !== null);
    return all.length === 0 ? null : Math.max(...all);
  };
  const marginsOf = (...selectors) => Object.fromEntries(sides.map((side) => [side, margin(side, ...selectors)]));
  const firstSide = getComputedStyle(document.documentElement).direction === 'rtl' ? ':left' : ':right';
  const byPlace = { first: marginsOf(firstSide, ':first'), left: marginsOf(':left'), right: marginsOf(':right') };
  const kindOf = (selectors) => ({ size: boxOf(selectors), margins: marginsOf(...selectors) });
  const names = new Set(['', ...applied.map(({ selectorText }) => /^[^:\\s]*/.exec(selectorText.trim())[0])]);
  const kinds = [...names].slice(0, ${MAX_NAMES}).map((name) => {
    const of = (...places) => kindOf(name === '' ? places : [...places, name, ...places.map((place) => name + place)]);
    return { name, first: of(firstSide, ':first'), left: of(':left'), right: of(':right') };
  });
  const least = (side) => {
    const said = applied.map(({ style }) => held.margins[side] ? style.getPropertyValue('margin-' + side) : '');
    const all = said.map((text) => text === 'auto' ? 0 : lengthOf(text, whole.height)).filter((length) => length !== null);
    return all.length === 0 ? null : Math.min(...all);
  };
  const isShown = ({ style }) => !['', 'none', 'normal'].includes(style?.getPropertyValue('content') ?? '');
  const facts = {
    size,
    margins: marginsOf(),
    byPlace,
    kinds,
    isUneven: new Set(Object.values(byPlace).map(({ left, right }) => (left ?? -1) + (right ?? -1))).size > 1 ||
      applied.some(({ selectorText, style }) => {
        const isNamed = /^[^:\\s]/.test(selectorText.trim());
        const own = [...sides.map((side) => 'margin-' + side), 'size'].some((name) => style.getPropertyValue(name) !== '');
        return own && (isNamed || (selectorText.trim() !== '' && style.getPropertyValue('size') !== ''));
      }),
    least: { top: least('top'), bottom: least('bottom') },
    insets: { left: inset('left'), right: inset('right') },
    sizes: [
      ...applied.map(({ style }) => style.getPropertyValue('size')).filter((text) => text !== '').map(sizeOf),
      ...kinds.flatMap(({ first, left, right }) => [first, left, right].map(({ size }) => size).filter((size) => size !== null)),
    ],
    usesViewport: applied.some(({ cssText }) => /\\d[sld]?v(?:w|h|i|b|min|max)\\b/.test(cssText)),
    hasMarginBoxes: applied.some((rule) => [...(rule.cssRules ?? [])].some(isShown)),
  };
  for (const { rule } of rules) {
    const { style } = rule;
    const size = style.getPropertyValue('size');
    if (size !== '' && !(held.paper && held.orientation)) {
      const { width, height } = sizeOf(size);
      style.setProperty('size', width + 'px ' + height + 'px', style.getPropertyPriority('size'));
    }
    if (!held.paper) for (const name of ['width', 'height']) style.removeProperty(name);
    for (const side of sides) if (!held.margins[side]) style.removeProperty('margin-' + side);
  }`;
