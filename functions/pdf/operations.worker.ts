import { serveTask } from '../shared/pdf/worker-side.ts';
import { merge } from './merge-task.ts';
import { splitMany } from './split-task.ts';

await serveTask({ merge, splitMany });
