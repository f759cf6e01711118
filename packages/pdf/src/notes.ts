import type { ClaimNote } from './conformance/keep.ts';
import type { CmykNote, FontNote, XmpNote } from './conformance/index.ts';
import type { FillNote, FormatNote } from './forms/fill.ts';
import type { RedactNote } from './steps/redact/index.ts';

/** The document has an invoice, and does not claim PDF/A-3, which Factur-X demands. */
export type InvoiceNote = 'invoice_without_archive';

/** A note about a changed PDF: its form, invoice, redacted words, scripts, signatures, conformance claims, XMP, fonts, or colours. */
export type PdfNote =
  | FillNote
  | FormatNote
  | InvoiceNote
  | RedactNote
  | ClaimNote
  | XmpNote
  | SignatureNote
  | ScriptNote
  | FontNote
  | CmykNote;

/** Scripts of combined documents may not work. */
export interface ScriptNote {
  /** Fields and pages whose actions may name fields that were renamed, and scripts of documents that are left out. */
  unsureScripts: string[];
}

/** Signatures were removed, because they would no longer be valid. */
export interface SignatureNote {
  /** The full names of their fields. */
  signaturesRemoved: string[];
}

export type { ClaimNote, CmykNote, FillNote, RedactNote };
