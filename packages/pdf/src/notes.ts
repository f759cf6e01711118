import type { ClaimNote } from './conformance/keep.ts';
import type { FillNote } from './forms/fill.ts';

/** What there is to say of a PDF that was changed: of its form, or of what it claims to conform to. */
export type PdfNote = FillNote | ClaimNote;

export type { ClaimNote, FillNote };
