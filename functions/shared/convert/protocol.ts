import { packBundle, unpackBundle } from '@platen/print';
import type { ErrorCode } from '@platen/core/errors';
import type { WebKitTask } from '@platen/print/webkit/printer';
import type { OfficeOptions, TemplateFormat } from '@platen/contract/options';
import type { TransferredResult } from '../hand-over/result.ts';

/** The messages between the convert function and the functions that need a conversion. */

export type SourceFormat = Exclude<TemplateFormat, 'markdown' | 'pdf'>;
export const TARGET_FORMATS = ['pdf', 'docx', 'odt', 'xlsx', 'xls', 'ods', 'pptx', 'odp'] as const;
export type TargetFormat = (typeof TARGET_FORMATS)[number];

/** Converts an office document to another format (LibreOffice). */
export interface ConversionTask {
  kind: 'convert';
  from: SourceFormat;
  to: TargetFormat;
  /** The title of a document that has none of its own, and the name of its file. */
  title: string | null;
  /** Whether the document is a bundle with its own fonts: see `packWithFonts`. */
  withFonts: boolean;
  /** Whether a PDF keeps its form fields; otherwise it shows their values. */
  formFields: boolean;
  /** The pages and content of a PDF. */
  office: OfficeOptions;
}

const DOCUMENT = 'document';

/** Packs an office document and its own fonts as one string of bytes. */
export function packWithFonts(document: Uint8Array, fonts: readonly Uint8Array[]): Buffer {
  const files = [
    [DOCUMENT, { contentType: '', bytes: document }] as const,
    ...fonts.map((bytes, index) => [String(index), { contentType: '', bytes }] as const),
  ];
  return packBundle({ html: '', files: new Map(files) });
}

/** @throws Error if the bytes are not such a pack */
export function unpackWithFonts(packed: Buffer): { document: Uint8Array; fonts: Uint8Array[] } {
  const { files } = unpackBundle(packed);
  const document = files.get(DOCUMENT);
  if (document === undefined) throw new Error('The bundle has no document.');
  const fonts = [...files].filter(([name]) => name !== DOCUMENT);
  return { document: document.bytes, fonts: fonts.map(([, { bytes }]) => bytes) };
}

/** Prints an html document as PDF (WebKit); the document is a bundle (`bundle.ts`) of its html and resources. */
export interface PrintTask extends WebKitTask {
  kind: 'print';
}

/** Converts PostScript to PDF (Ghostscript): its first page is the picture. */
export interface DrawTask {
  kind: 'draw';
  /** The subject of an error's sentence: "The EPS". */
  what: string;
}

/** Returns the characters of a text that no font for office documents has. */
export interface GlyphsTask {
  kind: 'glyphs';
}

export type Task = ConversionTask | PrintTask | DrawTask | GlyphsTask;

export type ConversionOrder = Task & {
  /** Milliseconds for the work; the function has its own limit as well. */
  timeout: number;
  /** The document: in the order itself, or at a signed address, which needs no further rights. */
  document: { base64: string } | { url: string };
  /** The address for a result that is too large for the answer (PUT). */
  resultUrl: string;
};

/** `warnings`: what an engine does not support in a document; functions of earlier releases do not send them. */
export type ConversionAnswer =
  | ({ ok: true; warnings?: readonly string[] } & TransferredResult)
  | { ok: false; code: ErrorCode; message: string };
