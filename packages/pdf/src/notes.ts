import type { ClaimNote } from './conformance/keep.ts';
import type { XmpNote } from './conformance/index.ts';
import type { FillNote } from './forms/fill.ts';

/** What there is to say of a PDF that was changed: of its form, of what it claims to conform to, or of its XMP. */
export type PdfNote = FillNote | ClaimNote | XmpNote;

export type { ClaimNote, FillNote, XmpNote };
