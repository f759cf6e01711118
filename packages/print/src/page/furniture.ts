import { BOLD_SCRIPTS, familyOf } from '../bold-faces.ts';
import { languageTag } from '../locale.ts';
import type { Margins } from '../print.ts';
import { prepareCustom } from './custom-furniture.ts';
import { longDate } from './date.ts';
import type { DocumentFacts } from './document.ts';
import type { Pieces } from './pieces.ts';

/** The content of a document's header and footer. */
export interface FurnitureInput {
  /** The document's own title, else that of the template (I-20); see `documentTitle`. */
  title: string;
  locale: string;
  /** Parts of the default header (title, date) and footer (page number and total). */
  show: { title: boolean; date: boolean; pageNumber: boolean };
  /** Filled custom header and footer, html or plain text; null for the default one. */
  header: string | null;
  footer: string | null;
  margins: Margins;
  /** Of the document: header and footer do not follow it, but stand where its text does. */
  scale: number;
  /** What the document's text looks like. */
  text: Pick<DocumentFacts, 'direction' | 'mayNameFonts' | 'bodyMargin'>;
  /** Fills the class `url`; none for a document that has no address. */
  url?: string;
  today: Date;
}

/** Html split at the addresses it loads (furniture-files.ts); null if there is nothing to show. */
export interface Furniture {
  header: Pieces | null;
  footer: Pieces | null;
}

/**
 * Builds header and footer. What is left to the engine is to put the page's number into elements of the class
 * `pageNumber`, and the number of pages of the document into those of `totalPages`, on every page.
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
  // Each text in its own direction: an Arabic date beside a Latin title.
  const first = show.title
    ? `<span dir="auto" style="${ONE_LINE}">${escapeHtml(title)}</span>`
    : '<span></span>';
  const second = show.date ? `<span dir="auto" style="flex:none">${escapeHtml(date)}</span>` : '';
  return `${first}${second}`;
}

function footerContent({ show }: PartInput): string {
  if (!show.pageNumber) return '';
  // A page and a total are one number in either direction of the text.
  return '<span dir="ltr" style="margin:auto"><span class="pageNumber"></span> / <span class="totalPages"></span></span>';
}

/** A long title gives way to the date. */
const ONE_LINE = 'min-width:0;overflow:hidden;text-overflow:ellipsis;white-space:nowrap';

/** Pixels that engines leave between the edge of the sheet and a header or footer. */
const INSET = 20;
/** Lower than that, a margin has no room for a line and its rule beside the text of the page. */
const MIN_HEIGHT = '0.65cm';
/** In a higher one, they do not move away from the edge any more. */
const MAX_HEIGHT = '2.2cm';
/** Grey that is still read with ease (contrast 5.7), and that of rules. */
const INK = '#636870';
const RULE = '0.5pt solid #c9ccd1';

/**
 * A header or footer that nobody asked for: small and grey in the middle of the margin of the page, with a rule towards
 * its text, as wide as the text and in its kind of type. Where a page has no such margin, or boxes of its own in it
 * (`--default-furniture`), there is none: it never stands on the text.
 *
 * Both engines give it an element as high as the margin.
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

/** Languages of which a text that names no font is set in a sans serif (chrome/fonts.ts). */
const IDEOGRAPHIC = /^(?:ja|ko|zh|yue)\b/i;

/** Distance of a header or footer of the caller's own from the edge of the paper, besides what engines leave. */
const EDGE = '0.5cm';

/**
 * Chromium draws what has no style at size 0, at the edge of the paper and without backgrounds: the wrapper gives it a
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
  /** Fills the class `title`. */
  title: string;
  locale: string;
  today: Date;
}

/** Makes html that is stamped on pages fit to be printed, as a header is; of a size, in a font, on nothing. */
export function stampPart({ html, title, locale, today }: StampInput): Pieces {
  const content = prepareCustom(html, { date: longDate(today, locale), title, url: '' });
  const style = `font:12pt/1.35 ${fontFamilies(locale, true)};color:#000;text-align:start;${PRINTED_AS_IS}`;
  return [`<div lang="${languageTag(locale)}" style="${style}">`, ...content, '</div>'];
}

const PRINTED_AS_IS = '-webkit-print-color-adjust:exact;print-color-adjust:exact';

/** The margin of the page that is printed (shared/sheet.ts), else that of the options. */
function keptFrom(side: 'left' | 'right', { margins }: PartInput): string {
  return `var(--page-${side},${margins[side]}cm)`;
}

/** Arimo or Tinos, then the shapes of ideographs that readers of the locale are used to, then the others. */
function fontFamilies(locale: string, isSans: boolean): string {
  const kind = isSans ? 'Sans' : 'Serif';
  const first = /^ja\b/i.test(languageTag(locale)) ? ['JP', 'SC'] : ['SC', 'JP'];
  // By name they are found in bold, too.
  const scripts = BOLD_SCRIPTS.map(familyOf);
  const ideographs = [...first, 'KR'].map((end) => `Noto ${kind} ${end}`);
  return [
    isSans ? 'Arimo' : 'Tinos',
    ...ideographs,
    `Noto ${kind}`,
    ...scripts,
    isSans ? 'sans-serif' : 'serif',
  ].join(',');
}

/** Text as html. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
