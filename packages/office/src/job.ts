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
}
