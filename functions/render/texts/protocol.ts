import type { ErrorCode } from '@platen/contract/errors';
import type { FieldFault } from '@platen/core/errors';
import type { Limits } from '@platen/jinja';
import type { DataFault } from '@platen/templating/data-schema';
import type { FilledTexts, FillJob, NamedText } from '@platen/templating/protocol';
import type { PlacedReference } from '@platen/templating/references';
import type { Composed, CompositionTask, StampInput } from '@platen/print/page';
import type { Pieces, Wanted } from '@platen/print';
import type { WordWork } from '@platen/print/word';

/** The messages to and from the threads that work on texts. */

/** The tasks of the threads, each with its input and output. */
export interface TextTasks {
  /** Fills templates with a record. */
  fill: { input: FillJob; output: FilledTexts };
  /** Checks that templates parse. */
  check: { input: Pick<FillJob, 'engine' | 'sources'>; output: null };
  /** Finds the partials that texts name. */
  references: {
    input: { engine: FillJob['engine']; sources: readonly NamedText[] };
    output: PlacedReference[][];
  };
  /** Validates a record against the schema of a template; `exceeded` says which limit the work exceeds. */
  data: {
    input: { schema: string; record: string };
    output: { faults: DataFault[] } | { exceeded: string };
  };
  /** Prepares a document for an engine. */
  compose: { input: CompositionTask; output: Composed };
  /** Adds style sheets to a document. */
  styles: { input: { html: string; styles: readonly string[] }; output: string };
  /** Converts markdown to html. */
  markdown: { input: { text: string }; output: string };
  /** Writes a docx of the layout that the browser reports. */
  word: { input: WordWork; output: Uint8Array };
  /** Finds the resources that a document loads. */
  html: { input: { text: string; base: string; wanted?: Wanted }; output: Pieces };
  /** Prepares html to be stamped for an engine. */
  stamp: { input: StampInput; output: Pieces };
  /** Finds the resources that a style sheet loads. */
  css: { input: { text: string; base: string; wanted?: Wanted }; output: Pieces };
}

export type TextTask = keyof TextTasks;

/** The settings of a new thread. */
export interface ThreadSettings {
  /** Limits of one template; the others are the interpreter's defaults. */
  limits: Partial<Limits>;
}

export interface TextRequest {
  id: number;
  task: TextTask;
  input: TextTasks[TextTask]['input'];
}

export type TextAnswer = { id: number } & (
  | { value: TextTasks[TextTask]['output'] }
  | { error: { code: ErrorCode; message: string; faults: FieldFault[] } }
  /** An internal error: its stack, for the log. */
  | { bug: string }
);

/** The first message of a thread: it is loaded and takes work. */
export const READY = 'ready';
