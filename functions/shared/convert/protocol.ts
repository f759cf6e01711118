import type { ErrorCode } from '../contract/errors.ts';
import type { PaperFormat, TemplateFormat } from '../contract/options.ts';
import type { AuthorPages } from '../page-rules.ts';

/** What the functions that need a conversion, and the convert function, say to each other. */

export type SourceFormat = TemplateFormat;
export const TARGET_FORMATS = ['pdf', 'docx', 'odt', 'xlsx', 'xls', 'ods', 'pptx', 'odp'] as const;
export type TargetFormat = (typeof TARGET_FORMATS)[number];

/** An office document to another format (LibreOffice). */
export interface ConversionTask {
  kind: 'convert';
  from: SourceFormat;
  to: TargetFormat;
  /** What it is called: the title of a document that has none of its own, and the name of its file. */
  title: string | null;
}

/** An html document to PDF (WebKit); the document is a bundle (`bundle.ts`) of its html and what it may load. */
export interface PrintTask {
  kind: 'print';
  /** Whose it is: documents of different owners never share a process. Says nothing to anybody else. */
  owner: string;
  /** Where the document believes it is. */
  address: string;
  /** What the PDF says its language is; null: nothing. */
  language: string | null;
  options: SheetOptions;
}

/** PostScript to PDF (Ghostscript): its first page is the picture. */
export interface DrawTask {
  kind: 'draw';
  /** Begins the sentence of an error: "The EPS". */
  what: string;
}

export type Task = ConversionTask | PrintTask | DrawTask;

export type ConversionOrder = Task & {
  /** Milliseconds for the work; the function has a limit of its own besides. */
  timeout: number;
  /** In the order itself, or where it can be fetched: for an address no rights are needed but the address. */
  document: { base64: string } | { url: string };
  /** Where a result goes that is too large for the answer (PUT). */
  resultUrl: string;
};

export type ConversionAnswer =
  | { ok: true; base64: string }
  /** The result was put at `resultUrl`. */
  | { ok: true; stored: true }
  | { ok: false; code: ErrorCode; message: string };

/**
 * Bytes of a document that travel inside an order or an answer. Lambda takes 6 MB either way, of which base64 takes a
 * quarter, and the other fields some.
 */
export const MAX_INLINE_BYTES = 4_400_000;

/** Distances from the edges of the paper, in centimetres. */
export interface Margins {
  top: number;
  right: number;
  bottom: number;
  left: number;
}

/** How a document is laid out on paper: plain values, already validated (ranges of I-7). */
export interface SheetOptions {
  paper: PaperFormat;
  landscape: boolean;
  margins: Margins;
  /** What of the document's own `@page` rules holds in place of these; null: nothing, and they do not count. */
  author: AuthorPages | null;
  /** 0.1 to 2. */
  scale: number;
  printBackground: boolean;
  /** `1-3,5,8-` (I-21), or null for every page. */
  pageRange: string | null;
  /** Complete html of header and footer (render/page/furniture.ts). Both null: none. */
  header: string | null;
  footer: string | null;
  /** No header and footer on page 1; the rest of it unchanged. */
  skipFurnitureOnFirstPage: boolean;
}
