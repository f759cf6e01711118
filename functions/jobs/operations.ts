import type { Operations } from '../shared/http/index.ts';
import type { JobsConfig } from './config.ts';
import { createUpload } from './uploads.ts';

/** The answers to the routes of the group. */
export function jobOperations(config: JobsConfig): Operations<'jobs'> {
  return {
    createUpload: createUpload(config),
  };
}
