import { SELECTOR_OF } from '@platen/print/nested-selectors';
import { EACH_RULE } from '@platen/print/page-rules';

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
