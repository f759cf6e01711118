/** The state of a document's footnotes between attempts to print it. */
export interface FootnoteState {
  /** Whether they were being moved to the feet of pages. */
  isPlacing: boolean;
  /** Whether they stay where they are written, because the browser cannot move them. */
  isRefused: boolean;
}

/** The warning in that case. */
export const NOT_PLACED =
  'Footnotes: they cannot be placed at the feet of pages, and stay where they are written.';
