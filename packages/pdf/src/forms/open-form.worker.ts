import { serveTask } from '../worker-side.ts';

const TASKS = { listOpenFields: async () => (await import('./read-task.ts')).listOpenFields };

/** Names of the tasks of this worker. */
export type OpenFormTask = keyof typeof TASKS;

serveTask(TASKS);
