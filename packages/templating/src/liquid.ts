import type { Template } from 'liquidjs';
import { Liquid, LiquidError } from 'liquidjs';
import { BudgetError, DEFAULT_LIMITS, toJs, withRun } from '@platen/jinja';
import { LIQUID_BARCODES } from './barcodes.ts';
import { registerDates } from './liquid-dates.ts';
import { readData } from './data.ts';
import { Language, registerFilters } from './languages/index.ts';
import { missingLibrary, withLibraries } from './lazy.ts';
import { LiquidPartials, missingPartial } from './liquid-partials.ts';
import { renderLiquid, undefinedNames } from './liquid-undefined.ts';
import type { FilledTexts, FillFault, FillJob, NamedText } from './protocol.ts';
import { FillError, partialFile } from './protocol.ts';
import { type PlacedReference, placedReferences } from './references/index.ts';
import { HTML_CHART, HTML_MARKDOWN } from './rich/index.ts';
import { TemplateCache } from './cache.ts';

/** Limits of liquidjs. */
export interface LiquidLimits {
  /** Maximum characters of a template. */
  parse: number;
  /** Milliseconds. */
  time: number;
  /** Maximum objects and characters created during a rendering. */
  memory: number;
  /** Maximum characters of the rendered text. */
  output: number;
  /** Maximum operations of the filters that Jinja has too; default as there. */
  steps?: number;
}

/** An interpreter with its partials, which it parses itself; its output is escaped or not. */
interface Interpreter {
  liquid: Liquid;
  partials: LiquidPartials;
  kind: 'plain' | 'escaping';
}

/** Filters whose result is markup, which is not escaped again. */
const MARKUP_FILTERS = ['markdown', 'chart', 'escape', 'escape_once'];

/** Fills Liquid templates, and caches parsed ones. */
export class LiquidFiller {
  readonly #interpreters = new Map<Interpreter['kind'], Interpreter>();
  readonly #limits: LiquidLimits;
  readonly #parsed = new TemplateCache<Template[]>();
  readonly #language = new Language();

  constructor(limits: LiquidLimits) {
    this.#limits = limits;
  }

  #interpreter(kind: Interpreter['kind']): Interpreter {
    const known = this.#interpreters.get(kind);
    if (known !== undefined) return known;
    const { parse, time, memory } = this.#limits;
    const partials = new LiquidPartials();
    const made = new Liquid({
      ownPropertyOnly: true,
      // Partials of the job replace the file system.
      fs: partials.fs,
      cache: partials.cache,
      relativeReference: false,
      timezoneOffset: 0,
      // As in Ruby's Liquid, a time keeps its own offset.
      preserveTimezones: true,
      parseLimit: parse,
      renderLimit: time,
      memoryLimit: memory,
      ...(kind === 'escaping' ? { outputEscape: 'escape' } : {}),
    });
    registerDates(made);
    for (const [name, filter] of Object.entries(LIQUID_BARCODES)) made.registerFilter(name, filter);
    registerFilters(made, this.#language.filters);
    registerFilters(made, new Map(Object.entries({ markdown: HTML_MARKDOWN, chart: HTML_CHART })));
    for (const name of [...MARKUP_FILTERS, ...Object.keys(LIQUID_BARCODES)]) {
      const handler = made.filters[name];
      if (typeof handler === 'function') made.registerFilter(name, { handler, raw: true });
    }
    const interpreter = { liquid: made, partials, kind };
    this.#interpreters.set(kind, interpreter);
    return interpreter;
  }

  /** @throws FillError */
  async fill(job: FillJob): Promise<FilledTexts> {
    return await withLibraries(() => this.#filled(job));
  }

  #filled(job: FillJob): FilledTexts {
    this.#language.use(job.language);
    const filled: FilledTexts = { texts: [], undefinedNames: [], markup: [] };
    for (const source of job.sources) {
      const isEscaped = job.autoescape === true && source.file !== 'filename';
      const { text, uses } = this.#rendered(source, job, this.#interpreter(isEscaped ? 'escaping' : 'plain'));
      filled.texts.push(text);
      const { file } = source;
      filled.undefinedNames.push(
        ...undefinedNames(uses, ({ line, source: shown }) => ({ file, line, source: shown })),
      );
    }
    return filled;
  }

