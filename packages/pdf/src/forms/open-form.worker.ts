import { serveTask } from '../worker-side.ts';

serveTask({ listOpenFields: async () => (await import('./read-task.ts')).listOpenFields });
