import { serveTask } from '../worker-side.ts';
import { drawPages } from './draw-task.ts';
import { embedInvoiceTask, extractInvoiceTask } from './factur-x-task.ts';
import { merge } from './merge-task.ts';
import { setMetadata } from './metadata-task.ts';
import { repair } from './repair-task.ts';
import { splitMany } from './split-task.ts';

await serveTask({ drawPages, embedInvoiceTask, extractInvoiceTask, merge, repair, setMetadata, splitMany });
