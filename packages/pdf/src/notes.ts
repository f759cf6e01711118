import type { ClaimNote } from './conformance/keep.ts';
import type { XmpNote } from './conformance/index.ts';
import type { FillNote } from './forms/fill.ts';
import type { RedactNote } from './steps/redact/index.ts';

/** A note about a changed PDF: about its form, its redacted words, its scripts, its signatures, its conformance claims, or its XMP. */
export type PdfNote = FillNote | RedactNote | ClaimNote | XmpNote | SignatureNote | ScriptNote;

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

export type { ClaimNote, FillNote, RedactNote, XmpNote };
