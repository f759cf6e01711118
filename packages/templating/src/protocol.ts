import type { Found } from './found.ts';

/** The messages to and from the thread that fills templates. */

export type TemplatingEngine = 'jinja2' | 'flask' | 'liquid';

/** A text with its name for errors. */
export interface NamedText {
  file: string;
  text: string;
}

/** One text of a template, named after its part. */
export interface TemplateSource {
  file:
    'template' | 'header' | 'footer' | 'filename' | `${'header' | 'footer'}.${string}` | `partials/${string}`;
  text: string;
}

/** Texts that templates can include, by name. */
export type Partials = Readonly<Record<string, string>>;

/** Returns the name of a partial for errors. */
export function partialFile(name: string): string {
  return `partials/${name}`;
}

/** The language of a rendering (I-41). */
export interface RenderLanguage {
  /** BCP 47 tag; null: English. */
  locale: string | null;
  /**
   * Translations, the most specific first: each as JSON of a `CatalogueData`, under a key that no other text
   * has.
   */
  catalogues: readonly { key: string; data: string }[];
}

/** Texts to fill with one record. */
export interface FillJob {
  engine: TemplatingEngine;
  /** Language of filters and translations; English when absent. */
  language?: RenderLanguage | undefined;
  /** Texts to fill in order with the same data. */
  sources: TemplateSource[];
  /** JSON text of one object: the record. */
  data: string;
  /**
   * Default variables (addresses of images): a key of the same name in the data takes precedence; dots in a
   * name create nested objects.
   */
  defaults: Record<string, string>;
  /** Texts that `include`, `import` and `extends` find; none when absent. */
  partials?: Partials;
  /** Whether values are escaped in html, in place of the dialect's own rule. */
  autoescape?: boolean | null;
}

/** The filled texts in the order of their sources, and the findings in all of them. */
export interface FilledTexts extends Found {
  texts: string[];
}

/** A fault in one of the texts or in the data, in a form that can be sent between threads. */
export interface FillFault {
  kind: 'syntax' | 'render' | 'budget' | 'data';
  message: string;
  /** The faulty text: name of a source or of a partial. */
  file?: string;
  /** Line and column start at 1. */
  line?: number;
  column?: number;
  /** The source line. */
  source?: string;
}

/** Thrown inside the worker to report a fault. */
export class FillError extends Error {
  override readonly name = 'FillError';
  readonly fault: FillFault;

  constructor(fault: FillFault) {
    super(fault.message);
    this.fault = fault;
  }
}
