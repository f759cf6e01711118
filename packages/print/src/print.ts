import type { BundleFile } from './bundle.ts';
import type { BrowserOptions, DocumentObserver, PictureOptions } from './browser-options.ts';
import type { Credentials } from './fetcher/fetcher.ts';
import type { SheetOptions } from './sheet-options.ts';
import { ALL_AUTHOR_PAGES } from './page-rules.ts';
import type { Observer } from './observer.ts';
import type { DocumentFacts } from './page/document.ts';
import type { DocumentReading } from './word/reading.ts';

export type { Margins } from './sheet-options.ts';

/** A file a document may use, served to the engine on the document's own origin. */
export type HtmlResource = BundleFile;

/** Called with an address that shows nothing: it did not load, or is not the expected image. */
export type Missing = (address: string, why: 'missing' | 'unreadable') => void;

/** A filled html document, ready to be printed: see `prepareDocument`. */
export interface HtmlDocument {
  /** Has a title. */
  html: string;
  facts: DocumentFacts;
  /** Path, as given to {@link HtmlPrinter.resourceUrl}, → file. */
  resources: ReadonlyMap<string, HtmlResource>;
  /**
   * Where the document was loaded from, for one that was (`page/web-page.ts`): relative addresses in it start there.
   * Without it the document has an origin of its own that nothing else has.
   */
  address?: string;
  /** Told of what the document names and cannot have: a broken image is not a broken rendering. */
  missing?: Missing;
  /** Told in a sentence what of the document is not done. */
  warn?: (text: string) => void;
  /** Told of all that can be told of how it is printed; without it nothing of that is looked at. */
  observer?: Observer;
  /** Told of more than is missing, where somebody asks. */
  faults?: DocumentObserver;
  /** Headers that are sent with what it loads, by the address: those of its user. */
  credentials?: Credentials;
}

/** The print options. */
export interface PrintOptions extends SheetOptions {
  /** Write the structure tree of a tagged PDF, where the engine can (costs Chromium about a third of the time). */
  tagged: boolean;
  /** Headings as bookmarks of a tagged PDF, where the engine can. */
  outline: boolean;
  /** What differs from an ordinary browser, where the engine is one; null: nothing. */
  browser: BrowserOptions | null;
}

/** The defaults of the interface (I-7), without header and footer. */
export const PLAIN_PAGE: Readonly<PrintOptions> = {
  paper: 'A4',
  landscape: false,
  fitsContent: false,
  margins: { top: 2, right: 1, bottom: 2, left: 1 },
  author: ALL_AUTHOR_PAGES,
  scale: 1,
  printBackground: true,
  pageRange: null,
  header: null,
  footer: null,
  byPage: null,
  furnitureFonts: '',
  roomFor: null,
  skipFurnitureOnFirstPage: false,
  tagged: true,
  outline: true,
  firstPageNumber: 1,
  browser: null,
};

/** The renderings of one request: one document, or the records of a batch. Documents may be printed side by side. */
export interface PrintSession {
  /**
   * Prints one document.
   *
   * @returns the PDF
   * @throws PlatenError `page_range_invalid`, `page_range_outside_document`, `print_failed`, `document_too_large`,
   *   `deadline_exceeded`, `engine_unavailable`; the signal's reason when it is aborted
   */
  print(document: HtmlDocument, options: PrintOptions, signal?: AbortSignal): Promise<Uint8Array>;
  /** Gives the engine's pages back. Waits for nothing; a print under way fails. */
  close(): Promise<void>;
}

/** A session that can also take documents apart. */
export interface ReadingSession extends PrintSession {
  /**
   * Reads a document as it would be printed: what is in it, how it looks and where it stands.
   *
   * @throws PlatenError as `print`, but for page ranges
   */
  read(document: HtmlDocument, options: PrintOptions, signal?: AbortSignal): Promise<DocumentReading>;
  /**
   * Takes a picture of a document as a screen shows it.
   *
   * @throws PlatenError as `print`, but for page ranges
   */
  picture(
    document: HtmlDocument,
    options: PrintOptions,
    picture: PictureOptions,
    signal?: AbortSignal,
  ): Promise<Uint8Array>;
}

/** Prints html. Both Chrome and WebKit implement it. */
export interface HtmlPrinter {
  /** A session for one tenant's request. What one tenant printed is never seen by another's document. */
  session(tenant: string): PrintSession;
  /** Address that shows the resource of that path wherever html or css of a printed document names it. */
  resourceUrl(path: string): string;
  /** Starts the engine, so that the first document does not wait. Throws `engine_unavailable` when it does not start. */
  warm(): Promise<void>;
  /** Ends the engine and removes all it left on disk. */
  close(): Promise<void>;
  /** How many documents are printed side by side; more wait. */
  readonly concurrency: number;
}

/** Prints html and can read its layout. Chrome implements it. */
export interface HtmlReader extends HtmlPrinter {
  session(tenant: string): ReadingSession;
}
