import { EACH_RULE } from './page-rules.ts';
import { sheetPixels, type SheetOptions } from './sheet-options.ts';

/**
 * Media queries on the width mean the whole page, with its margins (Media Queries 4, 4.1: the page box). Chromium and
 * WebKit compare them with the room between the margins, so that A4 with margins of 1 cm gets the layouts for screens
 * narrower than 768 pixels. Sources of pictures (`<source media>`, `sizes`) are compared with the window instead.
 */

/** What may be a query on the width in the text of a document. */
const ASKS = /(?:@media|@import|\b(?:media|sizes)\s*=)[^{}]{0,500}?\bwidth\b/i;

/** Returns whether a text may have media queries on the width. */
export function mayAskForWidth(text: string): boolean {
  return text.includes('width') && ASKS.test(text);
}

/**
 * Returns statements that make the queries of a loaded document mean the same when they are compared with the room.
 *
 * They use `rules`, the result of `pageRulesScript`, and set `hasOtherWidths`, whether something was changed.
 *
 * @param room arrow function of the script: the width that the engine compares with, given that of the sheet and the two
 *   margins, all in CSS pixels
 */
export function widthQueriesScript(
  options: Pick<SheetOptions, 'paper' | 'landscape' | 'margins' | 'scale'>,
  room: string,
): string {
  return `
  let hasOtherWidths = false;
  {
    const given = ${JSON.stringify(sheetPixels(options))}, scale = ${options.scale}, room = ${room};
    const width = rules?.size?.width ?? given.width;
    const less = (width - room(width, rules?.margins.left ?? given.left, rules?.margins.right ?? given.right)) / scale;
    const lessOfWindow = width / scale - innerWidth;
    ${BODY}
  }`;
}

const BODY = `${EACH_RULE}
    const isWidth = (text) => /^\\s*(?:min-|max-)?width\\s*$/i.test(text);
    // Conditions with lengths that are less by so much; those of sources are decided, since the window changes.
    const changed = (text, less, decided = (condition) => condition) => text.replace(/\\((?:[^()]|\\((?:[^()]|\\((?:[^()]|\\([^()]*\\))*\\))*\\))*\\)/g, (whole) => {
      const lower = (length) => 'calc(' + length.trim() + ' - ' + less.toFixed(3) + 'px)';
      const inside = whole.slice(1, -1);
      const colon = inside.indexOf(':');
      if (colon !== -1 && isWidth(inside.slice(0, colon))) return decided('(' + inside.slice(0, colon) + ':' + lower(inside.slice(colon + 1)) + ')');
      const parts = inside.split(/([<>]=?|=)/);
      if (!parts.some(isWidth)) return '(' + changed(inside, less, decided) + ')';
      return parts.length === 1 ? whole : decided('(' + parts.map((part, at) => at % 2 === 1 || isWidth(part) ? part : lower(part)).join('') + ')');
    });
    const change = (media) => {
      if (!media || !/width/i.test(media.mediaText)) return;
      const wanted = changed(media.mediaText, less);
      if (wanted === media.mediaText) return;
      media.mediaText = wanted;
      hasOtherWidths = true;
    };
    if (less > 0) {
      for (const { media } of document.styleSheets) change(media);
      eachRule(({ media }) => change(media));
    }
    const pictures = new Set();
    for (const element of document.querySelectorAll('picture > source[media], picture > source[sizes], img[sizes]')) {
      for (const name of ['media', 'sizes']) {
        const text = element[name] ?? '';
        const wanted = changed(text, lessOfWindow, (condition) => matchMedia(condition).matches ? '(min-width:0)' : '(max-width:0)');
        if (wanted === text) continue;
        element[name] = wanted;
        pictures.add(element.localName === 'img' ? element : element.parentElement.querySelector('img'));
      }
    }
    // Engines do not wait for what they request from now on.
    await Promise.all([...pictures].map((image) => image?.decode().catch(() => {})));
    hasOtherWidths ||= pictures.size > 0;`;
