/** The state of a document's footnotes between attempts to print it. */
export interface FootnoteState {
  /** Whether they were being put where they belong. */
  isPlacing: boolean;
  /** They stay where they are written: the browser does not stand them elsewhere. */
  isRefused: boolean;
}

/** Said where they stay. */
export const NOT_PLACED =
  'Footnotes: they do not come to rest at the feet of pages, and stand where they are written.';
