/**
 * Statements that size the initial containing block to the first page (CSS 2.2, 10.1; CSS Paged Media 3, 5).
 * WebKit prints with a block of no height, so that `bottom: 0` was at the top or at the end of the text, and
 * heights in per cent were zero. The root element becomes that block: it is as high as a page, and content
 * that does not fit continues below it as before. Fixed elements appear on the first page, while Chromium
 * repeats them on each; WebKit put them over the text of the last one.
 */
export const FIRST_PAGE = `
  const root = document.documentElement;
  const read = (element, name) => {
    const { position, transform, filter, perspective, contain } = getComputedStyle(element, name);
    return { position, transform, filter, perspective, contain };
  };
  const makesRoom = ({ position, transform, filter, perspective, contain }) => position !== 'static' ||
    (transform ?? 'none') !== 'none' || (filter ?? 'none') !== 'none' || (perspective ?? 'none') !== 'none' ||
    /paint|layout|strict|content/.test(contain ?? '');
  let mayBePlaced = document.querySelector('[style*=position]') !== null;
  const mayPlace = (owner) => {
    for (const rule of owner.cssRules) {
      mayBePlaced ||= /^(?:absolute|fixed)$/.test(rule.style?.position ?? '');
      if (rule.cssRules) mayPlace(rule);
      else if (rule.styleSheet) mayPlace(rule.styleSheet);
    }
  };
  inSheets(mayPlace);
  // Elements that are in one which places what is in it, in the order of the document.
  const inside = new Set();
  const isOnPage = (element) => {
    const style = read(element);
    const { position } = style;
    const isInside = inside.has(element.parentNode);
    if (position === 'fixed' && element.getClientRects().length > 0) note(fixed, element);
    if (!isInside && position === 'fixed') element.style.setProperty('position', 'absolute', 'important');
    if (isInside || makesRoom(style)) inside.add(element);
    if (!isInside && (position === 'absolute' || position === 'fixed')) return true;
    return !inside.has(element) && ['::before', '::after'].some((name) => read(element, name).position === 'absolute');
  };
  const style = root === null ? null : getComputedStyle(root);
  const isBlock = style !== null && !makesRoom(style) && style.writingMode === 'horizontal-tb';
  if (mayBePlaced && [...document.querySelectorAll('body, body *')].filter(isOnPage).length > 0 && isBlock) {
    root.style.setProperty('position', 'relative', 'important');
    root.style.setProperty('height', '100%', 'important');
  }`;
