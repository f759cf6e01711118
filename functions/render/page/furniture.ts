import { BOLD_SCRIPTS, familyOf } from '../../shared/bold-faces.ts';
import { languageTag } from '../../shared/contract/option-values.ts';
import type { Margins } from '../print.ts';
import { prepareCustom } from './custom-furniture.ts';
import { longDate } from './date.ts';
import type { Pieces } from './pieces.ts';

/** What goes into header and footer of a document. */
export interface FurnitureInput {
  /** The document's own title, else that of the template (decision 20); see `documentTitle`. */
  title: string;
  locale: string;
  /** Parts of the default header (title, date) and footer (page number and total). */
  show: { title: boolean; date: boolean; pageNumber: boolean };
  /** Filled custom header and footer, html or plain text; null for the default one. */
  header: string | null;
  footer: string | null;
  margins: Margins;
  /** Fills the class `url`; none for a document that has no address. */
  url?: string;
  today: Date;
}

/** Html with places for what it loads (furniture-files.ts); null where there is nothing to show. */
export interface Furniture {
  header: Pieces | null;
  footer: Pieces | null;
}

/**
 * Builds header and footer. What is left to the engine is to put the page's number into elements of the class
 * `pageNumber`, and the number of pages of the document into those of `totalPages`, on every page.
 */
export function buildFurniture(input: FurnitureInput): Furniture {
  const date = longDate(input.today, input.locale);
  const values = { date, title: input.title, url: input.url ?? '' };
  const custom = (text: string): Pieces => prepareCustom(text, values);
  return {
    header: wrap(
      'header',
      input.header === null ? [defaultHeader(input, date)] : custom(input.header),
      input,
    ),
    footer: wrap('footer', input.footer === null ? [defaultFooter(input)] : custom(input.footer), input),
  };
}

function defaultHeader({ title, show }: FurnitureInput, date: string): string {
  if (!show.title && !show.date) return '';
  // Each text in its own direction: an Arabic date beside a Latin title.
  const left = show.title
    ? `<span dir="auto" style="${ONE_LINE}">${escapeHtml(title)}</span>`
    : '<span></span>';
  const right = show.date ? `<span dir="auto" style="flex:none">${escapeHtml(date)}</span>` : '';
  return `<div style="display:flex;justify-content:space-between;gap:1em">${left}${right}</div>`;
}

function defaultFooter({ show }: FurnitureInput): string {
  if (!show.pageNumber) return '';
  return '<div style="text-align:center"><span class="pageNumber"></span> / <span class="totalPages"></span></div>';
}

/** A long title gives way to the date. */
const ONE_LINE = 'min-width:0;overflow:hidden;text-overflow:ellipsis;white-space:nowrap';

/** Distance from the edge of the paper. */
const EDGE = '0.5cm';

/**
 * Chromium draws what has no style at size 0, at the edge of the paper and without backgrounds: the wrapper gives it a
 * size, a font for every script, colours, and the margins of the page.
 */
function wrap(
  place: 'header' | 'footer',
  content: Pieces,
  { margins, locale }: FurnitureInput,
): Pieces | null {
  if (content.every((piece) => piece === '')) return null;
  const [top, bottom] = place === 'header' ? [EDGE, '0'] : ['0', EDGE];
  const style = [
    'box-sizing:border-box',
    'width:100%',
    'margin:0',
    `padding:${top} ${margins.right}cm ${bottom} ${margins.left}cm`,
    `font:8pt/1.35 ${fontFamilies(locale)}`,
    'color:#000',
    'text-align:start',
    '-webkit-print-color-adjust:exact',
    'print-color-adjust:exact',
  ].join(';');
  return [`<div lang="${languageTag(locale)}" style="${style}">`, ...content, '</div>'];
}

/** Arimo, then the shapes of ideographs that readers of the locale are used to, then the others. */
function fontFamilies(locale: string): string {
  const first = /^ja\b/i.test(languageTag(locale))
    ? ['Noto Sans JP', 'Noto Sans SC']
    : ['Noto Sans SC', 'Noto Sans JP'];
  // By name they are found in bold, too.
  const scripts = BOLD_SCRIPTS.map(familyOf);
  return ['Arimo', ...first, 'Noto Sans KR', 'Noto Sans', ...scripts, 'sans-serif'].join(',');
}

/** Text as html. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
