import type { Limits } from '@platen/jinja';
import { PlatenError } from '@platen/core/errors';
import { TextThreads, type TextWork } from './threads.ts';
import { errorOf } from '@platen/templating/errors';
import type { FillJob, NamedText } from '@platen/templating/protocol';
import type { PlacedReference } from '@platen/templating/references';

/** What filling may use. */
export interface FillLimits {
  /** Milliseconds for one job, from when the thread begins with it. */
  timeout: number;
  /** Megabytes of the thread's heap. */
  memory?: number;
  /** Limits of the interpreter for one text; see `docs/templating.md` for the defaults. */
  template?: Partial<Limits>;
}

/** How long the interpreter is given to notice itself that its time is over before its thread is ended. */
const GRACE_MS = 500;

/** Fills templates in the threads for texts, whatever the interpreter is doing in them. */
export class Filler {
  readonly #timeout: number;
  /** Where texts are worked on; what is done with a filled one is done there, too. */
  readonly threads: TextThreads;

  constructor({ timeout, template, ...limits }: FillLimits) {
    this.#timeout = timeout;
    this.threads = new TextThreads({ ...limits, template: { time: timeout, ...template } });
  }

  /**
   * Fills every text of a job with its data.
   *
   * @param signal ends the work when its request is gone
   * @returns the filled texts in the order of `job.sources`
   * @throws PlatenError `template_syntax`, `template_render`, `template_budget` with the place in the text;
   *   `render_data_invalid`; the signal's reason
   */
  fill(job: FillJob, signal?: AbortSignal): Promise<string[]> {
    return this.threads.run('fill', job, this.#bounds(job.sources, signal));
  }

  /**
   * Finds out whether the texts can be parsed. What was parsed is kept for filling.
   *
   * @throws PlatenError `template_syntax`, `template_budget` with the place in the text; the signal's reason
   */
  async check(templates: Pick<FillJob, 'engine' | 'sources'>, signal?: AbortSignal): Promise<void> {
    await this.threads.run('check', templates, this.#bounds(templates.sources, signal));
  }

  /**
   * The partials that texts name.
   *
   * @returns of each text in its order
   * @throws PlatenError as `check`
   */
  async references(
    engine: FillJob['engine'],
    sources: readonly NamedText[],
    signal?: AbortSignal,
  ): Promise<PlacedReference[][]> {
    return await this.threads.run('references', { engine, sources }, this.#bounds(sources, signal));
  }

  /**
   * Looks whether a record fits the schema that a template has for its data.
   *
   * @param schema null: there is none, and everything fits
   * @throws PlatenError `render_data_invalid` with a JSON Pointer for each fault; `template_budget`; the signal's reason
   */
  async checkData(schema: string | null, record: string, signal?: AbortSignal): Promise<void> {
    if (schema === null) return;
    const faults = await this.threads.run('data', { schema, record }, this.#bounds([], signal));
    if (faults === null) {
      throw new PlatenError('template_budget', 'The schema of the data refers to itself without end.');
    }
    const [first] = faults;
    if (first === undefined) return;
    const place = first.pointer === '' ? '' : ` at ${first.pointer}`;
    throw new PlatenError(
      'render_data_invalid',
      `The data do not match the schema of the template${place}: ${first.message}.`,
      {
        faults: faults.map(({ pointer, message }) => ({ field: 'render_data', pointer, message })),
      },
    );
  }

  #bounds(sources: readonly NamedText[], signal: AbortSignal | undefined): TextWork {
    const budget = (message: string, cause?: Error): PlatenError => {
      const fault = errorOf({ kind: 'budget', message, ...fileOf(sources) });
      return new PlatenError(fault.code, fault.message, { faults: fault.faults, cause });
    };
    return {
      timeout: this.#timeout + GRACE_MS,
      signal,
      late: () => budget(`The template takes longer than ${this.#timeout} ms. (limit: time)`),
      tooLarge: (megabytes, cause) =>
        budget(`The template takes more than ${megabytes} MB of memory. (limit: memory)`, cause),
    };
  }

  /** Ends the threads. Jobs that are not done are rejected. */
  async close(): Promise<void> {
    await this.threads.close();
  }
}

/** The text that is at fault, where there is only one. */
function fileOf(sources: readonly NamedText[]): Pick<Parameters<typeof errorOf>[0], 'file'> {
  const [first] = sources;
  return first === undefined || sources.length > 1 ? {} : { file: first.file };
}
