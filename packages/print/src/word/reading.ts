import type { Protocol } from 'devtools-protocol';
import type { Sheet } from '../sheet.ts';

/** The layout of a loaded document, as a browser reports it. */
export interface DocumentReading {
  snapshot: Protocol.DOMSnapshot.CaptureSnapshotResponse;
  /** By index of the element in the snapshot. */
  pictures: ReadonlyMap<number, Picture>;
  /** The sheet of the layout, from options and `@page` rules. */
  sheet: Sheet;
}

/** A picture in an office document. */
export interface Picture {
  type: 'png' | 'jpeg' | 'gif';
  bytes: Uint8Array;
}

/** Placeholders for page number and number of pages in headers and footers: characters that no font has. */
export const FIELD_MARKS = { PAGE: '\u{10FF01}', NUMPAGES: '\u{10FF02}' } as const;
