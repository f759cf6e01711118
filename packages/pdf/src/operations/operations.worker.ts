import { serveTask } from '../worker-side.ts';

await serveTask({
  drawPages: async () => (await import('./draw-task.ts')).drawPages,
  merge: async () => (await import('./merge-task.ts')).merge,
  repair: async () => (await import('./repair-task.ts')).repair,
  setMetadata: async () => (await import('./metadata-task.ts')).setMetadata,
  splitMany: async () => (await import('./split-task.ts')).splitMany,
});
