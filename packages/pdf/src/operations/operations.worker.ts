import { serveTask } from '../worker-side.ts';

const TASKS = {
  drawPages: async () => (await import('./draw-task.ts')).drawPages,
  extractAttachments: async () => (await import('../look/attachments-task.ts')).extractAttachments,
  extractInvoiceTask: async () => (await import('./factur-x-task.ts')).extractInvoiceTask,
  readDocumentInfo: async () => (await import('../look/info-task.ts')).readDocumentInfo,
  readText: async () => (await import('../look/text-task.ts')).readText,
  repair: async () => (await import('./repair-task.ts')).repair,
  splitMany: async () => (await import('./split-task.ts')).splitMany,
};

/** Names of the tasks of this worker. */
export type OperationTask = keyof typeof TASKS;

serveTask(TASKS);
