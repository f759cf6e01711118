import { TITLE_CLASS } from '../by-page.ts';
import { BOLD_SCRIPTS, familyOf, SYMBOL_FAMILIES } from '../named-faces.ts';
import { languageTag } from '../locale.ts';
import type { Margins } from '../print.ts';
import { prepareCustom } from './custom-furniture.ts';
import { longDate } from './date.ts';
import type { DocumentFacts } from './document.ts';
import type { Pieces } from './pieces.ts';

/** The content of a document's header and footer. */
export interface FurnitureInput {
  /** The document's own title, otherwise that of the template (I-20). */
  title: string;
  locale: string;
  /** Parts of the default header (title, date) and footer (page number and total). */
  show: { title: boolean; date: boolean; pageNumber: boolean };
  /** Filled custom header and footer, html or plain text; null for the default one. */
  header: string | null;
  footer: string | null;
  margins: Margins;
  /** Direction of the document: header and footer do not adopt it, but use it for the position of their text. */
  scale: number;
  /** Properties of the document's text. */
  text: Pick<DocumentFacts, 'direction' | 'mayNameFonts' | 'bodyMargin'>;
  /** Content of the class `url`; none for a document without a URL. */
  url?: string;
  today: Date;
}

/** Html split at the URLs it loads (furniture-files.ts); null if there is nothing to show. */
export interface Furniture {
  header: Pieces | null;
  footer: Pieces | null;
}

/**
 * Builds header and footer. The engine only fills the class `pageNumber` with the page's number, and `totalPages`
 * with the number of pages, on every page.
 */
export function buildFurniture(input: FurnitureInput): Furniture {
  return {
    header: furniturePart('header', input.header, input),
    footer: furniturePart('footer', input.footer, input),
  };
}

type Place = 'header' | 'footer';
type PartInput = Omit<FurnitureInput, Place>;

/** Returns one header or footer. @param given filled html or plain text; null for the default one */
export function furniturePart(place: Place, given: string | null, input: PartInput): Pieces | null {
  const date = longDate(input.today, input.locale);
  if (given !== null) {
    return custom(place, prepareCustom(given, { date, title: input.title, url: input.url ?? '' }), input);
  }
  return standard(place, place === 'header' ? headerContent(input, date) : footerContent(input), input);
}

function headerContent({ title, show }: PartInput, date: string): string {
  if (!show.title && !show.date) return '';
  // Each text has its own direction: an Arabic date beside a Latin title.
  const first = show.title
    ? `<span class="${TITLE_CLASS}" dir="auto" style="${ONE_LINE}">${escapeHtml(title)}</span>`
    : '<span></span>';
  const second = show.date ? `<span dir="auto" style="flex:none">${escapeHtml(date)}</span>` : '';
  return `${first}${second}`;
}

function footerContent({ show }: PartInput): string {
  if (!show.pageNumber) return '';
  // A page number and a total form one number in either direction of the text.
  return '<span dir="ltr" style="margin:auto"><span class="pageNumber"></span> / <span class="totalPages"></span></span>';
}

/** A long title is shortened in favour of the date. */
const ONE_LINE = 'min-width:0;overflow:hidden;text-overflow:ellipsis;white-space:nowrap';

/** Distance in pixels that engines leave between the edge of the sheet and a header or footer. */
const INSET = 20;
/** Minimum height of a margin with space for a line and its rule beside the text of the page. */
const MIN_HEIGHT = '0.65cm';
/** Maximum height of a margin that affects their distance from the edge. */
const MAX_HEIGHT = '2.2cm';
/** A grey that is easy to read (contrast 5.7), and that of rules. */
const INK = '#636870';
const RULE = '0.5pt solid #c9ccd1';

/**
 * The default header or footer: small and grey in the middle of the margin of the page, with a rule towards its
 * text, as wide as the text and in its kind of type. If a page has no such margin, or has its own boxes in it
 * (`--default-furniture`), there is none: it never overlaps the text. Both engines give it an element as high as
 * the margin.
 */
