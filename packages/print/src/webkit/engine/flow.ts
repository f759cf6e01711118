import { SELECTOR_OF } from '../../nested-selectors.ts';
import { EACH_RULE } from '../../page-rules.ts';

/** Corrects a loaded document where WebKit's layout differs from its styles. */

/**
 * Statements that remove the margins below the last content, which show nothing: at the end of a page they are cut off
 * (CSS Fragmentation 3, 5.2), but WebKit makes an empty page of them.
 */
export const LAST_MARGINS = `
  const ends = [];
  for (let at = document.body; at !== null; ) {
    const { display, position, float, paddingBottom } = getComputedStyle(at);
    if (!/^(?:block|flow-root|list-item)$/.test(display) || /^(?:absolute|fixed)$/.test(position) || float !== 'none') break;
    ends.push(at);
    let last = at.lastChild;
    const isSkipped = (node) => !(node instanceof Element ? node.getClientRects().length > 0 : node instanceof Text && node.data.trim() !== '');
    while (last !== null && isSkipped(last)) last = last.previousSibling;
    const isLast = last instanceof Element && getComputedStyle(at, '::after').content === 'none';
    at = isLast && parseFloat(paddingBottom) === 0 ? last : null;
  }
  // Empty ones may be there for a page that is left blank.
  if (ends.length === 1 || ends.at(-1)?.getBoundingClientRect().height > 0) {
    for (const element of ends)
      if (parseFloat(getComputedStyle(element).marginBottom) > 0) element.style.setProperty('margin-bottom', '0', 'important');
  }`;

/**
 * Statements that keep the margin above a box behind a forced break (CSS Fragmentation 3, 5.2), which WebKit leaves out: it
 * becomes a border without a colour, so that what is placed in the box and what is beside it stay as they are. Boxes on which
 * such a border would show are left in `unspaced`. They need what `pagedScript` defines.
 */
export const BREAK_MARGINS = `
  const unspaced = [];
  const isInFlow = (element) => {
    const { display, position, cssFloat } = getComputedStyle(element);
    return !/^(?:none|contents|inline)/.test(display) && !/absolute|fixed/.test(position) && cssFloat === 'none';
  };
  // The first box from a node on, in the order of its parent; null if text or a line comes first.
  const boxFrom = (node) => {
    for (let at = node; at !== null; at = at.nextSibling) {
      if (at instanceof Text && at.data.trim() !== '') return null;
      if (!(at instanceof Element) || at.getClientRects().length === 0) continue;
      if (isInFlow(at)) return at;
      if (!/absolute|fixed/.test(getComputedStyle(at).position)) return null;
    }
    return undefined;
  };
  const boxBehind = (element) => {
    for (let at = element; at !== null && at !== document.body; at = at.parentElement) {
      const box = boxFrom(at.nextSibling);
      if (box !== undefined) return box;
    }
    return null;
  };
  // The box and those at its beginning whose margins are one with its own (CSS 2.2, 8.3.1).
  const marginsOf = (box) => {
    const { display, paddingTop, borderTopWidth, overflowY } = getComputedStyle(box);
    const isOpen = /^(?:block|list-item)$/.test(display) && overflowY === 'visible' && parseFloat(paddingTop) + parseFloat(borderTopWidth) === 0 &&
      getComputedStyle(box, '::before').content === 'none';
    const inner = isOpen ? boxFrom(box.firstChild) : null;
    return [box, ...(inner ? marginsOf(inner) : [])];
  };
  const keepMargin = (box) => {
    if (!isInFlow(box) || !/^(?:block|flow-root|list-item)$/.test(getComputedStyle(box.parentElement).display)) return;
    const boxes = marginsOf(box);
    const tops = boxes.map((one) => parseFloat(getComputedStyle(one).marginTop));
    const space = Math.max(0, ...tops) + Math.min(0, ...tops);
    if (space <= 0) return;
    const look = getComputedStyle(box);
    const isPlain = /^(?:block|flow-root|list-item|flex|grid)$/.test(look.display) && look.boxShadow === 'none' && look.outlineStyle === 'none' &&
      [look.borderTopWidth, look.borderLeftWidth, look.borderRightWidth, look.borderTopLeftRadius, look.borderTopRightRadius].every((length) => parseFloat(length) === 0);
    if (!isPlain) {
      note(unspaced, box);
      return;
    }
    const { height } = box.getBoundingClientRect();
    for (const one of boxes) say(one, { 'margin-top': '0' });
    say(box, { 'border-top': space + 'px solid transparent' });
    if (look.backgroundClip === 'border-box') say(box, { 'background-clip': 'padding-box' });
    // Borders are as wide as whole pixels. A height that includes them has grown by nothing.
    if (Math.abs(box.getBoundingClientRect().height - height - space) > 1) say(box, { height: height + space + 'px' });
  };
  for (const element of breaking) {
    const { breakBefore, breakAfter } = getComputedStyle(element);
    const box = forced.test(breakAfter) ? boxBehind(element) : null;
    if (forced.test(breakBefore)) keepMargin(element);
    if (box !== null) keepMargin(box);
  }`;

const WRITING = '--platen-writing-mode';

/**
 * Statements that give the content of table cells the writing mode of their cell: WebKit gives cells that of their table.
 */
export const UPRIGHT_CELLS = `
  {
    ${SELECTOR_OF}
    const isTurned = (value) => /^(?:vertical|sideways)/.test(value);
    const said = [];
    ${EACH_RULE}
    const selectors = new Map();
    eachRule((rule, owner, applies) => {
      const selector = selectorOf(rule, selectors.get(owner) ?? null);
      selectors.set(rule, selector);
      const value = rule.style?.getPropertyValue('writing-mode') ?? '';
      if (!applies || selector === null || value === '') return;
      said.push(selector + '{${WRITING}:' + value + (rule.style.getPropertyPriority('writing-mode') && ' !important') + '}');
    });
    if (document.querySelector('[style*=writing-mode]') !== null || said.some((rule) => isTurned(rule.slice(rule.indexOf('${WRITING}:') + ${WRITING.length + 1})))) {
      const own = document.createElement('style');
      own.textContent = '@property ${WRITING}{syntax:"*";inherits:false}' + said.join('');
      document.head?.append(own);
      const valueOf = (cell) => cell.style.getPropertyValue('writing-mode') || getComputedStyle(cell).getPropertyValue('${WRITING}').trim();
      const turned = [...document.querySelectorAll('td,th')].map((cell) => [cell, valueOf(cell)]).filter(([, value]) => isTurned(value));
      for (const [cell, value] of turned) {
        const hasText = [...cell.childNodes].some((node) => node instanceof Text && node.data.trim() !== '');
        let content = [...cell.children];
        if (hasText || content.length > 1) {
          const box = document.createElement('div');
          box.append(...cell.childNodes);
          cell.append(box);
          content = [box];
        }
        for (const element of content) element.style.setProperty('writing-mode', value);
      }
      own.remove();
    }
  }`;
