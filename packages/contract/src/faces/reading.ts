/** The forms in which clients write values, and names that nothing reads. */

export { readFields } from '../reading.ts';
export { MAX_WARNINGS, warnOfUnknown, warnOfUnnamed } from '../unknown-names.ts';
