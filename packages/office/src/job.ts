import type { OfficeFormat } from './format.ts';
import type { TemplatingEngine } from '@platen/templating';
import type { LoadedImage } from './pictures/registry.ts';

/** What is sent to the thread that fills office documents. */
export interface LoadedJob {
  format: OfficeFormat;
  bytes: Uint8Array;
  engine: TemplatingEngine;
  /** Text of one JSON object. */
  data: string;
  /** By `uri`. */
  images: ReadonlyMap<string, LoadedImage>;
  /** Milliseconds for the template's own work. */
  time: number;
}
