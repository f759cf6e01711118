import { serveTask } from './worker-side.ts';

const TASKS = {
  inspect: async () => (await import('./look/inspect.ts')).inspect,
  select: async () => (await import('./graft/select.ts')).select,
  readPrintedFacts: async () => (await import('./look/printed-task.ts')).readPrintedFacts,
  stamp: async () => (await import('./operations/overlay.ts')).stamp,
};

/** Names of the tasks of this worker. */
export type PdfTaskName = keyof typeof TASKS;

serveTask(TASKS);
