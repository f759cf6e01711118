import { serveTask } from '../worker-side.ts';

await serveTask({ runSteps: async () => (await import('./run.ts')).runSteps });
