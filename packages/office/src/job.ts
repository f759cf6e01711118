import type { OfficeFormat } from './format.ts';
import type { Partials, RenderLanguage, TemplatingEngine } from '@platen/templating/protocol';
import type { LoadedImage } from './pictures/registry.ts';

/** What is sent to the thread that fills office documents. */
export interface LoadedJob {
  format: OfficeFormat;
  bytes: Uint8Array;
  engine: TemplatingEngine;
  /** Text of one JSON object. */
  data: string;
  language?: RenderLanguage | undefined;
  /** By `uri`. */
  images: ReadonlyMap<string, LoadedImage>;
  /** Texts that its tags name. */
  partials?: Partials;
  /** Word documents that it can put in, by name. */
  documents?: ReadonlyMap<string, Uint8Array>;
  /** Milliseconds for the template's own work. */
  time: number;
  /** Whether the answer tells the drawings of the filled document that stand without pixels. */
  tellsDrawings?: boolean;
}

/** What the thread makes of a job. */
export interface Filled {
  bytes: Uint8Array;
  /** By their paths in the document. */
  drawings: ReadonlyMap<string, Uint8Array>;
}

/** A filled document and pixels for its drawings, by the paths of these. */
export interface PixelsJob {
  bytes: Uint8Array;
  pixels: ReadonlyMap<string, Uint8Array>;
}
