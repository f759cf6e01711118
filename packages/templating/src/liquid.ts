import type { Template } from 'liquidjs';
import { Liquid, LiquidError } from 'liquidjs';
import { BudgetError, DEFAULT_LIMITS, toJs, withRun } from '@platen/jinja';
import { LIQUID_BARCODES } from './barcodes.ts';
import { readData } from './data.ts';
import { Language, registerFilters } from './languages/index.ts';
import { missingLibrary, withLibraries } from './lazy.ts';
import { LiquidPartials, missingPartial } from './liquid-partials.ts';
import type { FillFault, FillJob, NamedText } from './protocol.ts';
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

/** Fills Liquid templates, and caches parsed ones. */
export class LiquidFiller {
  readonly #liquid: Liquid;
  readonly #limits: LiquidLimits;
  readonly #parsed = new TemplateCache<Template[]>();
  readonly #partials = new LiquidPartials();
  readonly #language = new Language();

  constructor(limits: LiquidLimits) {
    this.#limits = limits;
    this.#liquid = new Liquid({
      ownPropertyOnly: true,
      // Partials of the job replace the file system.
      fs: this.#partials.fs,
      cache: this.#partials.cache,
      relativeReference: false,
      timezoneOffset: 0,
      parseLimit: limits.parse,
      renderLimit: limits.time,
      memoryLimit: limits.memory,
    });
    for (const [name, filter] of Object.entries(LIQUID_BARCODES)) this.#liquid.registerFilter(name, filter);
    registerFilters(this.#liquid, this.#language.filters);
    registerFilters(this.#liquid, new Map(Object.entries({ markdown: HTML_MARKDOWN, chart: HTML_CHART })));
  }

  /** @throws FillError */
  async fill(job: FillJob): Promise<string[]> {
    return await withLibraries(() => this.#filled(job));
  }

  #filled(job: FillJob): string[] {
    this.#language.use(job.language);
    this.#partials.use(job.partials);
    return job.sources.map((source) => {
      const data = toJs(readData(job.data, job.defaults)) as object;
      const parsed = this.#parse(source);
      // The filters that Liquid shares with Jinja count their work, so each text has the same budget for it.
      const { time, steps = DEFAULT_LIMITS.steps } = this.#limits;
      const limits = { ...DEFAULT_LIMITS, time, steps };
      const text = withRun(limits, 'default', () =>
        attempt('render', source, () => String(this.#liquid.renderSync(parsed, data))),
      );
      if (text.length <= this.#limits.output) return text;
      throw new FillError({
        kind: 'budget',
        file: source.file,
        message: `The rendered text is longer than ${this.#limits.output} characters. (limit: output)`,
      });
    });
  }

  /** @throws FillError for a text that cannot be parsed */
  check(sources: readonly NamedText[]): void {
    for (const source of sources) this.#parse(source);
  }

  /** Returns the partials that each text names. @throws FillError for a text that cannot be parsed */
  references(sources: readonly NamedText[]): PlacedReference[][] {
    return sources.map((source) =>
      attempt('syntax', source, () => placedReferences(source.text, 'liquid', source.file)),
    );
  }

  #parse(source: NamedText): Template[] {
    return this.#parsed.get(source.file, source.text, () =>
      attempt('syntax', source, () => this.#liquid.parse(source.text, source.file)),
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
