import type { Limits, Template } from '@platen/jinja';
import { BudgetError, TemplateError } from '@platen/jinja';
import { HTML_BARCODES } from './barcodes.ts';
import { readData } from './data.ts';
import { JinjaCompiler } from './jinja-compiler.ts';
import { withLibraries } from './lazy.ts';
import type { FillFault, FillJob, NamedText } from './protocol.ts';
import { FillError, partialFile } from './protocol.ts';
import { type PlacedReference, placedReferences } from './references/index.ts';
import { HTML_CHART, HTML_MARKDOWN } from './rich/index.ts';
import { TemplateCache } from './cache.ts';

/** Names of texts that Flask escapes; it also escapes texts without a file name. */
const ESCAPED = /\.(?:html?|xml|xhtml|svg)$/;
/** The name of a file is not HTML, whatever the format of the document. */
const SOURCES: ReadonlyMap<string | null, boolean> = new Map([
  ['template', true],
  ['header', true],
  ['footer', true],
  ['filename', false],
]);
/** Headers and footers that differ by page (I-50): `header.first`, `footer.2-3`. */
const BY_PAGE = /^(?:header|footer)\./;

function isEscaped(name: string): boolean {
  return SOURCES.get(name) ?? (BY_PAGE.test(name) || ESCAPED.test(name));
}

/** Fills templates of the dialects `jinja2` and `flask`, and caches compiled ones. */
export class JinjaFiller {
  readonly #compilers: Record<'jinja2' | 'flask', JinjaCompiler>;

  constructor(limits: Partial<Limits>) {
    const compiled = new TemplateCache<Template>();
    const compiler = (dialect: 'jinja2' | 'flask'): JinjaCompiler => {
      const escapes =
        dialect === 'flask' ? { autoescape: (name: string | null) => isEscaped(name ?? '') } : {};
      const made = new JinjaCompiler(
        { dialect, limits, filters: HTML_BARCODES, ...escapes },
        compiled,
        dialect,
      );
      const { filters, globals } = made.environment;
      filters.set('markdown', HTML_MARKDOWN);
      filters.set('chart', HTML_CHART);
      globals.set('chart', HTML_CHART);
      return made;
    };
    this.#compilers = { jinja2: compiler('jinja2'), flask: compiler('flask') };
  }

  /** @throws FillError */
  async fill(dialect: 'jinja2' | 'flask', job: FillJob): Promise<string[]> {
    return await withLibraries(() => this.#filled(dialect, job));
  }

  #filled(dialect: 'jinja2' | 'flask', job: FillJob): string[] {
    this.#compilers[dialect].use(job.partials, job.language);
    return job.sources.map((source) => {
      // The data is parsed for each text: a template may change it, and the next text has to see the
      // original.
      const data = readData(job.data, job.defaults);
      const template = this.#compile(dialect, source);
      return attempt('render', source.file, () => template.render(data));
    });
  }

  /** @throws FillError for a text that cannot be parsed */
  check(dialect: 'jinja2' | 'flask', sources: readonly NamedText[]): void {
    for (const source of sources) this.#compile(dialect, source);
  }

  /** Returns the partials that each text names. @throws FillError for a text that cannot be parsed */
  references(dialect: 'jinja2' | 'flask', sources: readonly NamedText[]): PlacedReference[][] {
    this.check(dialect, sources);
    return sources.map(({ file, text }) =>
      attempt('syntax', file, () => placedReferences(text, dialect, file)),
    );
  }

  #compile(dialect: 'jinja2' | 'flask', { file, text }: NamedText): Template {
    return attempt('syntax', file, () => this.#compilers[dialect].compile(text, file));
  }
}

function attempt<T>(kind: 'syntax' | 'render', file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    throw new FillError(faultOf(kind, file, error));
  }
}

function faultOf(kind: 'syntax' | 'render', file: string, error: TemplateError): FillFault {
  const { location, message } = error;
  const fault: FillFault = { kind: error instanceof BudgetError ? 'budget' : kind, message, file };
  if (error.kind === 'TemplateNotFound') fault.message = `there is no partial ${quoted(message)}`;
  if (location === undefined) return fault;
  if (location.file !== file) fault.file = partialFile(location.file);
  return { ...fault, line: location.line, column: location.column, source: location.source };
}

function quoted(name: string): string {
  return JSON.stringify(name.slice(0, 200));
}
