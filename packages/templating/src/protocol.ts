/** What is sent to the thread that fills templates, and what it answers. */

export type TemplatingEngine = 'jinja2' | 'flask' | 'liquid';

/** A text and what errors call it. */
export interface NamedText {
  file: string;
  text: string;
}

/** One text of a template, named after the part it comes from. */
export interface TemplateSource {
  file:
    'template' | 'header' | 'footer' | 'filename' | `${'header' | 'footer'}.${string}` | `partials/${string}`;
  text: string;
}

/** Texts that templates name, by their names. */
export type Partials = Readonly<Record<string, string>>;

/** What errors call a partial. */
export function partialFile(name: string): string {
  return `partials/${name}`;
}

/** The language of a rendering (I-41). */
export interface RenderLanguage {
  /** Tag of BCP 47; null: English. */
  locale: string | null;
  /** Translations, the nearest first: each as JSON of a `CatalogueData`, under a key that no other text has. */
  catalogues: readonly { key: string; data: string }[];
}

/** Texts to fill with one record. */
export interface FillJob {
  engine: TemplatingEngine;
  /** Of what filters and translations write; English where it is left out. */
  language?: RenderLanguage | undefined;
  /** Filled in order with the same data. */
  sources: TemplateSource[];
  /** Text of one JSON object: the record. */
  data: string;
  /**
   * Variables under the data (addresses of images): a key of the same name in the data wins; dots in a name make
   * nested objects.
   */
  defaults: Record<string, string>;
  /** What `include`, `import` and `extends` find; nothing where there is none. */
  partials?: Partials;
}

/** A fault in one of the texts or in the data, in a form that can be sent between threads. */
export interface FillFault {
  kind: 'syntax' | 'render' | 'budget' | 'data';
  message: string;
  /** The text at fault: a source's name, or a partial's. */
  file?: string;
  /** Line and column start at 1. */
  line?: number;
  column?: number;
  /** The source line. */
  source?: string;
}

/** Thrown inside the worker to answer with a fault. */
export class FillError extends Error {
  override readonly name = 'FillError';
  readonly fault: FillFault;

  constructor(fault: FillFault) {
    super(fault.message);
    this.fault = fault;
  }
}
