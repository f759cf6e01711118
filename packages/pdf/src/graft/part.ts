import type { Importer } from '../importer.ts';
import type { Ref } from '../values.ts';
import type { SourceObjects } from './target.ts';

/** One of the source documents whose pages are combined. */
export interface Part {
  source: SourceObjects;
  importer: Importer;
  /** All pages of the source. */
  allPages: readonly Ref[];
  /** The pages taken, in order, each with its copy. A page may be taken more than once. */
  pages: readonly (readonly [page: Ref, copy: Ref])[];
  /** All of the document is meant (merging), not only what belongs to the pages taken (splitting). */
  whole: boolean;
  /** Also of some pages: what belongs to the document as such (attachments, scripts) is kept. */
  keepsDocument: boolean;
}
