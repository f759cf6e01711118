import type { EnvironmentOptions, Limits, Template, Value } from '@platen/jinja';
import { BudgetError, Dict, Findings, tagsIn, TemplateError } from '@platen/jinja';
import { foundBy, placeInText } from './found.ts';
import { HTML_BARCODES } from './barcodes.ts';
import { readData } from './data.ts';
import { JinjaCompiler } from './jinja-compiler.ts';
import { withLibraries } from './lazy.ts';
import type { FilledTexts, FillFault, FillJob, NamedText } from './protocol.ts';
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

type Dialect = 'jinja2' | 'flask';

/** Returns the rule of escaping of a rendering: its own, else the dialect's. */
function escaping(
  dialect: Dialect,
  autoescape: boolean | null,
): NonNullable<EnvironmentOptions['autoescape']> {
  // Jinja2's own default is false; in a rendering that escapes, partials are html whatever their names.
  if (autoescape !== null) return (name) => autoescape && name !== 'filename';
  return dialect === 'flask' ? (name) => isEscaped(name ?? '') : false;
}

/** Fills templates of the dialects `jinja2` and `flask`, and caches compiled ones. */
export class JinjaFiller {
  readonly #limits: Partial<Limits>;
  readonly #compiled = new TemplateCache<Template>();
  readonly #compilers = new Map<string, JinjaCompiler>();

  constructor(limits: Partial<Limits>) {
    this.#limits = limits;
  }

  #compiler(dialect: Dialect, autoescape: boolean | null = null): JinjaCompiler {
    const kind = autoescape === null ? dialect : `${dialect} ${autoescape}`;
    const known = this.#compilers.get(kind);
    if (known !== undefined) return known;
    const settings = { dialect, limits: this.#limits, filters: HTML_BARCODES };
    const made = new JinjaCompiler(
      { ...settings, autoescape: escaping(dialect, autoescape) },
      this.#compiled,
      kind,
    );
    const { filters, globals } = made.environment;
    filters.set('markdown', HTML_MARKDOWN);
    filters.set('chart', HTML_CHART);
    globals.set('chart', HTML_CHART);
    this.#compilers.set(kind, made);
    return made;
  }

  /** @throws FillError */
  async fill(dialect: Dialect, job: FillJob): Promise<FilledTexts> {
    return await withLibraries(() => this.#filled(dialect, job));
  }

  #filled(dialect: Dialect, job: FillJob): FilledTexts {
    const compiler = this.#compiler(dialect, job.autoescape);
    compiler.use(job.partials, job.language);
    const filled: FilledTexts = { texts: [], undefinedNames: [], markup: [] };
    for (const source of job.sources) {
      const { file } = source;
      // The data is parsed for each text: a template may change it, and the next text has to see the
      // original.
      const data = readData(job.data, job.defaults);
      const template = compiled(compiler, source);
      const findings = new Findings(file !== 'filename' && mayHoldTags(job.data) ? tagsInData(data) : []);
      filled.texts.push(attempt('render', file, () => template.render(data, findings)));
      const { undefinedNames, markup } = foundBy(findings, placeInText(file));
      filled.undefinedNames.push(...undefinedNames);
      filled.markup.push(...markup);
    }
    return filled;
  }

  /** @throws FillError for a text that cannot be parsed */
  check(dialect: Dialect, sources: readonly NamedText[]): void {
    const compiler = this.#compiler(dialect);
    for (const source of sources) compiled(compiler, source);
  }

  /** Returns the partials that each text names. @throws FillError for a text that cannot be parsed */
  references(dialect: Dialect, sources: readonly NamedText[]): PlacedReference[][] {
    this.check(dialect, sources);
    return sources.map(({ file, text }) =>
      attempt('syntax', file, () => placedReferences(text, dialect, file)),
    );
  }
}

function compiled(compiler: JinjaCompiler, { file, text }: NamedText): Template {
  return attempt('syntax', file, () => compiler.compile(text, file));
}

/** Performs a cheap check of JSON. */
function mayHoldTags(json: string): boolean {
  return json.includes('<') || json.includes('\\u003');
}

/** Returns everything in the texts of data that looks like a tag. */
function* tagsInData(data: Value): Generator<string> {
  const left = [data];
  for (let value = left.pop(); value !== undefined; value = left.pop()) {
    if (typeof value === 'string') yield* tagsIn(value);
    else if (Array.isArray(value)) left.push(...value);
    else if (value instanceof Dict) for (const [key, item] of value.entries()) left.push(key, item);
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
