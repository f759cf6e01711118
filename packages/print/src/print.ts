import type { BundleFile } from './bundle.ts';
import type { BrowserOptions, DocumentObserver, PictureOptions } from './browser-options.ts';
import type { Credentials } from './fetcher/fetcher.ts';
import type { SheetOptions } from './sheet-options.ts';
import { ALL_AUTHOR_PAGES } from './page-rules.ts';
import type { Observer } from './observer.ts';
import type { DocumentFacts } from './page/document.ts';
import type { DocumentReading } from './word/reading.ts';

export type { Margins } from './sheet-options.ts';

/** A file for a document, served to the engine on the document's own origin. */
export type HtmlResource = BundleFile;

/** Called with a URL that shows nothing: it did not load, or is not the expected image. */
export type Missing = (address: string, why: 'missing' | 'unreadable') => void;

/** A filled html document, ready to be printed: see `prepareDocument`. */
export interface HtmlDocument {
  /** It has a title. */
  html: string;
  facts: DocumentFacts;
  /** Path, as passed to {@link HtmlPrinter.resourceUrl}, → file. */
  resources: ReadonlyMap<string, HtmlResource>;
  /**
   * The URL from which the document was loaded (`page/web-page.ts`), which is the base of its relative URLs.
   * Without it, the document has its own unique origin.
   */
  address?: string;
  /** Called with missing resources of the document, which do not fail a rendering. */
  missing?: Missing;
  /** Called with a sentence about each unsupported part of the document. */
  warn?: (text: string) => void;
  /** Whether its form controls become fields of the PDF, if the engine can. */
  hasFields?: boolean;
  /** Called with elements that are printed, but not described by tags. */
  untagged?: (elements: readonly string[]) => void;
  /** Receives the facts about the printed document; without it they are not collected. */
  observer?: Observer;
  /** Receives errors besides missing resources, on request. */
  faults?: DocumentObserver;
  /** Headers for the requests of its resources, by URL: those of the caller. */
  credentials?: Credentials;
}

/** The print options. */
export interface PrintOptions extends SheetOptions {
  /**
   * Whether to write the structure tree of a tagged PDF, if the engine can (costs Chromium about a third of the
   * time).
   */
  tagged: boolean;
  /** Whether to write headings as bookmarks of a tagged PDF, if the engine can. */
  outline: boolean;
  /** Differences from an ordinary browser, if the engine is one; null for none. */
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

/**
 * The renderings of one request: one document, or the records of a batch. Documents may be printed concurrently.
 */
export interface PrintSession {
  /**
   * Prints one document.
   *
   * @returns the PDF
   * @throws PlatenError `page_range_invalid`, `page_range_outside_document`, `print_failed`, `document_too_large`,
   *   `deadline_exceeded`, `engine_unavailable`; the signal's reason when it is aborted
   */
  print(document: HtmlDocument, options: PrintOptions, signal?: AbortSignal): Promise<Uint8Array>;
  /** Releases the engine's pages immediately; a running print fails. */
  close(): Promise<void>;
}

/** A session that can also read the layout of documents. */
export interface ReadingSession extends PrintSession {
  /**
   * Reads a document as it would be printed: its content, styles and positions.
   *
   * @throws PlatenError as `print`, except for page ranges
   */
  read(document: HtmlDocument, options: PrintOptions, signal?: AbortSignal): Promise<DocumentReading>;
  /**
   * Takes a picture of a document as on a screen.
   *
   * @throws PlatenError as `print`, except for page ranges
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
  /** Opens a session for a request of one tenant, whose data no document of another tenant can access. */
  session(tenant: string): PrintSession;
  /** The URL of the resource with that path in html or css of any printed document. */
  resourceUrl(path: string): string;
  /**
   * Starts the engine, so that the first document need not wait. Throws `engine_unavailable` if it does not start.
   */
  warm(): Promise<void>;
  /** Ends the engine and removes all its files. */
  close(): Promise<void>;
  /** Number of documents that are printed concurrently; others wait. */
  readonly concurrency: number;
}

/** Prints html and can read its layout. Chrome implements it. */
export interface HtmlReader extends HtmlPrinter {
  session(tenant: string): ReadingSession;
}
