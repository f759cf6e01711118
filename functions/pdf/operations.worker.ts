import { serveTask } from '../shared/pdf/worker-side.ts';
import { merge } from './merge-task.ts';
import { setMetadata } from './metadata-task.ts';
import { splitMany } from './split-task.ts';

await serveTask({ merge, setMetadata, splitMany });
