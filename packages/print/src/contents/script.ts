import { COLLECT_RULES } from '../nested-selectors.ts';
import { blankPagesScript, FINDING_SIDES } from './blank-pages.ts';
import { counterTexts, NUMERALS } from './counters.ts';
import { KEPT } from './css.ts';

/**
 * Scripts that run inside a loaded document with contents or references: once to find the references, and in
 * each pass to write the page numbers.
 */

/** Data that the script stores in the window for the passes. */
const STATE = '__platenReferences';

/** Maximum number of elements that are read: no printer accepts longer contents. */
const MOST = 20_000;

/**
 * Body of a function that finds references to pages, and marks the positions that they refer to. It returns
 * `References`.
 *
 * @param marks statements that define `markOf`
 */
export function findingScript(marks: string): string {
  return `${marks}${FINDING}`;
}

/** Attributes that say what the outline has of an element: see chrome/outline.ts. */
export const BOOKMARK = {
  label: 'data-platen-label',
  left: 'data-platen-unlisted',
  closed: 'data-platen-closed',
};

/**
 * Statements that give elements the entries in the outline that their styles ask for (CSS GCPM 3, 6). Engines list headings,
 * so what else is listed becomes one.
 */
const BOOKMARKS = `
  for (const element of elementsOf('${KEPT.bookmarkLevel}')) {
    const level = getComputedStyle(element).getPropertyValue('${KEPT.bookmarkLevel}').trim();
    if (level === 'none') element.setAttribute('${BOOKMARK.left}', '');
    if (!/^[1-9]\\d?$/.test(level) || element.localName === 'h' + level) continue;
    element.setAttribute('role', 'heading');
    element.setAttribute('aria-level', String(Math.min(6, level)));
  }
  for (const element of elementsOf('${KEPT.bookmarkLabel}')) {
    const label = getComputedStyle(element).getPropertyValue('${KEPT.bookmarkLabel}').trim();
    if (label !== '') element.setAttribute('${BOOKMARK.label}', listText(element, partsOf(label), 'bookmark-label'));
  }
  for (const element of elementsOf('${KEPT.bookmarkState}'))
    if (getComputedStyle(element).getPropertyValue('${KEPT.bookmarkState}').trim() === 'closed') element.setAttribute('${BOOKMARK.closed}', '');`;

