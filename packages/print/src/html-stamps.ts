import { randomBytes } from 'node:crypto';
import { PLAIN_PAGE, type PrintOptions } from './print.ts';

/** Html stamps for pages: a document with a page for each stamp, in the size of its html. */

/** A page for which html is laid out. */
export interface StampSheet {
  pageNumber: number;
  totalPages: number;
  /** Maximum size of the html, in points. */
  width: number;
  height: number;
}

/**
 * Difference in pixels between the heights of a page and its stamp: the last line of pixels may move to the next
 * page.
 */
const SPARE = 1;
const PIXELS_OF_POINT = 96 / 72;

/** The print options of the document: pages without margins, in the sizes that its script measures. */
export const STAMPS_PAGE: Readonly<PrintOptions> = {
  ...PLAIN_PAGE,
  margins: { top: 0, right: 0, bottom: 0, left: 0 },
  tagged: false,
  outline: false,
  browser: { waitFor: { expression: 'measured' }, media: null, viewport: null, javascript: true },
};

/**
 * The document of stamps.
 *
 * @param part without scripts, and with all that it loads in it (page/furniture.ts, `stampPart`)
 */
export function stampsHtml(part: string, sheets: readonly StampSheet[]): string {
  const nonce = randomBytes(16).toString('hex');
  const looks = sheets.map(({ pageNumber, totalPages, width, height }) => ({
    texts: { pageNumber, totalPages },
    width: Math.floor(width * PIXELS_OF_POINT),
    height: Math.floor(height * PIXELS_OF_POINT),
  }));
  const inScript = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');
  // Scripts of the html were removed before; this is a second protection.
  return `<!doctype html><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="script-src 'nonce-${nonce}'">
<style>
@page { margin: 0 }
html, body { margin: 0; background: transparent }
section { position: relative; overflow: hidden; break-after: page; width: max-content }
section:last-of-type { break-after: auto }
</style>
<body><script nonce="${nonce}">
const part = ${inScript(part)};
const faces = document.head.appendChild(document.createElement('style'));
const sections = [];
for (const look of ${inScript(looks)}) {
  const section = document.createElement('section');
  section.style.maxWidth = look.width + 'px';
  section.style.maxHeight = look.height + 'px';
  document.body.append(section);
  // Styles of the html hold in it alone.
  const root = section.attachShadow({ mode: 'open' });
  root.innerHTML = part;
  for (const [kind, text] of Object.entries(look.texts))
    for (const element of root.querySelectorAll('.' + kind)) element.textContent = text;
  sections.push({ section, root });
}
// Fonts are those of a document, wherever their rules stand.
for (const sheet of sections[0].root.styleSheets)
  for (const rule of sheet.cssRules) if (rule instanceof CSSFontFaceRule) faces.append(rule.cssText);
const measured = (async () => {
  const images = sections.flatMap(({ root }) => [...root.querySelectorAll('img')]);
  await Promise.all(images.map((image) => image.decode().catch(() => {})));
  // Fonts are asked for by what is laid out.
  document.body.getBoundingClientRect();
  await document.fonts.ready;
  const sizes = sections.map(({ section }) => section.getBoundingClientRect());
  const names = new Set();
  const pages = document.createElement('style');
  for (const [index, { width, height }] of sizes.entries()) {
    const [right, bottom] = [Math.max(1, Math.ceil(width)), Math.max(1, Math.ceil(height)) + ${SPARE}];
    const name = 'size-' + right + '-' + bottom;
    sections[index].section.style.page = name;
    if (!names.has(name)) pages.append('@page ' + name + ' { size: ' + right + 'px ' + bottom + 'px; margin: 0 }\\n');
    names.add(name);
  }
  document.head.append(pages);
  return true;
})();
</script>`;
}
