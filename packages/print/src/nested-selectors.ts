/**
 * A statement that defines `selectorOf(rule, parent)` inside a loaded document. It returns the full selector of a
 * style rule, in which an ampersand means the enclosing rule (CSS Nesting 1). Declarations after nested rules are
 * rules without a selector, which have that of the enclosing rule. It returns null if there is none.
 */
export const SELECTOR_OF = `
  const selectorOf = ({ selectorText }, parent) => {
    if (selectorText === undefined || parent === null) return selectorText ?? parent;
    return selectorText.includes('&') ? selectorText.replaceAll('&', ':is(' + parent + ')') : ':is(' + parent + ') ' + selectorText;
  };`;

/**
 * Statements that collect the style rules of a loaded document in `rules`, each with its whole `selector`, and its page rules in
 * `pageRules`. `isHidden` says whether there are some that cannot be read: those of other origins, which may mean any element.
 */
export const COLLECT_RULES = `${SELECTOR_OF}
  const rules = [], pageRules = [];
  let isHidden = false;
  const collect = (owner, parent) => {
    for (const rule of owner.cssRules) {
      if (rule instanceof CSSPageRule) {
        pageRules.push(rule);
        continue;
      }
      const selector = selectorOf(rule, parent);
      if (rule.style && selector !== null) rules.push({ style: rule.style, selector });
      try { if (rule.styleSheet ?? rule.cssRules) collect(rule.styleSheet ?? rule, selector); } catch {}
    }
  };
  for (const sheet of [...document.styleSheets, ...(document.adoptedStyleSheets ?? [])]) {
    try { collect(sheet, null); } catch { isHidden = true; }
  }
  const inOrder = (elements) =>
    [...elements].sort((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));`;
