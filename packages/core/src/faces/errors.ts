/** Errors, and what they are made of. */

export { type FieldFault, PlatenError, isPlatenError } from '../errors.ts';
export type { ErrorCode } from '../error-codes.ts';
export { SHOWN_CHARACTERS, aroundColumn } from '../source-line.ts';
export { storageFault } from '../storage-fault.ts';
