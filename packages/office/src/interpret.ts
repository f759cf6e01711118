import {
  DEFAULT_LIMITS,
  type Dict,
  type Environment,
  Findings,
  Float,
  fromJs,
  Markup,
  native,
  ScopeFunction,
  str,
  type Template,
  TemplateError,
  toJs,
  Undefined,
  type Value,
  withRun,
} from '@platen/jinja';
import { OFFICE_BARCODES } from '@platen/templating/barcodes';
import { TemplateCache } from '@platen/templating/cache';
import { foundBy, type FoundPlace, placeInText, type UndefinedName } from '@platen/templating/found';
import { JinjaCompiler } from '@platen/templating/jinja-compiler';
import { Language, registerFilters } from '@platen/templating/languages';
import { withLibraries } from '@platen/templating/lazy';
import { LiquidPartials } from '@platen/templating/liquid-partials';
import { type LiquidUse, renderLiquid, undefinedNames } from '@platen/templating/liquid-undefined';
import {
  type FillFault,
  partialFile,
  type Partials,
  type RenderLanguage,
  type TemplatingEngine,
} from '@platen/templating/protocol';
import { htmlOfMarkdown, OFFICE_CHART, richText } from '@platen/templating/rich';
import { type Scope, subdocumentReference, SubdocumentScopes } from './subdocument-scopes.ts';
import { ANY_MARK, BREAK_MARKS, MARK, TypedValue, withBreaks, withoutMarks } from './marks.ts';

/** Runs a program of tags and marks. The template languages themselves are created elsewhere. */

const HTML_ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&#34;': '"',
  '&quot;': '"',
  '&#39;': "'",
};

/** Reverses HTML escapes (`|e`), which a document would show literally. */
function unescapeHtml(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#34|#39);/g, (entity) => HTML_ENTITIES[entity] ?? entity);
}

/** Returns a value's text with its breaks as marks. */
function marked(text: string): string {
  return withBreaks(text)
    .map((piece) => (typeof piece === 'string' ? piece : BREAK_MARKS[piece.type]))
    .join('');
}

/** A picture in the data, or one that `chart` or a barcode made. */
const PICTURE = /^\s*data:image\/[a-z+.-]{2,40}[;,]/i;

/** Returns the mark of a value that is a picture where no `<image src>` is around it, or its text. */
function shown(text: string): string {
  if (!PICTURE.test(text)) return marked(text);
  const parts = [withoutMarks(text), '', '', ''].join(MARK.pictureNext + MARK.close);
  return `${MARK.picture}${MARK.close}${parts}${MARK.pictureEnd}${MARK.close}`;
}

type TypedArguments = Parameters<typeof TypedValue.payload>;

function typedMark(...value: TypedArguments): string {
  return MARK.typed + TypedValue.payload(...value) + MARK.close;
}

/** Returns a value for a spreadsheet cell: a mark for a number, a boolean or none, otherwise the value. */
function cellValue(value: Value): Value {
  const number = value instanceof Float ? value.value : value;
  if (typeof number === 'number')
    return Number.isFinite(number) ? typedMark('n', String(number), str(value)) : value;
  if (typeof value === 'boolean') return typedMark('b', value ? '1' : '0', str(value));
  if (value === null) return typedMark('e', '', str(value));
  if (value instanceof Undefined) return value.str();
  return value;
}

/** Returns the mark of `subdocument("terms.docx")`, which the document replaces. @param scope its number */
function subdocument(name: Value, scope: number): string {
  const text = isPlainText(name) ? String(name) : '';
  if (text === '') throw new TemplateError('TypeError', 'subdocument() takes the name of a partial');
  return MARK.subdocument + subdocumentReference(scope, withoutMarks(text)) + MARK.close;
}

function isPlainText(value: Value): boolean {
  return typeof value === 'string' || value instanceof Markup;
}

function richJson(value: unknown): string {
  const seen = (_: string, item: unknown): unknown =>
    item instanceof Markup ? unescapeHtml(item.text) : typeof item === 'bigint' ? String(item) : item;
  // What a macro holds has marks, whose ends would end the payload.
  return JSON.stringify(value ?? null, seen).replace(
    ANY_MARK,
    (mark) => `\\u${mark.charCodeAt(0).toString(16)}`,
  );
}

/**
 * Filters that turn HTML into document content: `{{ x | html }}`. Readers of the result only use text and
 * formatting.
 */
