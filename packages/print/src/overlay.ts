import { randomBytes } from 'node:crypto';
import { type Stamp, SECTION_CLASS, TITLE_CLASS } from './by-page.ts';

/** A document that consists of headers and footers only, whose pages are overlaid on those of another document. */

/**
 * Difference in pixels between the heights of a page and its section: the last line of pixels may move to the next
 * page.
 */
const SPARE = 2;
/** Pixels between the edges of the sheet and header and footer, as in Chromium. */
export const INSET = 20;

/** Scheme of links to elements of the document that has the pages: there are none in the overlay. */
export const INSIDE = 'platen-inside:';

/** The pages of an overlay. */
export interface OverlaySheet {
  /** Sizes of each stamp, in CSS pixels. */
  sizes: readonly { width: number; height: number }[];
  /** Heights of header and footer, in centimetres: at most the margins of the pages, if they differ. */
  margins: { top: number; bottom: number };
  /** Declarations for their styles (sheet.ts). */
  variables: string;
  /** `@font-face` rules. */
  fonts: string;
  /** Content of the class `title`; null or absent for what is there. */
  title?: string | null | undefined;
  /** Whether the engine supports pages of several sizes, by name. */
  hasNamedPages: boolean;
}

/** The overlay of a document, one page for each stamp. */
export function overlayHtml(
  stamps: readonly Stamp[],
  { sizes, margins, variables, fonts, hasNamedPages, title = null }: OverlaySheet,
): string {
  const nonce = randomBytes(16).toString('hex');
  const looks = stamps.map(({ header, footer, pageNumber, totalPages, section }, index) => {
    const size = sizes[index] ?? { width: 1, height: 1 };
    const titled = title === null ? {} : { [TITLE_CLASS]: title };
    const texts = { pageNumber, totalPages, [SECTION_CLASS]: section, ...titled };
    return { header, footer, texts, size, page: pageName(size) };
  });
  // Content that many pages share is sent once.
  const parts = [...new Set(looks.flatMap(({ header, footer }) => [header, footer]))];
  const data = looks.map((look) => ({
    ...look,
    header: parts.indexOf(look.header),
    footer: parts.indexOf(look.footer),
  }));
  const names = new Map(looks.map(({ size, page }) => [page, size]));
  const rules = Array.from(
    names,
    ([page, { width, height }]) => `@page ${page} { size: ${width}px ${height}px; margin: 0 }`,
  );
  const inScript = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');
  // Scripts of a header were removed before; this is a second protection.
  return `<!doctype html><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="script-src 'nonce-${nonce}'">
<style>
${fonts}
${hasNamedPages ? rules.join('\n') : ''}
html, body { margin: 0; background: transparent }
section { position: relative; overflow: hidden; break-after: page }
section:last-of-type { break-after: auto }
header, footer { position: absolute; left: 0; right: 0; display: flex; ${variables} }
header { top: ${INSET}px; height: ${margins.top}cm; align-items: flex-start }
footer { bottom: ${INSET - SPARE}px; height: ${margins.bottom}cm; align-items: flex-end }
</style>
<body><script nonce="${nonce}">
const parts = ${inScript(parts)};
const faces = document.head.appendChild(document.createElement('style'));
const known = new Set();
for (const look of ${inScript(data)}) {
  const section = document.createElement('section');
  section.style.height = look.size.height - ${SPARE} + 'px';
  ${hasNamedPages ? 'section.style.page = look.page;' : "section.style.width = look.size.width + 'px';"}
  document.body.append(section);
  for (const name of ['header', 'footer']) {
    const html = parts[look[name]];
    if (html === null) continue;
    const part = section.appendChild(document.createElement(name));
    // Styles in a header hold in that header.
    const root = part.attachShadow({ mode: 'open' });
    root.innerHTML = html;
    for (const [kind, text] of Object.entries(look.texts))
      for (const element of root.querySelectorAll('.' + kind)) element.textContent = text;
    for (const link of root.querySelectorAll('a[href^="#"]')) link.href = '${INSIDE}' + link.getAttribute('href').slice(1);
    // Fonts are those of a document, wherever their rules stand.
    if (known.has(html)) continue;
    known.add(html);
    for (const sheet of root.styleSheets)
      for (const rule of sheet.cssRules) if (rule instanceof CSSFontFaceRule) faces.append(rule.cssText);
  }
}
</script>`;
}

/** A CSS identifier for the pages of a size. */
function pageName({ width, height }: { width: number; height: number }): string {
  return `size-${width}-${height}`.replaceAll('.', '_');
}

/**
 * Returns statements that measure the heights of headers and footers on a page of that width. They run inside a
 * loaded document, and leave it unchanged.
 *
 * @param width of the page, in CSS pixels
 * @returns statements that store the heights in `heights`: the largest of each list, in pixels, and in `reaches` how far
 * the text and the pictures of each list reach from the edge of the page
 */
export function heightsScript(
  parts: { readonly top: readonly string[]; readonly bottom: readonly string[] },
  width: number,
): string {
  return `
  const reaches = { top: 0, bottom: 0 }, heights = { reaches };
  for (const [edge, list] of Object.entries(${JSON.stringify(parts)})) {
    heights[edge] = 0;
    for (const html of list) {
      const host = document.createElement('div');
      const style = 'all:initial;display:flow-root;position:absolute;visibility:hidden;left:0;top:0;width:${width}px';
      for (const declaration of style.split(';')) host.style.setProperty(...declaration.split(':'), 'important');
      const root = host.attachShadow({ mode: 'closed' });
      root.innerHTML = html;
      for (const element of root.querySelectorAll('.pageNumber, .totalPages, .${SECTION_CLASS}'))
        if (element.textContent === '') element.textContent = '88';
      document.documentElement.append(host);
      await Promise.all([...root.querySelectorAll('img')].map((image) => image.decode().catch(() => {})));
      // Fonts are asked for by what is laid out.
      host.getBoundingClientRect();
      const late = [...document.fonts].filter(({ status }) => status === 'loading');
      await Promise.all(late.map(({ loaded }) => loaded.catch(() => {})));
      const box = host.getBoundingClientRect();
      heights[edge] = Math.max(heights[edge], box.height);
      const text = document.createRange(), texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const rects = [...root.querySelectorAll('img,svg,canvas,hr')].map((element) => element.getBoundingClientRect());
      for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
        text.selectNodeContents(node);
        if (node.data.trim() !== '') rects.push(...text.getClientRects());
      }
      for (const { top, bottom, width, height } of rects)
        if (width > 0 && height > 0) reaches[edge] = Math.max(reaches[edge], edge === 'top' ? bottom - box.top : box.bottom - top);
      host.remove();
    }
  }`;
}
