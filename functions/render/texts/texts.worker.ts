import { parentPort, workerData } from 'node:worker_threads';
import { DEFAULT_LIMITS } from '@platen/jinja';
import { isPlatenError } from '@platen/core/errors';
import { freezeIntrinsics } from '@platen/core/hardened';
import { errorOf } from '@platen/templating/errors';
import { JinjaFiller } from '@platen/templating/jinja';
import type { LiquidFiller } from '@platen/templating/liquid';
import { FillError, type FilledTexts, type FillJob } from '@platen/templating/protocol';
import { compose, cssPieces, withStyles, stampPart, htmlPieces } from '@platen/print/page';
import { READY, type TextAnswer, type TextRequest, type TextTasks, type ThreadSettings } from './protocol.ts';

/** The thread that works on texts, one after the other; it keeps compiled templates between them. */

const { limits } = workerData as ThreadSettings;
const jinja = new JinjaFiller(limits);
let liquid: Promise<LiquidFiller> | undefined;

/** Liquid is loaded when first needed: few templates use it. */
async function loadLiquid(): Promise<LiquidFiller> {
  const { LiquidFiller } = await import('@platen/templating/liquid');
  const { string, time, memory, output, steps } = { ...DEFAULT_LIMITS, ...limits };
  // liquidjs creates whole arrays for its ranges, and counts an element as one.
  return new LiquidFiller({ parse: string, time, memory: Math.ceil(memory / 20), output, steps });
}

async function fill(job: FillJob): Promise<FilledTexts> {
  if (job.engine !== 'liquid') return await jinja.fill(job.engine, job);
  liquid ??= loadLiquid();
  return await (await liquid).fill(job);
}

async function check({ engine, sources }: TextTasks['check']['input']): Promise<null> {
  if (engine !== 'liquid') jinja.check(engine, sources);
  else {
    liquid ??= loadLiquid();
    (await liquid).check(sources);
  }
  return null;
}

type Work = { [T in keyof TextTasks]: (input: TextTasks[T]['input']) => unknown };

const WORK: Work = {
  fill,
  check,
  references: async ({ engine, sources }) => {
    if (engine !== 'liquid') return jinja.references(engine, sources);
    liquid ??= loadLiquid();
    return (await liquid).references(sources);
  },
  data: async ({ schema, record }) => {
    // Loaded when first needed: few templates have a schema.
    const { dataFaults, SchemaBudgetError } = await import('@platen/templating/data-schema');
    try {
      return { faults: dataFaults(schema, record) };
    } catch (error) {
      if (error instanceof SchemaBudgetError) return { exceeded: error.message };
      throw error;
    }
  },
  compose,
  styles: ({ html, styles }) => withStyles(html, styles),
  markdown: async ({ text }) => {
    // Loaded when first needed: few templates use it.
    const { htmlOfMarkdown } = await import('@platen/print/page/markdown');
    return await htmlOfMarkdown(text);
  },
  word: async (work) => {
    // Loaded when first needed: few documents become word processor documents.
    const { writeWordDocument } = await import('@platen/print/word');
    return await writeWordDocument(work);
  },
  html: ({ text, base, wanted }) => htmlPieces(text, base, wanted),
  stamp: (input) => stampPart(input),
  css: ({ text, base, wanted }) => cssPieces(text, base, wanted),
};

async function answer({ id, task, input }: TextRequest): Promise<TextAnswer> {
  try {
    const work = WORK[task] as (input: TextRequest['input']) => unknown;
    return { id, value: (await work(input)) as TextTasks[typeof task]['output'] };
  } catch (error) {
    const reported = error instanceof FillError ? errorOf(error.fault) : error;
    if (isPlatenError(reported)) {
      const { code, message, faults } = reported;
      return { id, error: { code, message, faults } };
    }
    return { id, bug: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

freezeIntrinsics();
parentPort?.on('message', (request: TextRequest) => {
  void answer(request).then((result) => parentPort?.postMessage(result, []));
});
parentPort?.postMessage(READY, []);
