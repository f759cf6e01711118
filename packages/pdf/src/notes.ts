import type { ClaimNote } from './conformance/keep.ts';
import type { XmpNote } from './conformance/index.ts';
import type { FillNote } from './forms/fill.ts';

/** A note about a changed PDF: about its form, its conformance claims, or its XMP. */
export type PdfNote = FillNote | ClaimNote | XmpNote;

export type { ClaimNote, FillNote, XmpNote };
