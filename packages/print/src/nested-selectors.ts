/**
 * A statement that defines `selectorOf(rule, parent)` inside of a loaded document: the whole selector of a style rule, which
 * says by an ampersand what the rule is in that it stands in (CSS Nesting 1). Declarations behind such rules are rules without
 * a selector: theirs is that of what they are in. Null where there is none.
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
