import { SELECTOR_OF } from './nested-selectors.ts';

/** Scripts besides Latin, Greek and Cyrillic for which the fonts layer has a bold face, by their Unicode names. */
export const BOLD_SCRIPTS = (
  'Arabic Devanagari Thai Armenian Bengali Ethiopic Georgian Gujarati Gurmukhi ' +
  'Hebrew Kannada Khmer Lao Malayalam Myanmar Oriya Sinhala Tamil Telugu Thaana'
).split(' ');

/** Returns the family of a script's bold face. */
export function familyOf(script: string): string {
  return `Noto Sans ${script}`;
}

/** Families for ideographs, in the order of `layers/fonts/fonts.conf`. */
export const BOLD_IDEOGRAPHS = ['SC', 'TC', 'JP', 'KR'].map((end) => `Noto Sans ${end}`);

/** Characters of the scripts of these families, as a class of a regular expression. */
const OTHER_SCRIPTS = '[\\u0530-\\u1cff\\u2d00-\\u2ddf\\u2e80-\\ufdff\\ufe30-\\uffef\\u{20000}-\\u{3ffff}]';
/**
 * Emoji, the plain characters beside them (Unicode TR 51, 1.4.1), and keycaps. An engine asks for a font by the first
 * character of an emoji, whether the plain one is meant or not.
 */
const SYMBOLS = '(?![#*\\d])\\p{Emoji}|[#*\\d]\\ufe0f?\\u20e3';
/** The families of the plain ones, in the order of `layers/fonts/fonts.conf`, and that of the others. */
export const SYMBOL_FAMILIES = [
  'Noto Sans Symbols',
  'Noto Sans Symbols 2',
  'Noto Sans Math',
  'Noto Color Emoji',
];

const MAY_LACK_FACES = new RegExp(
  `${OTHER_SCRIPTS}|[\\u203c-\\u2049\\u20e3-\\u2bff\\u{1f000}-\\u{1faff}]|&#(?:x0*(?:[1-9a-f][0-9a-f]{3}|[5-9a-f][0-9a-f]{2})|0*[1-9]\\d{3})`,
  'iu',
);
/** Escapes of symbols in CSS. */
const ESCAPED_SYMBOL = /\\0{0,2}2[0-9b]/i;

/**
 * Returns whether a document's html may have text that needs `NAMED_FACES`. Its scripts and styles may still add
 * some.
 */
export function mayLackFaces(html: string): boolean {
  // Most documents contain no such unit at all, which is much faster to check.
  if (!/[\u0530-\u1cff\u203c-\uffff]/.test(html) && !html.includes('&#') && !html.includes('\\'))
    return false;
  return MAY_LACK_FACES.test(html) || ESCAPED_SYMBOL.test(html);
}

/**
 * Statements that name the fonts of some text. They run inside of a loaded document.
 *
 * Bold text of other scripts gets a bold face. If none of the named families has a character, both engines select a
 * fallback font without regard to the weight and embolden the regular face synthetically, with a separate drawing for
 * each glyph (Chromium's GetFallbackFontForChar; SkiaSystemFallbackFontCache.cpp in WebKitGTK from 2.52 on). A named
 * family is selected with its weight, so these families are appended for bold text.
 *
 * Symbols get the fonts of symbols, and then that of emoji, in which an engine looks first otherwise.
 */
export const NAMED_FACES = `${SELECTOR_OF}
  const otherScripts = /${OTHER_SCRIPTS}/u, symbols = /${SYMBOLS}/u;
  const lacks = (text) => otherScripts.test(text) || symbols.test(text);
  const ideographsOf = (locale) => {
    const shapes = [[/^ja/i, 'JP'], [/^ko/i, 'KR'], [/^zh-(tw|hk|mo|hant)/i, 'TC']];
    const own = shapes.filter(([language]) => language.test(locale)).map(([, end]) => 'Noto Sans ' + end);
    return [...own, ...${JSON.stringify(BOLD_IDEOGRAPHS)}];
  };
  const texts = new Map();
  const add = (element, text) => {
    if (element !== null && lacks(text)) texts.set(element, (texts.get(element) ?? '') + text);
  };
  // Text that rules put before and behind elements.
  const addContent = (owner, root, parent) => {
    for (const rule of owner.cssRules) {
      const content = rule.style?.content ?? '';
      const whole = selectorOf(rule, parent);
      if (lacks(content) && whole !== null) {
        const selector = whole.replace(/::?(before|after)\\b/g, '');
        try { for (const element of root.querySelectorAll(selector)) add(element, content); } catch {}
      }
      if (rule.styleSheet ?? rule.cssRules) addContent(rule.styleSheet ?? rule, root, whole);
    }
  };
  const addOf = (root) => {
    const nodes = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (nodes.nextNode()) add(nodes.currentNode.parentElement, nodes.currentNode.data);
    for (const input of root.querySelectorAll('input')) add(input, input.value);
    // Those of other origins cannot be read.
    for (const sheet of root.styleSheets) try { addContent(sheet, root, null); } catch {}
    for (const { shadowRoot } of root.querySelectorAll('*')) if (shadowRoot !== null) addOf(shadowRoot);
  };
  addOf(document);
  const scripts = ${JSON.stringify(BOLD_SCRIPTS)}.map((name) => [new RegExp('\\\\p{scx=' + name + '}', 'u'), name]);
  for (const [element, text] of texts) {
    const { fontFamily, fontSize, webkitLocale } = getComputedStyle(element);
    const weights = [null, '::before', '::after'].map((part) => Number(getComputedStyle(element, part).fontWeight));
    const isBold = Math.max(...weights) >= 600;
    const names = isBold ? scripts.filter(([script]) => script.test(text)).map(([, name]) => 'Noto Sans ' + name) : [];
    if (isBold && /[\\u1100-\\u11ff\\u2e80-\\uffff\\u{20000}-\\u{3ffff}]/u.test(text))
      names.push(...ideographsOf(webkitLocale.replaceAll('"', '')));
    if (symbols.test(text)) names.push(...${JSON.stringify(SYMBOL_FAMILIES)});
    if (names.length === 0) continue;
    const families = [fontFamily, ...names.map((name) => '"' + name + '"')];
    element.style.setProperty('font-family', families.join(', '), 'important');
    // Which monospace alone makes smaller.
    element.style.setProperty('font-size', fontSize, 'important');
  }`;
