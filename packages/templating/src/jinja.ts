import type { Limits, Template } from '@platen/jinja';
import { ALL_EXTENSIONS, BudgetError, Environment, TemplateError } from '@platen/jinja';
import { HTML_BARCODES } from './barcodes.ts';
import { readData } from './data.ts';
import type { FillFault, FillJob, TemplateSource } from './protocol.ts';
import { FillError } from './protocol.ts';
import { TemplateCache } from './cache.ts';

/** Nothing beside the request can be included: templates of other names are not found (I-18). */
const NO_OTHER_TEMPLATES = { load: () => undefined };

/** Fills templates of the dialects `jinja2` and `flask`; compiled ones are kept. */
export class JinjaFiller {
  readonly #environments: Record<'jinja2' | 'flask', Environment>;
  readonly #compiled = new TemplateCache<Template>();

  constructor(limits: Partial<Limits>) {
    const environment = (dialect: 'jinja2' | 'flask'): Environment =>
      new Environment({
        dialect,
        limits,
        extensions: ALL_EXTENSIONS,
        loader: NO_OTHER_TEMPLATES,
        filters: HTML_BARCODES,
        // A file's name is no html, whatever the document is.
        ...(dialect === 'flask' ? { autoescape: (file: string | null) => file !== 'filename' } : {}),
      });
    this.#environments = { jinja2: environment('jinja2'), flask: environment('flask') };
  }

  /** @throws FillError */
  fill(dialect: 'jinja2' | 'flask', job: FillJob): string[] {
    return job.sources.map((source) => {
      // Read for each text: a template may change the data, and the next one is to see it as it was sent.
      const data = readData(job.data, job.defaults);
      const template = this.#compile(dialect, source);
      return attempt('render', source.file, () => template.render(data));
    });
  }

  /** @throws FillError for a text that cannot be parsed */
  check(dialect: 'jinja2' | 'flask', sources: readonly TemplateSource[]): void {
    for (const source of sources) this.#compile(dialect, source);
  }

  #compile(dialect: 'jinja2' | 'flask', { file, text }: TemplateSource): Template {
    return this.#compiled.get(`${dialect} ${file}`, text, () =>
      attempt('syntax', file, () => this.#environments[dialect].compile(text, file)),
    );
  }
}

function attempt<T>(kind: 'syntax' | 'render', file: TemplateSource['file'], work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    throw new FillError(faultOf(kind, file, error));
  }
}

function faultOf(kind: 'syntax' | 'render', file: TemplateSource['file'], error: TemplateError): FillFault {
  const { location, message } = error;
  const fault: FillFault = { kind: error instanceof BudgetError ? 'budget' : kind, message, file };
  if (location === undefined) return fault;
  return { ...fault, line: location.line, column: location.column, source: location.source };
}
