/**
 * Restores the files of templates that were deleted after a given time (docs/runbook.md), with your AWS
 * credentials.
 */
import { parseArgs } from 'node:util';
import { S3Client } from '@aws-sdk/client-s3';
import { undelete } from './undelete.ts';

const USAGE = `node bin/restore-files.ts --bucket NAME --since TIME [--dry-run]

  --bucket    FilesBucket of the storage stack's outputs; it must have versioning
  --since     such as 2026-11-22T10:00:00Z: restores the files that were deleted since then
  --dry-run   lists these files, and changes nothing`;

const { values } = parseArgs({
  options: {
    bucket: { type: 'string' },
    since: { type: 'string' },
    'dry-run': { type: 'boolean', default: false },
  },
});
const { bucket, since = '', 'dry-run': dryRun } = values;
const moment = new Date(since);
if (bucket === undefined || Number.isNaN(moment.getTime())) {
  console.error(USAGE);
  process.exit(1);
}
try {
  const count = await undelete(new S3Client({}), { bucket, since: moment, dryRun }, (key) =>
    console.log(key),
  );
  console.error(dryRun ? `${count} files would come back.` : `${count} files came back.`);
} catch (error) {
  if (!(error instanceof Error)) throw error;
  console.error(`The bucket ${bucket} cannot be used: ${error.name}: ${error.message}`);
  process.exitCode = 1;
}
