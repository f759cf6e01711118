/**
 * The parts of fauxqs that the local S3 uses, from files that its `exports` do not name (decision record
 * 0032). They match the version below, which a test compares with the installed one.
 */
export { PersistenceManager } from '../../../../node_modules/fauxqs/dist/persistence.js';
export { registerS3Routes } from '../../../../node_modules/fauxqs/dist/s3/s3Router.js';
export { S3Store } from '../../../../node_modules/fauxqs/dist/s3/s3Store.js';

/** The supported version. Review the changes in these files before raising it. */
export const FAUXQS_VERSION = '2.4.1';