const FINDING = `${COLLECT_RULES}
  const found = { generated: [], strings: [] }, unsupported = new Set();
  const elementsOf = (name) => {
    const all = new Set(isHidden ? [...document.querySelectorAll('body *')].slice(0, ${MOST}) : []);
    for (const rule of rules) {
      if (rule.style.getPropertyValue(name) === '') continue;
      const selector = rule.selector.replace(/(^|[\\s>+~,(])::?(?:before|after|marker)\\b/g, '$1*')
        .replace(/::?(?:before|after|marker)\\b/g, '');
      try { for (const element of document.querySelectorAll(selector)) if (all.size < ${MOST}) all.add(element); } catch {}
    }
    return inOrder(all);
  };
  // Strings, functions with what stands in their parentheses, and words.
  const partsOf = (text) => {
    const parts = [];
    const token = /\\s+|"(?:[^"\\\\]|\\\\[^])*"|'(?:[^'\\\\]|\\\\[^])*'|[-\\w]+\\(|[^\\s"'()]+|[()]/y;
    let depth = 0, open = null;
    for (let match = token.exec(text); match !== null; match = token.exec(text)) {
      const [piece] = match;
      if (depth === 0) {
        if (piece.endsWith('(') && piece.length > 1) open = { name: piece.slice(0, -1).toLowerCase(), inside: '' };
        else if (piece.trim() !== '') parts.push(/^["']/.test(piece) ? { text: unquoted(piece) } : { word: piece });
      } else if (!(depth === 1 && piece === ')')) open.inside += piece;
      if (piece.endsWith('(')) depth += 1;
      if (piece === ')' && depth > 0 && --depth === 0) parts.push(open);
    }
    return parts;
  };
  const unquoted = (piece) => piece.slice(1, -1).replace(/\\\\(?:([0-9a-f]{1,6})\\s?|\\n|([^]))/gi, (_, hex, other) =>
    hex === undefined ? (other ?? '') : String.fromCodePoint(parseInt(hex, 16) || 0xfffd));
  const split = (text) => {
    const lists = [''];
    let depth = 0, quote = '';
    for (const character of text) {
      if (quote !== '') { if (character === quote) quote = ''; }
      else if (character === '"' || character === "'") quote = character;
      else if (character === '(') depth += 1;
      else if (character === ')') depth -= 1;
      if (character === ',' && depth === 0 && quote === '') lists.push('');
      else lists[lists.length - 1] += character;
    }
    return lists.map((entry) => entry.trim());
  };
  const valueOf = (element, text) => {
    const [part] = partsOf(text);
    if (part?.text !== undefined) return part.text;
    if (part?.name === 'platen-attr') return element.getAttribute(part.inside.trim().split(/[\\s,]/)[0]) ?? '';
    if (part?.name === 'url') return partsOf(part.inside)[0]?.text ?? part.inside.trim();
    return '';
  };
  const targetOf = (element, text) => {
    const address = valueOf(element, text);
    const hash = address.indexOf('#');
    if (hash === -1) return null;
    const id = address.slice(hash + 1);
    let decoded = id;
    try { decoded = decodeURIComponent(id); } catch {}
    const anchor = (name) => [...document.getElementsByName(name)].find((other) => other.localName === 'a');
    const target = document.getElementById(id) ?? document.getElementById(decoded) ?? anchor(id) ?? anchor(decoded) ?? null;
    if (target === null) lost.add('#' + id);
    return target;
  };
  const lost = new Set();
  const hasBox = (element) => element.getClientRects().length > 0;
  // An element may have no box of its own, but its content may.
  const pageOf = (target, text) => {
    const element = hasBox(target) ? target : [...target.querySelectorAll('*')].find(hasBox);
    const shown = element ?? (getComputedStyle(target).display === 'contents' ? target.parentElement : null);
    if (shown !== null) return markOf(shown);
    lost.add(text);
    return undefined;
  };
  const plain = (element) => element.textContent.replace(/\\s+/g, ' ').trim();
  ${counterTexts(MOST)}
  const generatedText = (element, pseudo) => {
    const { content } = getComputedStyle(element, pseudo);
    if (/^(?:none|normal|)$/.test(content)) return '';
    const parts = partsOf(content), alternative = parts.findIndex(({ word }) => word === '/');
    return parts.slice(0, alternative === -1 ? undefined : alternative).map((part) => {
      if (part.text !== undefined) return part.text;
      if (/^counters?$/.test(part.name)) return counterText(element, part, pseudo + ': ', pseudo === '::after');
      if (part.name === 'attr') return element.getAttribute(part.inside.trim().split(/[\\s,]/)[0]) ?? '';
      unsupported.add(pseudo + ': ' + (part.name ? part.name + '()' : part.word));
      return '';
    }).join('');
  };
  const targetText = (target, which) => {
    if (which === 'before' || which === 'after') return generatedText(target, '::' + which);
    return which === 'first-letter' ? [...plain(target)][0] ?? '' : plain(target);
  };
  const leaders = { dotted: '. ', solid: '_', space: ' ' };
  const itemsOf = (element, value, pseudo) => {
    const parts = partsOf(value), leads = parts.some(({ name }) => name === 'leader');
    return parts.map((part) => itemOf(element, part, pseudo, leads));
  };
  // With leaders, a content is texts alone, which are measured.
  const itemOf = (element, part, pseudo, leads) => {
    const [first = '', second = '', third = ''] = part.inside === undefined ? [] : split(part.inside);
    switch (part.name) {
      case undefined:
        if (part.text === undefined && leads) unsupported.add(part.word + ' with leader()');
        return part.text === undefined ? { raw: part.word } : { text: part.text };
      case 'platen-attr': return { text: element.getAttribute(first.split(/\\s/)[0]) ?? '' };
      case 'leader': return { leader: leaders[first] ?? partsOf(first)[0]?.text ?? '. ' };
      case 'target-text': {
        const target = targetOf(element, first);
        return { text: target === null ? '' : targetText(target, second || 'content') };
      }
      case 'target-counter':
        if (second === 'page') {
          const target = targetOf(element, first);
          const page = target === null ? undefined : pageOf(target, valueOf(element, first));
          return page === undefined ? { text: '' } : { page, style: third || 'decimal' };
        }
      case 'target-counters': {
        const target = targetOf(element, first), inside = split(part.inside).slice(1).join(',');
        return { text: target === null ? '' : counterText(target, { name: part.name, inside }, '') };
      }
      case 'counter': case 'counters':
        if (leads) return { text: counterText(element, part, pseudo + ': ', pseudo === '::after') };
      default:
        if (part.name.startsWith('target-') || part.name === 'string') {
          unsupported.add(part.name + '(' + (second || first) + ')');
          return { text: '' };
        }
        if (leads) unsupported.add(part.name + '() with leader()');
        return { raw: part.name + '(' + part.inside + ')' };
    }
  };
  for (const element of elementsOf('${KEPT.content}')) {
    for (const pseudo of ['::before', '::after']) {
      const value = getComputedStyle(element, pseudo).getPropertyValue('${KEPT.content}').trim();
      // Where another rule has won, the content is what that one says.
      if (value === '' || getComputedStyle(element, pseudo).content !== '""') continue;
      const number = String(found.generated.length + 1);
      const name = 'data-platen-' + pseudo.slice(2);
      element.setAttribute(name, number);
      found.generated.push({ element, pseudo, items: itemsOf(element, value, pseudo), selector: '[' + name + '="' + number + '"]' + pseudo });
    }
  }
  const listText = (element, parts, property) => parts.map((part) => {
    if (part.text !== undefined) return part.text;
    if (part.name === 'content') return targetText(element, (part.inside ?? '').trim() || 'content');
    if (part.name === 'platen-attr') return element.getAttribute(part.inside.trim().split(/[\\s,]/)[0]) ?? '';
    if (/^counters?$/.test(part.name)) return counterText(element, part, property + ': ');
    unsupported.add(property + ': ' + (part.name ? part.name + '()' : part.word));
    return '';
  }).join('');
  for (const element of elementsOf('${KEPT.strings}')) {
    const value = getComputedStyle(element).getPropertyValue('${KEPT.strings}').trim();
    if (value === '' || value === 'none' || element.getClientRects().length === 0) continue;
    for (const assignment of split(value)) {
      const [name, ...parts] = partsOf(assignment);
      if (name?.word === undefined) continue;
      const text = listText(element, parts, 'string-set');
      found.strings.push({ name: name.word, text, place: markOf(element) });
    }
  }
  ${BOOKMARKS}
  ${FINDING_SIDES}
  const style = document.createElement('style');
  document.head.append(style);
  window.${STATE} = { generated: found.generated, style, sided };
  const places = found.generated.flatMap(({ items }) => items.map(({ page }) => page)).filter((page) => page !== undefined);
  return { places, generated: found.generated.length, strings: found.strings, sides, unsupported: [...unsupported], lost: [...lost].slice(0, 10) };`;

