import { serveTask } from '../worker-side.ts';

serveTask({
  fillForm: async () => (await import('./form-task.ts')).fill,
  listFields: async () => (await import('./read-task.ts')).listFields,
});
