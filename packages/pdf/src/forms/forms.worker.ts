import { serveTask } from '../worker-side.ts';

const TASKS = {
  fillForm: async () => (await import('./form-task.ts')).fill,
  settlePrintedForm: async () => (await import('./printed-form.ts')).settlePrintedForm,
  drawPrintedForm: async () => (await import('./printed-form.ts')).drawPrintedForm,
  listFields: async () => (await import('./read-task.ts')).listFields,
};

/** Names of the tasks of this worker. */
export type FormTask = keyof typeof TASKS;

serveTask(TASKS);
