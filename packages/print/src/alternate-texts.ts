import { BLANK_ADDRESS } from './page/blank-image.ts';

/** Returns whether images of a document for WebKit are not there. */
export function lacksImages(html: string): boolean {
  return html.includes(BLANK_ADDRESS);
}

/**
 * Statements that print the alternate texts of the images of a loaded document that are not there, as browsers, Prince
 * and WeasyPrint do: a text takes the place of its image, with the same classes, styles and least size.
 */
export const ALTERNATE_TEXTS = `
  for (const image of document.querySelectorAll('img[alt]')) {
    const isThere = image.naturalWidth > 0 && image.currentSrc !== '${BLANK_ADDRESS}';
    if (isThere || image.alt.trim() === '' || image.getClientRects().length === 0) continue;
    const { width, height } = image.getBoundingClientRect();
    const { display } = getComputedStyle(image);
    const text = document.createElement('span');
    text.textContent = image.alt;
    for (const name of ['id', 'class', 'style', 'title', 'lang', 'dir'])
      if (image.hasAttribute(name)) text.setAttribute(name, image.getAttribute(name));
    const styles = { display: display === 'inline' ? 'inline-block' : display, width: 'auto', height: 'auto',
      'min-width': width + 'px', 'min-height': height + 'px', 'max-width': '100%', overflow: 'visible' };
    for (const [name, value] of Object.entries(styles)) text.style.setProperty(name, value, 'important');
    image.replaceWith(text);
  }`;
