import { serveTask } from '../worker-side.ts';

const TASKS = { runSteps: async () => (await import('./run.ts')).runSteps };

/** Names of the tasks of this worker. */
export type StepsTaskName = keyof typeof TASKS;

serveTask(TASKS);
