import { randomBytes } from 'node:crypto';
import type { SheetOptions } from '@platen/print/sheet-options';
import type { Sheet } from '@platen/print/sheet';

/** Header and footer of the pages, with nothing between them: a document to be laid over the other one. */

/** Pixels by which a section is less high than its page: the last line of pixels may fall to the next page. */
const SPARE = 2;
/** Pixels between the edges of the sheet and header and footer: as Chromium leaves. */
const INSET = 20;

/**
 * @param pages numbers of the pages that are to have them
 * @param total of the whole document
 * @param height of a page, in pixels
 * @param margins of the document's pages, of which header and footer take up the height
 * @param variables for their styles
 */
export function overlayHtml(
  { header, footer }: Pick<SheetOptions, 'header' | 'footer'>,
  pages: readonly number[],
  total: number,
  height: number,
  { margins }: Pick<Sheet, 'margins'>,
  variables: string,
): string {
  const nonce = randomBytes(16).toString('hex');
  const data = { header, footer, pages, total };
  // Scripts of a header were taken out before; this is the second lock.
  return `<!doctype html><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="script-src 'nonce-${nonce}'">
<style>
html, body { margin: 0; background: transparent }
section { position: relative; height: ${height - SPARE}px; overflow: hidden; break-after: page }
section:last-of-type { break-after: auto }
header, footer { position: absolute; left: 0; right: 0; display: flex; ${variables} }
header { top: ${INSET}px; height: ${margins.top}cm; align-items: flex-start }
footer { bottom: ${INSET - SPARE}px; height: ${margins.bottom}cm; align-items: flex-end }
</style>
<body><script nonce="${nonce}">
const { header, footer, pages, total } = ${JSON.stringify(data).replaceAll('<', '\\u003c')};
for (const page of pages) {
  const section = document.createElement('section');
  for (const [name, html] of Object.entries({ header, footer })) {
    if (html === null) continue;
    const part = section.appendChild(document.createElement(name));
    // Styles in a header hold in that header.
    const root = part.attachShadow({ mode: 'open' });
    root.innerHTML = html;
    for (const element of root.querySelectorAll('.pageNumber')) element.textContent = page;
    for (const element of root.querySelectorAll('.totalPages')) element.textContent = total;
  }
  document.body.append(section);
}
</script>`;
}
