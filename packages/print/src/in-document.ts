/** Statements that several scripts for a loaded document share. */

/** Selector of elements whose look is not that of their content. */
export const PICTURES =
  'img,svg,canvas,video,iframe,object,embed,input,select,textarea,button,meter,progress,hr';

/** Literal of an expression for values of `break-before` and `break-after` that force a break. */
export const FORCED_BREAK = '/^(?:page|always|all|left|right|recto|verso)$/';

/**
 * Defines `elementsOf(root)`: all elements in it, also those of open shadow trees; `around(element)`: the element around
 * one; and `textsWhere(element, matches)`: the texts in an element and its slots of which a rectangle matches, as they
 * are asked for. White space is none.
 */
export const TEXTS_WHERE = `
  const elementsOf = function* (root) {
    for (const element of root?.querySelectorAll('*') ?? []) {
      yield element;
      if (element.shadowRoot !== null) yield* elementsOf(element.shadowRoot);
    }
  };
  const around = (element) => element.assignedSlot ?? element.parentElement ?? element.getRootNode().host ?? null;
  const textsWhere = function* (element, matches) {
    const range = document.createRange();
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let text = texts.currentNode; text !== null; text = texts.nextNode()) {
      if (!(text instanceof Text) || text.data.trim() === '') continue;
      range.selectNodeContents(text);
      if ([...range.getClientRects()].some(matches)) yield text;
    }
    if (!(element instanceof Element) || element.getRootNode() === document) return;
    const slots = element.localName === 'slot' ? [element] : element.querySelectorAll('slot');
    for (const slot of slots) for (const node of slot.assignedNodes({ flatten: true })) yield* textsWhere(node, matches);
  };
`;

/** Defines `nameOf(element)`: a selector by which an author recognizes an element; for a line break, the one around it. */
export const NAME_OF = `
  const nameOf = (element) => {
    const path = [];
    for (let next = element?.localName === 'br' ? element.parentElement : element; next !== null && next !== document.documentElement && path.length < 4; next = next.parentElement) {
      const own = next.localName.replace('platen-frame', 'iframe') + (next.id && !next.id.startsWith('platen-mark-') ? '#' + next.id
        : [...next.classList].slice(0, 2).map((name) => '.' + name).join(''));
      const alike = next.parentElement === null || own.includes('#') ? []
        : [...next.parentElement.children].filter((other) => other.localName === next.localName);
      path.unshift(alike.length > 1 ? own + ':nth-of-type(' + (alike.indexOf(next) + 1) + ')' : own);
      if (own.includes('#')) break;
    }
    return path.join(' > ').slice(0, 200);
  };
`;

/**
 * Returns statements that run while the document is as wide as on paper. What they change on its root stays.
 *
 * @param width in CSS pixels, or an expression of the script for it
 */
export function atWidth(width: number | string, statements: string): string {
  return `
  const { style } = document.documentElement;
  const own = [style.getPropertyValue('width'), style.getPropertyPriority('width')];
  style.setProperty('width', ${width} + 'px', 'important');
  try {${statements}
  } finally {
    style.setProperty('width', ...own);
    if (document.documentElement.getAttribute('style') === '') document.documentElement.removeAttribute('style');
  }`;
}

/**
 * Returns statements that define `isContent(node)`, whether a node shows something, and `hasContentBeside(element, side)`, whether
 * content is before (`previousSibling`) or after (`nextSibling`) an element in the body.
 *
 * @param attribute of elements that do not count
 */
export function contentBeside(attribute?: string): string {
  const counts = attribute === undefined ? '' : `!node.hasAttribute('${attribute}') && `;
  return `
    const isContent = (node) => node instanceof Text ? node.data.trim() !== ''
      : node instanceof Element && ${counts}node.getClientRects().length > 0;
    const hasContentBeside = (element, side) => {
      for (let at = element; at !== null && at !== document.body; at = at.parentElement)
        for (let next = at[side]; next !== null; next = next[side]) if (isContent(next)) return true;
      return false;
    };`;
}
