/** Other processes: how long they run, and their memory. */

export { memoryOf } from '../resident-memory.ts';
export { afterRunning, withinRunning } from '../running-time.ts';