/** Returns the warnings for targets that are not there, or on no page, and for what is not supported. */
export function lostWarnings({
  lost,
  unsupported,
}: Readonly<Record<'lost' | 'unsupported', readonly string[]>>): string[] {
  return [
    ...lost.map((target) => `Contents and references: nothing of ${target} is on a page.`),
    ...unsupported.map((what) => `Contents and references: ${what} is not supported.`),
  ];
}

/**
 * Body of a function that writes the known page numbers.
 *
 * @param pages displayed page numbers by position; -1 for a position on no page
 * @param rules additional rules
 * @param blanks positions with a blank page before them
 */
export function writingScript(
  pages: Readonly<Record<string, number>>,
  rules: string,
  blanks: readonly string[] = [],
): string {
  const written = { pages: JSON.stringify(pages), rules: JSON.stringify(rules) };
  return `const pages = ${written.pages}, further = ${written.rules};${WRITING_START}${blankPagesScript(blanks)}${WRITING}`;
}

const WRITING_START = `
  const { generated, style, sided } = window.${STATE};`;

const WRITING = `
  ${NUMERALS}
  const quote = (text) => '"' + [...text].map((character) => /[\\w .,;:()-]/.test(character) ? character
    : '\\\\' + character.codePointAt(0).toString(16) + ' ').join('') + '"';
  // -1: it stands on no page. Numbers that are not known yet take about as much room as those that will come.
  const numberOf = (page) => pages[page] ?? 10;
  const textOf = (item) => item.text ?? (item.page === undefined || numberOf(item.page) < 0 ? '' : shown(numberOf(item.page), item.style));
  const contentOf = (items) => items.map((item) => item.raw ?? quote(textOf(item))).join(' ') || '""';
  const lines = [];
  const waiting = [];
  for (const entry of generated) {
    if (entry.items.some(({ leader }) => leader !== undefined)) waiting.push(entry);
    else lines.push(entry.selector + '{content:' + contentOf(entry.items) + ' !important}');
  }
  style.textContent = lines.join('\\n') + waiting.map(({ selector }) => selector + '{content:none !important}').join('\\n');
  // How wide things are that stand behind an element, in the letters of what is generated there.
  const probes = waiting.map(({ element, pseudo, items }) => {
    const at = items.findIndex(({ leader }) => leader !== undefined);
    const parts = { before: items.slice(0, at).map(textOf).join(''), after: items.slice(at + 1).map(textOf).join(''), dots: items[at].leader.repeat(20) };
    const look = getComputedStyle(element, pseudo);
    const place = document.createElement('span');
    const widths = Object.entries(parts).map(([name, text]) => {
      const span = document.createElement('span');
      for (const property of ['font', 'letterSpacing', 'wordSpacing', 'fontFeatureSettings', 'textTransform']) span.style[property] = look[property];
      span.style.cssText += ';position:absolute;white-space:pre;visibility:hidden';
      span.textContent = text;
      place.append(span);
      return [name, span];
    });
    return { place, widths };
  });
  for (const [index, { element }] of waiting.entries()) element.append(probes[index].place);
  const fitted = waiting.map(({ element, items, selector }, index) => {
    const { place, widths } = probes[index];
    const width = Object.fromEntries(widths.map(([name, span]) => [name, span.getBoundingClientRect().width]));
    let block = element;
    while (block.parentElement !== null && /^(?:inline|contents)$/.test(getComputedStyle(block).display)) block = block.parentElement;
    const box = block.getBoundingClientRect(), look = getComputedStyle(block);
    const left = box.left + parseFloat(look.borderLeftWidth) + parseFloat(look.paddingLeft);
    const right = box.right - parseFloat(look.borderRightWidth) - parseFloat(look.paddingRight);
    const text = document.createRange();
    text.setStart(block, 0);
    text.setEndBefore(place);
    const end = [...text.getClientRects()].at(-1)?.right ?? left;
    const size = parseFloat(getComputedStyle(element).fontSize);
    // Letters take other places on paper than on the screen, a little.
    const slack = size * 0.7 + 4;
    const dot = width.dots / 20;
    let room = right - end - width.before - width.after - slack;
    let isNew = false;
    if (room < 0) { isNew = true; room = right - left - width.before - width.after - slack; }
    const at = items.findIndex(({ leader }) => leader !== undefined);
    const dots = dot > 0 ? items[at].leader.repeat(Math.max(0, Math.floor(room / dot))) : '';
    const stop = Math.max(1, right - left - width.after - 1);
    const hard = (value) => value.replaceAll(' ', '\\u00a0');
    const before = items.slice(0, at).map(textOf).join(''), after = items.slice(at + 1).map(textOf).join('');
    const content = quote((isNew ? '\\n' : '') + hard(before + dots)) + ' "\\\\9 " ' + quote(hard(after));
    return selector + '{content:' + content + ' !important;white-space:pre-wrap !important;tab-size:' + stop + 'px !important}';
  });
  for (const { place } of probes) place.remove();
  style.textContent = [...lines, ...fitted].join('\\n') + further;
  return null;`;
