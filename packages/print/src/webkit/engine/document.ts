import type { Bundle } from '../../bundle.ts';
import type { SheetOptions } from '../../sheet-options.ts';

/** An html document to be printed, with all resources that it may load. */
export interface WebDocument extends Bundle {
  /** Documents of different owners never share a process. */
  owner: string;
  /** The address that the document sees as its own. */
  address: string;
  /** The language that the PDF declares; null for none. */
  language: string | null;
  options: SheetOptions;
  /** Milliseconds, from the start of its turn to its last byte. */
  timeout: number;
}

/** A printed document. */
export interface PrintedDocument {
  pdf: Uint8Array;
  /** Sentences about features of its styles that could not be printed. */
  warnings: readonly string[];
}
