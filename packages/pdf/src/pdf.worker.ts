import { serveTask } from './worker-side.ts';

const TASKS = {
  inspect: async () => (await import('./inspect.ts')).inspect,
  select: async () => (await import('./select.ts')).select,
  compress: async () => (await import('./compress/index.ts')).compressTask,
  conform: async () => (await import('./conformance/task.ts')).conformTask,
  encrypt: async () => (await import('./encrypt.ts')).encrypt,
  readPrintedFacts: async () => (await import('./look/printed-task.ts')).readPrintedFacts,
  stamp: async () => (await import('./stamp.ts')).stamp,
};

/** Names of the tasks of this worker. */
export type PdfTaskName = keyof typeof TASKS;

serveTask(TASKS);
