import { workerUrl } from '@platen/core/worker';

/** The worker entry of the operations only this function group has. */
export const OPERATIONS = workerUrl(import.meta.url, 'operations.worker');
