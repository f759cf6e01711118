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
