import { serveTask } from '../worker-side.ts';

serveTask({ runSteps: async () => (await import('./run.ts')).runSteps });