const RICH_FILTERS = {
  html: native('html(text)', (text = null) => fromJs({ html: richText(text) })),
  markdown: native('markdown(context, text)', (text = null) => fromJs({ html: htmlOfMarkdown(text) })),
};

/** Adds the internal filters. Only these see raw values; they return text and marks. */
function addFilters(environment: Environment): void {
  const textOf = (value: Value): string =>
    value instanceof Markup ? unescapeHtml(value.text) : String(value);
  environment.filters.set('platen_text', { call: ([value = '']) => shown(textOf(value)) });
  environment.filters.set('platen_plain', { call: ([value = '']) => marked(textOf(value)) });
  environment.filters.set('html', RICH_FILTERS.html);
  environment.filters.set('markdown', RICH_FILTERS.markdown);
  environment.globals.set('chart', OFFICE_CHART);
  environment.filters.set('chart', OFFICE_CHART);
  environment.filters.set('platen_cell', { call: ([value = null]) => cellValue(value) });
  environment.filters.set('platen_rich', {
    call: ([value = null]) =>
      subdocumentJson(value) ?? richJson(value instanceof Undefined ? value.str() : toJs(value)),
  });
}

/**
 * Returns the JSON of a document that replaces a whole paragraph, `{{p subdocument("terms.docx") }}`; null
 * for anything else.
 */
function subdocumentJson(value: Value): string | null {
  if (typeof value !== 'string' || !value.startsWith(MARK.subdocument) || !value.endsWith(MARK.close))
    return null;
  return JSON.stringify({ subdocument: value.slice(1, -1) });
}

export interface InterpretLimits {
  /** Milliseconds. */
  time: number;
}

/** Returns the place of an offset in the source. */
export type PlaceAt = (offset: number) => FoundPlace;

/** A program that is ready to run. */
export interface Compiled {
  run(data: Dict, placeAt: PlaceAt): Promise<Ran>;
}

export interface Ran {
  output: string;
  undefinedNames: UndefinedName[];
  /** The variables that inserted documents see, by the number in their references. */
  subdocumentScopes: readonly Scope[];
}

/**
 * @param documents whether whole documents can be inserted
 * @throws TemplateError of `#jinja`, or LiquidError
 */
export async function compile(
  source: string,
  engine: TemplatingEngine,
  limits: InterpretLimits,
  partials: Partials,
  documents: boolean,
  inLanguage?: RenderLanguage,
): Promise<Compiled> {
  if (engine === 'liquid') {
    const language = new Language();
    language.use(inLanguage);
    return await compileLiquid(source, limits, partials, language);
  }
  const { compiler, inserting } = jinjaCompiler(engine, limits, documents);
  compiler.use(partials, inLanguage);
  const template = compiler.compile(source, null);
  return {
    run: async (data, placeAt) =>
      await withLibraries(() => {
        const findings = new Findings();
        const scopes = new SubdocumentScopes(data, compiler.environment.globals);
        inserting.scopes = scopes;
        const output = template.render(data, findings);
        const inPartial = placeInText(DOCUMENT);
        const { undefinedNames: names } = foundBy(findings, (location) => {
          const { file, line, column } = location;
          return file === DOCUMENT ? placeAt(offsetOf(source, line, column)) : inPartial(location);
        });
        return { output, undefinedNames: names, subdocumentScopes: scopes.found };
      }),
  };
}

/** The compilers of this thread, which has one document at a time, by their settings. */
const compilers = new Map<string, DocumentCompiler>();

interface DocumentCompiler {
  compiler: JinjaCompiler;
  /** Where `subdocument()` puts the variables that it sees, for the program that runs. */
  inserting: { scopes: SubdocumentScopes | null };
}

const compiledPrograms = new TemplateCache<Template>();

function jinjaCompiler(
  dialect: 'jinja2' | 'flask',
  { time }: InterpretLimits,
  documents: boolean,
): DocumentCompiler {
  const kind = `${dialect} ${time} ${documents}`;
  const existing = compilers.get(kind);
  if (existing !== undefined) return existing;
  // Autoescaping is for HTML; here every value becomes text, in either dialect (I-18).
  const settings = { dialect, autoescape: false, limits: { time }, filters: OFFICE_BARCODES };
  const made = new JinjaCompiler(settings, compiledPrograms, kind);
  addFilters(made.environment);
  const inserting: DocumentCompiler['inserting'] = { scopes: null };
  if (documents) {
    const insert = new ScopeFunction('subdocument(context, name)', (variables, name) =>
      subdocument(name ?? null, inserting.scopes?.add(variables) ?? 0),
    );
    made.environment.globals.set('subdocument', insert);
  }
  const known = { compiler: made, inserting };
  compilers.set(kind, known);
  return known;
}

