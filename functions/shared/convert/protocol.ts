import { packBundle, unpackBundle } from '@platen/print/bundle';
import type { ErrorCode } from '@platen/core/error-codes';
import type { WebKitTask } from '@platen/print/webkit/printer';
import type { TemplateFormat } from '@platen/contract/options';
import type { HandedOver } from '../hand-over/result.ts';

/** What the functions that need a conversion, and the convert function, say to each other. */

export type SourceFormat = Exclude<TemplateFormat, 'markdown' | 'pdf'>;
export const TARGET_FORMATS = ['pdf', 'docx', 'odt', 'xlsx', 'xls', 'ods', 'pptx', 'odp'] as const;
export type TargetFormat = (typeof TARGET_FORMATS)[number];

/** An office document to another format (LibreOffice). */
export interface ConversionTask {
  kind: 'convert';
  from: SourceFormat;
  to: TargetFormat;
  /** What it is called: the title of a document that has none of its own, and the name of its file. */
  title: string | null;
  /** Whether the document is a bundle of itself and fonts for it alone: see `packWithFonts`. */
  withFonts: boolean;
}

const DOCUMENT = 'document';

/** An office document and the fonts for it alone, as one string of bytes. */
export function packWithFonts(document: Uint8Array, fonts: readonly Uint8Array[]): Buffer {
  const files = [
    [DOCUMENT, { contentType: '', bytes: document }] as const,
    ...fonts.map((bytes, index) => [String(index), { contentType: '', bytes }] as const),
  ];
  return packBundle({ html: '', files: new Map(files) });
}

/** @throws Error when it is none */
export function unpackWithFonts(packed: Buffer): { document: Uint8Array; fonts: Uint8Array[] } {
  const { files } = unpackBundle(packed);
  const document = files.get(DOCUMENT);
  if (document === undefined) throw new Error('The bundle has no document.');
  const fonts = [...files].filter(([name]) => name !== DOCUMENT);
  return { document: document.bytes, fonts: fonts.map(([, { bytes }]) => bytes) };
}

/** An html document to PDF (WebKit); the document is a bundle (`bundle.ts`) of its html and what it may load. */
export interface PrintTask extends WebKitTask {
  kind: 'print';
}

/** PostScript to PDF (Ghostscript): its first page is the picture. */
export interface DrawTask {
  kind: 'draw';
  /** Begins the sentence of an error: "The EPS". */
  what: string;
}

/** Of characters, as text, those that no font for office documents has. */
export interface GlyphsTask {
  kind: 'glyphs';
}

export type Task = ConversionTask | PrintTask | DrawTask | GlyphsTask;

export type ConversionOrder = Task & {
  /** Milliseconds for the work; the function has a limit of its own besides. */
  timeout: number;
  /** In the order itself, or where it can be fetched: for an address no rights are needed but the address. */
  document: { base64: string } | { url: string };
  /** Where a result goes that is too large for the answer (PUT). */
  resultUrl: string;
};

export type ConversionAnswer = ({ ok: true } & HandedOver) | { ok: false; code: ErrorCode; message: string };
