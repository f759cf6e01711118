import { NAME_OF } from '../in-document.ts';
import { NAMED } from '../losses.ts';
import { COLLECT_RULES } from '../nested-selectors.ts';

/**
 * Generated text (CSS Content 3) of a loaded document: Chromium prints it as an artifact, so nobody hears it, although it has
 * to be available to assistive technology (1.1). While a document is printed with tags, elements with the same text and
 * the same computed styles take the place of `::before` and `::after`.
 */

/** What the scripts of this folder leave in the window for one another. */
export const STATE = '__platenTags';

/** The attribute by which a snapshot of the document finds an element whose text the browser counts. */
export const NUMBERED = 'data-platen-generated';

/** Text of these characters alone is decoration: bullets, arrows, shapes, lines, and those of fonts of icons. */
const DECORATION =
  /^[\s\p{C}|/\\<>._\u2022\u2023\u2043\u00b7\u2010-\u2015\u2026\u203a\u00bb\u2190-\u21ff\u2219\u2500-\u25ff\u27f0-\u27ff\u2b00-\u2bff-]*$/u;

/** Text that says something; other text, such as commas, may be decoration if it has to be. */
const SAYS = /[\p{L}\p{N}\p{Sc}%\u2030\u00b0+\u00b1\u00d7\u00f7=\u2605\u2606\u2610-\u2612\u2713-\u2718]/u;

/**
 * Body of a function that finds the generated text of a document.
 *
 * @returns whether there is some, and whether the browser alone knows some of it: counters and quotes
 */
export const FIND_GENERATED = `
  const decoration = ${DECORATION}, says = ${SAYS};
  const token = /"((?:[^"\\\\]|\\\\[^])*)"|([-\\w]+)\\((?:[^()"]|"(?:[^"\\\\]|\\\\[^])*"|\\([^()]*\\))*\\)|[-\\w]+|\\//g;
  const unescaped = (text) => text.replace(/\\\\(?:([0-9a-f]{1,6})\\s?|([^]))/gi, (_, hex, other) =>
    hex === undefined ? other : String.fromCodePoint(parseInt(hex, 16) || 0xfffd));
  const read = (content) => {
    const found = { text: '', alt: null, isCounted: false, isQuoted: false, isPictured: false };
    for (const [piece, text, name] of content.matchAll(token)) {
      if (piece === '/') found.alt = '';
      else if (found.alt !== null) found.alt += text === undefined ? '' : unescaped(text);
      else if (text !== undefined) found.text += unescaped(text);
      else if (name === 'counter' || name === 'counters') found.isCounted = true;
      else if (piece.endsWith('-quote')) found.isQuoted = true;
      else found.isPictured = true;
    }
    return found;
  };
  const entries = [];
  const roots = [document];
  for (const root of roots) for (const element of root.querySelectorAll('*')) {
    if (element.shadowRoot !== null) roots.push(element.shadowRoot);
    for (const pseudo of ['::before', '::after']) {
      const style = getComputedStyle(element, pseudo);
      const { content } = style;
      if (content === 'none' || content === 'normal' || content === '""') continue;
      if (style.display === 'none' || style.visibility !== 'visible') continue;
      if (element.getClientRects().length === 0 && getComputedStyle(element).display !== 'contents') continue;
      const found = read(content);
      if (found.alt === '' || element.closest('[aria-hidden=true]') !== null) continue;
      const isBare = !found.isCounted && !found.isQuoted && !found.alt;
      // Boxes of forms are ticked by such text, and are told of by the form itself.
      if (isBare && (element.localName === 'input' ? !/[\\p{L}\\p{N}]/u.test(found.text) : decoration.test(found.text))) continue;
      const isApart = root !== document || element.shadowRoot !== null;
      entries.push({ ...found, element, pseudo, isApart });
    }
  }
  const counted = entries.filter(({ isCounted, isQuoted }) => isCounted || isQuoted);
  for (const [number, entry] of entries.entries()) entry.number = number;
  for (const { element, number } of counted) element.setAttribute('${NUMBERED}', number);
  window.${STATE} = { entries, undo: [() => counted.forEach(({ element }) => element.removeAttribute('${NUMBERED}'))] };
  return { hasSome: entries.length > 0, isCounted: counted.length > 0 };`;

/**
 * Body of a function that replaces generated text. It leaves everything as it is if a text that says something cannot be
 * replaced, because the document would look different.
 *
 * @param texts those that the browser alone knows, by the number of their element, with the name of the pseudo-element
 * @returns the names of such text
 */
export function replacingScript(texts: Readonly<Record<string, string>>): string {
  return `${NAME_OF}${COLLECT_RULES}const texts = ${JSON.stringify(texts)}, most = ${NAMED};${REPLACING}`;
}