  #rendered(source: NamedText, job: FillJob, interpreter: Interpreter): ReturnType<typeof renderLiquid> {
    const data = toJs(readData(job.data, job.defaults)) as object;
    const { liquid, partials } = interpreter;
    partials.use(job.partials);
    const parsed = this.#parse(source, interpreter);
    // The filters that Liquid shares with Jinja count their work, so each text has the same budget for it.
    const { time, steps = DEFAULT_LIMITS.steps } = this.#limits;
    const limits = { ...DEFAULT_LIMITS, time, steps };
    const rendered = withRun(limits, 'default', () =>
      attempt('render', source, () => renderLiquid(liquid, parsed, data, source.file)),
    );
    if (rendered.text.length <= this.#limits.output) return rendered;
    throw new FillError({
      kind: 'budget',
      file: source.file,
      message: `The rendered text is longer than ${this.#limits.output} characters. (limit: output)`,
    });
  }

  /** @throws FillError for a text that cannot be parsed */
  check(sources: readonly NamedText[]): void {
    const interpreter = this.#interpreter('plain');
    for (const source of sources) this.#parse(source, interpreter);
  }

  /** Returns the partials that each text names. @throws FillError for a text that cannot be parsed */
  references(sources: readonly NamedText[]): PlacedReference[][] {
    return sources.map((source) =>
      attempt('syntax', source, () => placedReferences(source.text, 'liquid', source.file)),
    );
  }

  #parse(source: NamedText, { liquid, kind }: Interpreter): Template[] {
    return this.#parsed.get(`${kind} ${source.file}`, source.text, () =>
      attempt('syntax', source, () => liquid.parse(source.text, source.file)),
    );
  }
}

function attempt<T>(kind: 'syntax' | 'render', source: NamedText, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw missingLibrary(error) ?? faultOf(kind, source, error);
  }
}

/** The limits of liquidjs, by the beginning of the message when a limit is exceeded. */
const EXCEEDED: readonly [words: string, limit: string][] = [
  ['parse length limit exceeded', 'parse'],
  ['template render limit exceeded', 'time'],
  ['memory alloc limit exceeded', 'memory'],
  // liquidjs does not count the content of a capture, but the host limits the length of a string.
  ['Invalid string length', 'memory'],
];

function faultOf(kind: 'syntax' | 'render', { file, text }: NamedText, error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const cause = LiquidError.is(error) && error.originalError !== undefined ? error.originalError : error;
  if (cause instanceof RangeError && /call stack/u.test(cause.message)) {
    return new FillError({ kind: 'budget', file, message: 'The template nests too deeply. (limit: depth)' });
  }
  const counted = cause instanceof BudgetError;
  const limit = counted ? cause.limit : EXCEEDED.find(([words]) => cause.message.startsWith(words))?.[1];
  if (limit === undefined && !LiquidError.is(error)) return error;
  const fault: FillFault = {
    kind: limit === undefined ? kind : 'budget',
    file,
    // The message ends with the position, which is reported separately.
    message:
      (missingPartial(cause.message) ??
        cause.message.split(/, (?:file:[^,\n]*, )?line:\d+, col:\d+/u, 1)[0] ??
        '') + (limit === undefined || counted ? '' : ` (limit: ${limit})`),
  };
  if (!LiquidError.is(error)) return new FillError(fault);
  const [line, column] = error.token.getPosition();
  if (line === undefined || column === undefined) return new FillError(fault);
  const { input, file: within } = error.token;
  const source = (within === file ? text : input).split(/\r\n|[\r\n]/u, line)[line - 1] ?? '';
  if (within !== undefined && within !== file) fault.file = partialFile(within);
  return new FillError({ ...fault, line, column, source });
}
