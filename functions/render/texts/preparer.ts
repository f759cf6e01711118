import { PlatenError } from '@platen/core/errors';
import type { TextTask, TextTasks } from './protocol.ts';
import type { TextThreads } from './threads.ts';
import type { Composed, Composition, StampInput } from '@platen/print/page';
import type { WordWork } from '@platen/print/word';
import type { Pieces } from '@platen/print';

/** Processes filled documents for an engine, in the threads for texts. */
export class Preparer {
  readonly #threads: TextThreads;
  /** See `coverageFile`. */
  readonly coverage: string | null;
  /** Milliseconds for one document. */
  readonly timeout: number;

  /** @param coverage see `coverageFile` */
  constructor(threads: TextThreads, timeout: number, coverage: string | null = null) {
    this.#threads = threads;
    this.coverage = coverage;
    this.timeout = timeout;
  }

  /**
   * Prepares a document with its header and footer for any engine.
   *
   * @throws PlatenError `deadline_exceeded`, `document_too_large`; the signal's reason. The other methods throw the same
   */
  compose(composition: Composition, signal?: AbortSignal): Promise<Composed> {
    return this.#run('compose', { ...composition, coverage: this.coverage }, signal);
  }

  /** Returns a document with style sheets added. */
  async withStyles(html: string, styles: readonly string[], signal?: AbortSignal): Promise<string> {
    return styles.length === 0 ? html : await this.#run('styles', { html, styles }, signal);
  }

  /** Converts markdown to html. @throws PlatenError also `template_file_invalid` */
  markdown(text: string, signal?: AbortSignal): Promise<string> {
    return this.#run('markdown', { text }, signal);
  }

  /** Writes a docx of the layout that the browser reports. */
  word(work: WordWork, signal?: AbortSignal): Promise<Uint8Array> {
    return this.#run('word', work, signal);
  }

  /** Finds the resources that a document loads. */
  html(text: string, base: string, signal?: AbortSignal): Promise<Pieces> {
    return this.#run('html', { text, base }, signal);
  }

  /** Prepares html to be stamped for an engine. */
  stamp(input: StampInput, signal?: AbortSignal): Promise<Pieces> {
    return this.#run('stamp', input, signal);
  }

  /** Finds the resources that a style sheet loads. */
  css(text: string, base: string, signal?: AbortSignal): Promise<Pieces> {
    return this.#run('css', { text, base }, signal);
  }

  /** Finds the drawings in the `data:` addresses of a document or a style sheet. */
  drawings(kind: 'html' | 'css', text: string, signal?: AbortSignal): Promise<Pieces> {
    return this.#run(kind, { text, base: 'about:blank', wanted: 'drawings' }, signal);
  }

  #run<T extends TextTask>(
    task: T,
    input: TextTasks[T]['input'],
    signal: AbortSignal | undefined,
  ): Promise<TextTasks[T]['output']> {
    return this.#threads.run(task, input, {
      timeout: this.timeout,
      signal,
      late: () =>
        new PlatenError(
          'deadline_exceeded',
          `The document was not prepared for printing within ${this.timeout / 1000} seconds.`,
        ),
      tooLarge: (megabytes, cause) =>
        new PlatenError(
          'document_too_large',
          `The document is too large to print: reading it takes more than ${megabytes} MB of memory.`,
          { cause },
        ),
    });
  }
}