const REPLACING = `
  const state = window.${STATE}, decoration = ${DECORATION}, says = ${SAYS};
  const numberOf = ({ element, number }) => element.getAttribute('${NUMBERED}') ?? number;
  let entries = state.entries.filter((entry) => {
    const { element, pseudo, isCounted, isQuoted, alt } = entry;
    if (isCounted || isQuoted) {
      entry.text = texts[numberOf(entry) + pseudo] ?? '';
      if (entry.text === '' || (!isQuoted && !alt && decoration.test(entry.text))) return false;
    }
    entry.isTold = says.test(entry.text + (alt ?? ''));
    return true;
  });
  const without = new CSSStyleSheet();
  const name = 'data-platen-without';
  // Stronger than any rule of an author.
  without.replaceSync(['before', 'after'].map((part) =>
    '[' + name + '~=' + part + ']:not(#a#a#a#a)::' + part + '{content:none!important}').join(''));
  // Only what rules set can differ between an element and a pseudo-element.
  const isIdle = (property) => /^(?:--|content$|transition|animation|text-decoration$)/.test(property);
  const used = isHidden ? [...getComputedStyle(document.documentElement)] : rules.flatMap(({ style }) => [...style]);
  const names = [...new Set(['display', ...used])].filter((property) => !isIdle(property));
  // What layout resolves, which may be a little different on paper.
  const isResolved = (property) => /^(?:width|height|inline-size|block-size|perspective-origin|transform-origin|top|right|bottom|left|inset-|margin-|padding-|grid-template)/.test(property);
  const [resolved, plain] = [names.filter(isResolved), names.filter((property) => !isResolved(property))];
  const margins = names.filter((property) => property.startsWith('margin-'));
  const read = (style, some) => some.map((property) => style.getPropertyValue(property));
  // How an element and what is in it look, and where.
  const looksOf = (element) => {
    const box = element.getBoundingClientRect();
    const all = [element, ...element.querySelectorAll('*')].filter((one) => one.closest('platen-generated') === null);
    const some = all.length > 200 ? [...all.slice(0, 100), ...all.slice(-100)] : all;
    return some.map((one) => {
      const { x, y, width, height } = one.getBoundingClientRect();
      const place = [x - box.x, y - box.y, width, height].map((value) => Math.round(value * 4)).join();
      return { one, place, values: read(getComputedStyle(one), names) };
    });
  };
  const written = ({ text, alt }) => {
    const span = document.createElement('platen-generated');
    span.style.cssText = 'transition:none!important;animation:none!important';
    if (alt) { span.setAttribute('role', 'img'); span.setAttribute('aria-label', alt); }
    // Nobody wants to hear the dots of a leader.
    for (const [at, part] of text.split(/((?:\\.[ \\u00a0]?){4,}|_{4,})/).entries()) {
      if (at % 2 === 0) span.append(part);
      else {
        const dots = document.createElement('platen-leader');
        dots.setAttribute('aria-hidden', 'true');
        dots.append(part);
        span.append(dots);
      }
    }
    return span;
  };
  let restored = [];
  const replace = () => {
    const looks = new Map();
    for (const { element } of entries) if (!looks.has(element)) looks.set(element, looksOf(element));
    const pseudoOf = ({ element, pseudo }) => getComputedStyle(element, pseudo);
    for (const entry of entries) Object.assign(entry, { plain: read(pseudoOf(entry), plain), whole: read(pseudoOf(entry), names) });
    document.adoptedStyleSheets.push(without);
    for (const entry of entries) {
      const { element, pseudo } = entry;
      element.setAttribute(name, (element.getAttribute(name) ?? '') + ' ' + pseudo.slice(2));
      entry.span = written(entry);
      if (pseudo === '::before') element.prepend(entry.span);
      else element.append(entry.span);
    }
    // Neither has a box now, so that nothing is resolved.
    for (const { span } of entries) span.style.setProperty('display', 'none', 'important');
    adapt(entries.map((entry) => [entry.span, read(pseudoOf(entry), resolved)]), resolved);
    for (const { span } of entries) span.style.removeProperty('display');
    adapt(entries.map((entry) => [entry.span, entry.plain]), plain);
    // Rules for first, last or empty elements no longer apply to those around it.
    const others = [...looks.values()].flat();
    adapt(others.map(({ one, values }) => [one, plain.map((property) => values[names.indexOf(property)])]), plain);
    adapt(others.map(({ one, values }) => [one, margins.map((property) => values[names.indexOf(property)])]), margins);
    const isSame = (one, other) => one.every((value, at) => value === other[at]);
    const changed = new Set([...looks].filter(([element, before]) => looksOf(element).some(({ place, values }, at) =>
      place !== before[at].place || !isSame(values, before[at].values))).map(([element]) => element));
    return entries.filter((entry) => entry.isPictured || entry.isApart || changed.has(entry.element) ||
      entry.span.getClientRects().length === 0 || !isSame(entry.whole, read(getComputedStyle(entry.span), names)));
  };
  // Gives elements the values that they do not have.
  const adapt = (all, some) => {
    const own = all.map(([one]) => read(getComputedStyle(one), some));
    for (const [at, [one, wanted]] of all.entries()) {
      const other = some.flatMap((property, index) => (own[at][index] === wanted[index] ? [] : [[property, wanted[index]]]));
      if (other.length === 0) continue;
      const before = one.getAttribute('style');
      if (one.localName !== 'platen-generated')
        restored.push(() => (before === null ? one.removeAttribute('style') : one.setAttribute('style', before)));
      for (const [property, value] of other) one.style.setProperty(property, value, 'important');
    }
  };
  const undo = () => {
    for (const step of restored.reverse()) step();
    restored = [];
    for (const { element, span } of entries) {
      span?.remove();
      element.removeAttribute(name);
    }
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== without);
  };
  state.undo.push(undo);
  const failed = [];
  for (let tries = 0; entries.length > 0; tries += 1) {
    const wrong = replace();
    if (wrong.length === 0) break;
    undo();
    failed.push(...wrong.filter(({ isTold }) => isTold));
    if (failed.length > 0 || tries === 2) break;
    // Each quote depends on those before it.
    const areQuotes = wrong.some(({ isQuoted }) => isQuoted);
    entries = entries.filter((entry) => !wrong.includes(entry) && !(areQuotes && entry.isQuoted));
  }
  return failed.slice(0, most).map(({ element, pseudo }) => (nameOf(element) || 'html') + pseudo);`;
