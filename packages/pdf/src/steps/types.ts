import type { CompressOptions } from '../compress/index.ts';
import type { ConformOptions } from '../conformance/index.ts';
import type { MetadataValues } from '../metadata-values.ts';
import type { EncryptOptions } from '../files/encryption.ts';
import type { EmbeddedInvoice } from '../factur-x/index.ts';
import type { InvoiceConformance } from '../operations/factur-x-task.ts';
import type { FillOptions } from '../forms/fill.ts';

/** The options of each step. Lengths are centimetres from the top left corner of the page as displayed. */

/** The names of all steps. `sign` is not executed here: it requires a key, and is the last operation. */
export const STEP_NAMES = [
  'merge',
  'pages',
  'rotate',
  'scale',
  'impose',
  'stamp',
  'watermark',
  'page_numbers',
  'letterhead',
  'attach',
  'outline',
  'metadata',
  'fill',
  'flatten',
  'redact',
  'compress',
  'conform',
  'factur_x',
  'sign',
  'decrypt',
  'encrypt',
  'linearize',
] as const;
export type StepName = (typeof STEP_NAMES)[number];

/** The nine places of a stamp. */
export const POSITIONS = [
  'top-left',
  'top-center',
  'top-right',
  'center-left',
  'center',
  'center-right',
  'bottom-left',
  'bottom-center',
  'bottom-right',
] as const;
export type Position = (typeof POSITIONS)[number];

/** A place on a page: one of nine positions, or the top left corner of a box. */
export interface Place {
  position?: Position | undefined;
  x?: number | undefined;
  y?: number | undefined;
}

/** Pages as a range (`1-3,5,8-`); all if absent. */
export interface SomePages {
  pages?: string | undefined;
}

/** A font that is sent with a step: a TrueType or OpenType file. */
export interface OwnFont {
  name: string;
  bytes: Uint8Array;
}

export interface StampStep extends Place, SomePages {
  text?: string | undefined;
  /** Path of an image file. */
  image?: string | undefined;
  /** Pixels per inch that the image states, in the order of its stored rows and columns. */
  resolution?: { x: number; y: number } | undefined;
  /** Path of a PDF whose first page is the stamp. */
  pdf?: string | undefined;
  /** Whether each page of the PDF is the stamp of one page, and the last one that of all further pages. */
  pdfPages?: 'first' | 'each' | undefined;
  /** Html, with the classes that are filled for each page (html-printing.ts). */
  html?: string | undefined;
  /** Degrees, counter-clockwise. */
  angle?: number | undefined;
  opacity?: number | undefined;
  font?: string | undefined;
  /** The file for the font that `font` names, if it is not a font of the service. */
  ownFont?: OwnFont | undefined;
  /** In points. */
  size?: number | undefined;
  /** `#rrggbb` */
  color?: string | undefined;
  scale?: number | undefined;
}

export interface PageNumbersStep extends SomePages {
  format?: string | undefined;
  position?: Position | undefined;
  first?: number | undefined;
}

export interface LetterheadStep {
  /** Path of a PDF whose first page lies under every page. */
  pdf: string;
  /** Path of a PDF whose first page lies under the first page instead. */
  first?: string | undefined;
}

/** Size of a sheet of paper, in points. */
export interface Paper {
  width: number;
  height: number;
  /** Whether it is rotated to the orientation of the pages; otherwise it keeps its width and height. */
  follows: boolean;
}

export interface ScaleStep {
  paper: Paper;
  /**
   * How a page fills its sheet: completely visible (`contain`), covering it (`cover`), distorted (`fill`), or in
   * its original size.
   */
  fit?: 'contain' | 'cover' | 'fill' | 'none' | undefined;
}

export interface ImposeStep {
  columns?: number | undefined;
  rows?: number | undefined;
  /** Undefined for the size of the first page. */
  paper?: Paper | undefined;
  /** Centimetres around the content of a sheet, and between pages. */
  margin?: number | undefined;
  gap?: number | undefined;
  /** Fill order of pages. */
  order?: 'rows' | 'columns' | undefined;
  /** Two pages per sheet, in the order that makes a booklet of the folded sheets. */
  booklet?: boolean | undefined;
}

export interface RedactStep {
  /** All content in them is removed. `page` is 1-based. */
  areas?: readonly { page: number; x: number; y: number; w: number; h: number }[] | undefined;
  /** Removed wherever they occur, regardless of case. */
  words?: readonly string[] | undefined;
}

export interface OutlineEntry {
  title: string;
  page: number;
  items?: readonly OutlineEntry[] | undefined;
}

export interface AttachedFile {
  /** Path of the content. */
  file: string;
  name: string;
  description?: string | undefined;
  mime?: string | undefined;
  relationship?: string | undefined;
}

/** A step without options. */
type NoOptions = Readonly<Record<string, never>>;

/** A step of which only its author can meet the demands. */
interface Asked {
  /** The field that asked for it in errors; by default the member `conformance` of the step. */
  field?: string | undefined;
}

/** The options of the steps that are executed here. */
export interface StepOptions {
  merge: NoOptions;
  pages: { pages: string };
  rotate: SomePages & { angle: 90 | 180 | 270 };
  scale: ScaleStep;
  impose: ImposeStep;
  stamp: StampStep;
  watermark: StampStep;
  page_numbers: PageNumbersStep;
  letterhead: LetterheadStep;
  attach: { files: readonly AttachedFile[] };
  outline: { items: readonly OutlineEntry[] };
  metadata: MetadataValues;
  fill: Pick<FillOptions, 'data' | 'images'>;
  flatten: NoOptions;
  redact: RedactStep;
  compress: CompressOptions;
  conform: Omit<ConformOptions, 'signal' | 'fonts' | 'breakSignatures' | 'schemas'> & Asked;
  factur_x: InvoiceConformance & { invoice: EmbeddedInvoice } & Asked;
  decrypt: { password?: string | undefined };
  encrypt: EncryptOptions;
  linearize: NoOptions;
}

/** One step of a chain. */
export type Step = { [N in keyof StepOptions]: { name: N; options: StepOptions[N] } }[keyof StepOptions];
