import type { Limits } from '@platen/jinja';
import { PlatenError } from '@platen/core/errors';
import { TextThreads, type TextWork } from './threads.ts';
import { errorOf } from '@platen/templating/errors';
import type { Found } from '@platen/templating/found';
import type { FillJob, NamedText } from '@platen/templating/protocol';
import type { PlacedReference } from '@platen/templating/references';

/** The limits of filling. */
export interface FillLimits {
  /** Milliseconds for one job, from its start in the thread. */
  timeout: number;
  /** Megabytes of the thread's heap. */
  memory?: number;
  /** Limits of the interpreter for one text; `docs/templating.md` lists the defaults. */
  template?: Partial<Limits>;
}

/** The time in which the interpreter may notice its own timeout before its thread is ended. */
const GRACE_MS = 500;

/** Fills templates in the threads for texts, with limits that do not depend on the interpreter. */
export class Filler {
  readonly #timeout: number;
  /** The threads for texts, which also process filled ones. */
  readonly threads: TextThreads;

  constructor({ timeout, template, ...limits }: FillLimits) {
    this.#timeout = timeout;
    this.threads = new TextThreads({ ...limits, template: { time: timeout, ...template } });
  }

  /**
   * Fills every text of a job with its data.
   *
   * @param signal aborts the work when its request has ended
   * @param notice called with what the work notices; may throw
   * @returns the filled texts in the order of `job.sources`
   * @throws PlatenError `template_syntax`, `template_render`, `template_budget` with the position in the
   * text; `render_data_invalid`; the signal's reason
   */
  async fill(job: FillJob, signal?: AbortSignal, notice?: (found: Found) => void): Promise<string[]> {
    const { texts, ...found } = await this.threads.run('fill', job, this.#bounds(job.sources, signal));
    notice?.(found);
    return texts;
  }

  /**
   * Checks that the texts parse. Parsed templates are kept for filling.
   *
   * @throws PlatenError `template_syntax`, `template_budget` with the position in the text; the signal's reason
   */
  async check(templates: Pick<FillJob, 'engine' | 'sources'>, signal?: AbortSignal): Promise<void> {
    await this.threads.run('check', templates, this.#bounds(templates.sources, signal));
  }

  /**
   * Returns the partials that texts name.
   *
   * @returns a list for each text, in order
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
   * Validates a record against the data schema of a template.
   *
   * @param schema null for no schema, which accepts any record
   * @throws PlatenError `render_data_invalid` with a JSON Pointer for each fault; `template_budget`; the signal's reason
   */
  async checkData(schema: string | null, record: string, signal?: AbortSignal): Promise<void> {
    if (schema === null) return;
    const checked = await this.threads.run('data', { schema, record }, this.#bounds([], signal));
    if ('exceeded' in checked) throw new PlatenError('template_budget', checked.exceeded);
    const { faults } = checked;
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

  /** Ends the threads. Unfinished jobs are rejected. */
  async close(): Promise<void> {
    await this.threads.close();
  }
}

/** Returns the file of the only text, if there is just one, for errors. */
function fileOf(sources: readonly NamedText[]): Pick<Parameters<typeof errorOf>[0], 'file'> {
  const [first] = sources;
  return first === undefined || sources.length > 1 ? {} : { file: first.file };
}
