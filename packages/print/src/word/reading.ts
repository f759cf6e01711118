import type { Protocol } from 'devtools-protocol';

/** What a browser tells of a document that it has loaded. */
export interface DocumentReading {
  snapshot: Protocol.DOMSnapshot.CaptureSnapshotResponse;
  /** By the place of the element in the snapshot. */
  pictures: ReadonlyMap<number, Picture>;
}

/** A picture as it goes into an office document. */
export interface Picture {
  type: 'png' | 'jpeg' | 'gif';
  bytes: Uint8Array;
}
