import type { OfficeFormat } from './format.ts';
import type { UndefinedName } from '@platen/templating/found';
import type { Partials, RenderLanguage, TemplatingEngine } from '@platen/templating/protocol';
import type { LoadedImage } from './pictures/registry.ts';

/** The messages to the thread that fills office documents. */
export interface LoadedJob {
  format: OfficeFormat;
  bytes: Uint8Array;
  engine: TemplatingEngine;
  /** JSON text of one object. */
  data: string;
  language?: RenderLanguage | undefined;
  /** Images by `uri`. */
  images: ReadonlyMap<string, LoadedImage>;
  /** Pictures to show in place of those of the data, by their keys (`FilledDocument.pictures`). */
  shown?: ReadonlyMap<string, Uint8Array>;
  /** Texts that its tags may include. */
  partials?: Partials;
  /** Word documents that it can insert, by name. */
  documents?: ReadonlyMap<string, Uint8Array>;
  /** Milliseconds for running the template. */
  time: number;
  /** Whether the result lists the drawings of the filled document that have no pixels. */
  tellsDrawings?: boolean;
  /** Whether another function reads the result, and no caller gets it. */
  isPassedOn?: boolean;
}

/** The thread's result of a job. */
export interface FilledDocument {
  bytes: Uint8Array;
  /** Drawings by path in the document. */
  drawings: ReadonlyMap<string, Uint8Array>;
  /** Pictures of the data that not every office program shows as they are: turned by EXIF, or of other formats. */
  pictures: ReadonlyMap<string, Uint8Array>;
  /** Sentences about what the author should check. */
  warnings: readonly string[];
  undefinedNames: UndefinedName[];
}

/** A filled document and the pixels of its drawings, by their paths. */
export interface PixelsJob {
  bytes: Uint8Array;
  pixels: ReadonlyMap<string, Uint8Array>;
}
