import type { ErrorCode } from '@platen/contract/errors';
import type { FieldFault } from '@platen/core/errors';
import type { Limits } from '@platen/jinja';
import type { DataFault } from '@platen/templating/data-schema';
import type { FillJob, NamedText } from '@platen/templating/protocol';
import type { PlacedReference } from '@platen/templating/references';
import type { Composed, CompositionTask } from '@platen/print/page/compose';
import type { StampInput } from '@platen/print/page/furniture';
import type { Pieces, Wanted } from '@platen/print/page/pieces';
import type { WordWork } from '@platen/print/word';

/** What is sent to the threads that work on texts, and what they answer. */

/** What they do: of each the input and what comes of it. */
export interface TextTasks {
  /** Fills templates with a record. */
  fill: { input: FillJob; output: string[] };
  /** Finds out whether templates can be parsed. */
  check: { input: Pick<FillJob, 'engine' | 'sources'>; output: null };
  /** Finds the partials that texts name. */
  references: {
    input: { engine: FillJob['engine']; sources: readonly NamedText[] };
    output: PlacedReference[][];
  };
  /** Looks whether a record fits the schema of a template; null: the schema leads back to itself. */
  data: { input: { schema: string; record: string }; output: DataFault[] | null };
  /** Makes a document ready for an engine. */
  compose: { input: CompositionTask; output: Composed };
  /** Adds style sheets to a document. */
  styles: { input: { html: string; styles: readonly string[] }; output: string };
  /** Makes html of markdown. */
  markdown: { input: { text: string }; output: string };
  /** Makes a docx of what the browser tells of a document. */
  word: { input: WordWork; output: Uint8Array };
  /** Finds what a document loads. */
  html: { input: { text: string; base: string; wanted?: Wanted }; output: Pieces };
  /** Makes html that is stamped ready for an engine. */
  stamp: { input: StampInput; output: Pieces };
  /** Finds what a style sheet loads. */
  css: { input: { text: string; base: string; wanted?: Wanted }; output: Pieces };
}

export type TextTask = keyof TextTasks;

/** What a thread is started with. */
export interface ThreadSettings {
  /** Limits of one template; the rest are the interpreter's defaults. */
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
  /** Something that is our fault: the stack, for the log. */
  | { bug: string }
);

/** The first thing a thread says: it is loaded and takes work. */
export const READY = 'ready';
