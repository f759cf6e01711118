/** What is said of html to be printed: options, papers, pages, and the engines that print it. */

export {
  type BrowserOptions,
  type DocumentObserver,
  PICTURE_VIEWPORT,
  type PictureOptions,
} from './browser-options.ts';
export { packBundle, unpackBundle } from './bundle.ts';
export { type FurnitureByPage, PAGE_NAMES, type PageEntry, namesSections } from './by-page.ts';
export { STAMPS_PAGE, stampsHtml } from './html-stamps.ts';
export { DEFAULT_LOCALE, languageTag } from './locale.ts';
export {
  type ConsoleMessage,
  type FontFindings,
  type LayoutFindings,
  MIN_DPI,
  type Observer,
  type ResourceFinding,
} from './observer.ts';
export { ALL_AUTHOR_PAGES, type AuthorPages } from './page-rules.ts';
export { type Pieces, type Wanted, joined } from './page/pieces.ts';
export { type WebFormat, isWebFormat } from './page/web-format.ts';
export { inches, paperInches, paperPoints } from './paper.ts';
export { PAPER_FORMATS, type PaperFormat } from './paper-names.ts';
export type {
  HtmlDocument,
  HtmlPrinter,
  HtmlReader,
  HtmlResource,
  Missing,
  PrintOptions,
  PrintSession,
  ReadingSession,
  Untagged,
} from './print.ts';
export { marginsOn } from './sheet.ts';
export { type DocumentReading, FIELD_MARKS } from './word/reading.ts';
