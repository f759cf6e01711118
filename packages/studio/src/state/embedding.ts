import type { Details, Pane } from '../embed/protocol.ts';

/** The page around an embedded editor. */
export interface Embedding {
  panes: readonly Pane[];
  /** Has the page notice an event. */
  tell: <Name extends keyof Details>(type: Name, detail: Details[Name]) => void;
}

/** null on the Studio's own page. */
export const embedding: { current: Embedding | null } = { current: null };
