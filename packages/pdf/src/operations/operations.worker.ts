import { serveTask } from '../worker-side.ts';
import { drawPages } from './draw-task.ts';
import { merge } from './merge-task.ts';
import { setMetadata } from './metadata-task.ts';
import { repair } from './repair-task.ts';
import { splitMany } from './split-task.ts';

await serveTask({ drawPages, merge, repair, setMetadata, splitMany });
