import type { ConformOptions } from '../conformance/index.ts';
import type { Permissions } from '../protection.ts';
import type { EmbeddedInvoice } from '../factur-x/index.ts';
import type { FillOptions } from '../forms/fill.ts';

/** The options of each step. Lengths are centimetres from the top left corner of the page as displayed. */

/** The names of all steps. `sign` is not carried out here: it takes a key, and is the last thing that is done. */
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

/** Pages as a range (`1-3,5,8-`); all when it is not given. */
export interface SomePages {
  pages?: string | undefined;
}

/** A font that comes along with a step: a TrueType or OpenType file. */
export interface OwnFont {
  name: string;
  bytes: Uint8Array;
}

export interface StampStep extends Place, SomePages {
  text?: string | undefined;
  /** Path of an image file. */
  image?: string | undefined;
  /** Path of a PDF whose first page is the stamp. */
  pdf?: string | undefined;
  /** Html, with the classes that are filled by page (html-printing.ts). */
  html?: string | undefined;
  /** Degrees, counter-clockwise. */
  angle?: number | undefined;
  opacity?: number | undefined;
  font?: string | undefined;
  /** The font that `font` names, where it is none of the service. */
  ownFont?: OwnFont | undefined;
  /** Points. */
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

/** A sheet of paper, in points. */
export interface Paper {
  width: number;
  height: number;
  /** It is turned as the pages are; else it is as wide and high as it says. */
  follows: boolean;
}

export interface ScaleStep {
  paper: Paper;
  /** How a page fills its sheet: whole (`contain`), to all edges (`cover`), out of proportion (`fill`), as large as it is. */
  fit?: 'contain' | 'cover' | 'fill' | 'none' | undefined;
}

export interface ImposeStep {
  columns?: number | undefined;
  rows?: number | undefined;
  /** Undefined: in the size of the first page. */
  paper?: Paper | undefined;
  /** Centimetres around what is on a sheet, and between pages. */
  margin?: number | undefined;
  gap?: number | undefined;
  /** Which way pages follow one another. */
  order?: 'rows' | 'columns' | undefined;
  /** Two pages a sheet, in the order in which the sheets make a booklet once they are folded. */
  booklet?: boolean | undefined;
}

export interface RedactStep {
  /** What lies in them goes. `page` is 1-based. */
  areas?: readonly { page: number; x: number; y: number; w: number; h: number }[] | undefined;
  /** Go wherever they stand, in any case. */
  words?: readonly string[] | undefined;
}

export interface OutlineEntry {
  title: string;
  page: number;
  items?: readonly OutlineEntry[] | undefined;
}

export interface AttachedFile {
  /** Path of its content. */
  file: string;
  name: string;
  description?: string | undefined;
  mime?: string | undefined;
  relationship?: string | undefined;
}

/** A step that has nothing to be said about it. */
type NoOptions = Readonly<Record<string, never>>;

/** The members of the steps that are carried out here. */
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
  metadata: Readonly<Record<string, string | null>>;
  fill: Pick<FillOptions, 'data' | 'images'>;
  flatten: NoOptions;
  redact: RedactStep;
  compress: { quality?: 'lossless' | 'high' | 'medium' | 'low' | undefined };
  conform: Pick<ConformOptions, 'levels' | 'onViolation' | 'language' | 'title'>;
  factur_x: { invoice: EmbeddedInvoice };
  decrypt: { password?: string | undefined };
  encrypt: {
    password: string;
    ownerPassword?: string | undefined;
    permissions?: Permissions | undefined;
  };
  linearize: NoOptions;
}

/** One step of a chain. */
export type Step = { [N in keyof StepOptions]: { name: N; options: StepOptions[N] } }[keyof StepOptions];
