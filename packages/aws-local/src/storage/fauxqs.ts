/**
 * The parts of fauxqs that S3 on this machine is made of, taken from files its `exports` do not name (decision record
 * 0032). Written for the version below, which a test compares with the one that is installed.
 */
export { PersistenceManager } from '../../../../node_modules/fauxqs/dist/persistence.js';
export { registerS3Routes } from '../../../../node_modules/fauxqs/dist/s3/s3Router.js';
export { S3Store } from '../../../../node_modules/fauxqs/dist/s3/s3Store.js';

/** Whoever raises it has looked at what has changed in these files. */
export const FAUXQS_VERSION = '2.4.1';
