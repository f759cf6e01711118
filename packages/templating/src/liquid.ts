import type { Template } from 'liquidjs';
import { Liquid, LiquidError } from 'liquidjs';
import { toJs } from '@platen/jinja';
import { LIQUID_BARCODES } from './barcodes.ts';
import { readData } from './data.ts';
import type { FillFault, FillJob, TemplateSource } from './protocol.ts';
import { FillError } from './protocol.ts';
import { TemplateCache } from './cache.ts';

/** Limits of liquidjs. */
export interface LiquidLimits {
  /** Characters of a template. */
  parse: number;
  /** Milliseconds. */
  time: number;
  /** Objects and characters made on the way. */
  memory: number;
  /** Characters of the rendered text. */
  output: number;
}

/** Fills templates of the language Liquid; parsed ones are kept. */
export class LiquidFiller {
  readonly #liquid: Liquid;
  readonly #limits: LiquidLimits;
  readonly #parsed = new TemplateCache<Template[]>();

  constructor(limits: LiquidLimits) {
    this.#limits = limits;
    this.#liquid = new Liquid({
      ownPropertyOnly: true,
      // An empty set of templates in memory instead of the file system.
      templates: {},
      timezoneOffset: 0,
      parseLimit: limits.parse,
      renderLimit: limits.time,
      memoryLimit: limits.memory,
    });
    for (const [name, filter] of Object.entries(LIQUID_BARCODES)) this.#liquid.registerFilter(name, filter);
  }

  /** @throws FillError */
  fill(job: FillJob): string[] {
    return job.sources.map((source) => {
      const data = toJs(readData(job.data, job.defaults)) as object;
      const parsed = this.#parse(source);
      const text = attempt('render', source, () => String(this.#liquid.renderSync(parsed, data)));
      if (text.length <= this.#limits.output) return text;
      throw new FillError({
        kind: 'budget',
        file: source.file,
        message: `The rendered text is longer than ${this.#limits.output} characters. (limit: output)`,
      });
    });
  }

  /** @throws FillError for a text that cannot be parsed */
  check(sources: readonly TemplateSource[]): void {
    for (const source of sources) this.#parse(source);
  }

  #parse(source: TemplateSource): Template[] {
    return this.#parsed.get(source.file, source.text, () =>
      attempt('syntax', source, () => this.#liquid.parse(source.text, source.file)),
    );
  }
}

function attempt<T>(kind: 'syntax' | 'render', source: TemplateSource, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw faultOf(kind, source, error);
  }
}

/** Names of liquidjs's limits, by the beginning of what it says when one is exceeded. */
const EXCEEDED: readonly [words: string, limit: string][] = [
  ['parse length limit exceeded', 'parse'],
  ['template render limit exceeded', 'time'],
  ['memory alloc limit exceeded', 'memory'],
  // What a capture holds is not counted, but no string can be longer than the host has them.
  ['Invalid string length', 'memory'],
];

function faultOf(kind: 'syntax' | 'render', { file, text }: TemplateSource, error: unknown): unknown {
  if (error instanceof RangeError && /call stack/u.test(error.message)) {
    return new FillError({ kind: 'budget', file, message: 'The template nests too deeply. (limit: depth)' });
  }
  if (!(error instanceof Error)) return error;
  const cause = LiquidError.is(error) && error.originalError !== undefined ? error.originalError : error;
  const limit = EXCEEDED.find(([words]) => cause.message.startsWith(words))?.[1];
  if (limit === undefined && !LiquidError.is(error)) return error;
  const fault: FillFault = {
    kind: limit === undefined ? kind : 'budget',
    file,
    // Its message ends with the place, which is given apart.
    message:
      (cause.message.split(/, (?:file:[^,\n]*, )?line:\d+, col:\d+/u, 1)[0] ?? '') +
      (limit === undefined ? '' : ` (limit: ${limit})`),
  };
  if (!LiquidError.is(error)) return new FillError(fault);
  const [line, column] = error.token.getPosition();
  if (line === undefined || column === undefined) return new FillError(fault);
  const source = text.split(/\r\n|[\r\n]/u, line)[line - 1] ?? '';
  return new FillError({ ...fault, line, column, source });
}
