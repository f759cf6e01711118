import { workerUrl } from '@platen/core/worker';
import type { TaskEntry } from '../thread.ts';
import type { OperationTask } from './operations.worker.ts';

/** The worker entry of the operations that only this function group uses. */
export const OPERATIONS: TaskEntry<OperationTask> = workerUrl(import.meta.url, 'operations.worker');
