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
