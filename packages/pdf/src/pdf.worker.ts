import { serveTask } from './worker-side.ts';

const TASKS = {
  inspect: async () => (await import('./inspect.ts')).inspect,
  select: async () => (await import('./select.ts')).select,
  readPrintedFacts: async () => (await import('./look/printed-task.ts')).readPrintedFacts,
  stamp: async () => (await import('./stamp.ts')).stamp,
};

/** Names of the tasks of this worker. */
export type PdfTaskName = keyof typeof TASKS;

serveTask(TASKS);
