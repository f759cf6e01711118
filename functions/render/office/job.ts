import type { OfficeFormat } from '../../shared/formats/office.ts';
import type { TemplatingEngine } from '../fill/index.ts';
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