async function compileLiquid(
  source: string,
  { time }: InterpretLimits,
  partials: Partials,
  language: Language,
): Promise<Compiled> {
  const { Liquid } = await import('liquidjs');
  const files = new LiquidPartials();
  files.use(partials);
  const liquid = new Liquid({
    ownPropertyOnly: true,
    fs: files.fs,
    cache: files.cache,
    relativeReference: false,
    timezoneOffset: 0,
    parseLimit: 10_000_000,
    renderLimit: time,
    memoryLimit: 10_000_000,
  });
  registerFilters(liquid, language.filters);
  registerFilters(liquid, new Map(Object.entries({ ...RICH_FILTERS, chart: OFFICE_CHART })));
  const textBy = (mark: (text: string) => string): ((value: unknown) => string) => {
    const text = (value: unknown): string => {
      if (Array.isArray(value)) return value.map(text).join('');
      if (value === null || value === undefined) return '';
      return mark(typeof value === 'object' ? JSON.stringify(value) : String(value));
    };
    return text;
  };
  const text = textBy(shown);
  liquid.registerFilter('platen_text', text);
  liquid.registerFilter('platen_plain', textBy(marked));
  liquid.registerFilter('platen_cell', (value: unknown) => {
    if (typeof value === 'number' && Number.isFinite(value))
      return typedMark('n', String(value), String(value));
    return typeof value === 'boolean' ? typedMark('b', value ? '1' : '0', String(value)) : text(value);
  });
  liquid.registerFilter('platen_rich', richJson);
  // Jinja2 removes a template's last line break; Liquid does not.
  liquid.registerFilter('platen_partial', (value: string) => marked(value.replace(/\r?\n$/, '')));
  const template = liquid.parse(source);
  return {
    run: async (data, placeAt) => {
      const values = toJs(data) as object;
      // The filters that Liquid shares with Jinja count their work.
      const limits = { ...DEFAULT_LIMITS, time };
      return await withLibraries(() =>
        withRun(limits, 'default', () => {
          const { text: output, uses } = renderLiquid(liquid, template, values);
          const placed = ({ line, column }: LiquidUse): FoundPlace => placeAt(offsetOf(source, line, column));
          return { output, undefinedNames: undefinedNames(uses, placed), subdocumentScopes: [] };
        }),
      );
    },
  };
}

/** Returns the place of an error in a partial, in either language; null when it is in the document itself. */
export function errorInPartial(error: unknown): Omit<FillFault, 'kind' | 'message'> | null {
  if (error instanceof TemplateError) {
    const { location } = error;
    if (location === undefined || location.file === DOCUMENT) return null;
    const { file, line, column, source } = location;
    return { file: partialFile(file), line, column, source };
  }
  const { token } = error as { token?: { file?: string; input?: string; getPosition?: () => number[] } };
  if (token?.file === undefined) return null;
  const [line = 1, column = 1] = token.getPosition?.() ?? [];
  const source = (token.input ?? '').split(/\r\n|[\r\n]/, line)[line - 1] ?? '';
  return { file: partialFile(token.file), line, column, source };
}

/** The interpreter's name for an unnamed template. */
const DOCUMENT = '<template>';

/** Returns the source offset of an error in either language; undefined when the error does not contain it. */
export function errorOffset(error: unknown, source: string): number | undefined {
  if (error instanceof TemplateError) {
    if (error.location !== undefined) return offsetOf(source, error.location.line, error.location.column);
    return error.offset;
  }
  const token = (error as { token?: { getPosition?: () => number[] } }).token;
  const [line, column] = token?.getPosition?.() ?? [];
  return line === undefined || column === undefined ? undefined : offsetOf(source, line, column);
}

function offsetOf(source: string, line: number, column: number): number {
  let start = 0;
  for (let i = 1; i < line; i += 1) start = source.indexOf('\n', start) + 1;
  return start + column - 1;
}