function standard(place: Place, content: string, input: PartInput): Pieces | null {
  if (content === '') return null;
  const { text, scale, locale } = input;
  const isHeader = place === 'header';
  const box = [
    'box-sizing:border-box',
    'container-type:size',
    'width:100%',
    'height:100%',
    `max-height:${MAX_HEIGHT}`,
    `margin:${isHeader ? `-${INSET}px 0 0` : `0 0 -${INSET}px`}`,
    `padding:0 ${keptFrom('right', input)} 0 ${keptFrom('left', input)}`,
    'display:var(--default-furniture,block)',
  ].join(';');
  const line = [
    'display:flex',
    'justify-content:space-between',
    'gap:2em',
    'box-sizing:border-box',
    'position:relative',
    'top:50%',
    'transform:translateY(-50%)',
    `margin:0 ${text.bodyMargin * scale}px`,
    isHeader ? `padding-bottom:3.5pt;border-bottom:${RULE}` : 'padding:0',
    `font:9pt/1.3 ${fontFamilies(locale, text.mayNameFonts || IDEOGRAPHIC.test(locale))}`,
    'font-variant-numeric:lining-nums tabular-nums',
    `color:${INK}`,
    PRINTED_AS_IS,
  ].join(';');
  return [
    `<div style="${box}"><style>@container (max-height:${MIN_HEIGHT}){.platen-line{visibility:hidden}}</style>` +
      `<div class="platen-line" lang="${languageTag(locale)}" dir="${text.direction}" style="${line}">`,
    content,
    '</div></div>',
  ];
}

/** Languages whose text is set in a sans serif font by default (chrome/fonts.ts). */
const IDEOGRAPHIC = /^(?:ja|ko|zh|yue)\b/i;

/** Distance of a custom header or footer from the edge of the paper, in addition to that of engines. */
const EDGE = '0.5cm';

/**
 * Chromium draws unstyled content at size 0, at the edge of the paper and without backgrounds: the wrapper sets a
 * size, a font for every script, colours, and the margins of the page.
 */
function custom(place: Place, content: Pieces, input: PartInput): Pieces | null {
  if (content.every((piece) => piece === '')) return null;
  const [top, bottom] = place === 'header' ? [EDGE, '0'] : ['0', EDGE];
  const style = [
    'box-sizing:border-box',
    'width:100%',
    'margin:0',
    `padding:${top} ${keptFrom('right', input)} ${bottom} ${keptFrom('left', input)}`,
    `font:8pt/1.35 ${fontFamilies(input.locale, true)}`,
    'color:#000',
    'text-align:start',
    PRINTED_AS_IS,
  ].join(';');
  return [`<div lang="${languageTag(input.locale)}" style="${style}">`, ...content, '</div>'];
}

/** Html that is stamped on a page, ready to be printed; see `stampPart`. */
export interface StampInput {
  /** Html, or plain text. */
  html: string;
  /** Content of the class `title`. */
  title: string;
  locale: string;
  today: Date;
}

/**
 * Prepares html that is stamped on pages for printing, as for a header: with a size, a font, and no background.
 */
export function stampPart({ html, title, locale, today }: StampInput): Pieces {
  const content = prepareCustom(html, { date: longDate(today, locale), title, url: '' });
  const style = `font:12pt/1.35 ${fontFamilies(locale, true)};color:#000;text-align:start;${PRINTED_AS_IS}`;
  return [`<div lang="${languageTag(locale)}" style="${style}">`, ...content, '</div>'];
}

const PRINTED_AS_IS = '-webkit-print-color-adjust:exact;print-color-adjust:exact';

/** The margin of the printed page (shared/sheet.ts), otherwise that of the options. */
function keptFrom(side: 'left' | 'right', { margins }: PartInput): string {
  return `var(--page-${side},${margins[side]}cm)`;
}

/** Arimo or Tinos, then ideographs in the forms of the locale, then the others. */
function fontFamilies(locale: string, isSans: boolean): string {
  const kind = isSans ? 'Sans' : 'Serif';
  const first = /^ja\b/i.test(languageTag(locale)) ? ['JP', 'SC'] : ['SC', 'JP'];
  // Named fonts have bold faces, too.
  const scripts = BOLD_SCRIPTS.map(familyOf);
  const ideographs = [...first, 'KR'].map((end) => `Noto ${kind} ${end}`);
  return [
    isSans ? 'Arimo' : 'Tinos',
    ...ideographs,
    `Noto ${kind}`,
    ...scripts,
    ...SYMBOL_FAMILIES.map((family) => `'${family}'`),
    isSans ? 'sans-serif' : 'serif',
  ].join(',');
}

/** Text as html. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
