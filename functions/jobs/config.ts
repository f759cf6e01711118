import { type Environment, integer, oneOf, requiredString } from '../shared/config.ts';
import { LOG_LEVELS, type LogLevel } from '../shared/log.ts';
import type { UploadConfig } from './uploads.ts';

/** What the jobs function is told by its surroundings. */
export interface JobsConfig extends UploadConfig {
  logLevel: LogLevel;
}

/** @throws ConfigError that names the variable at fault */
export function readConfig(env: Environment = process.env): Readonly<JobsConfig> {
  return Object.freeze({
    logLevel: oneOf(env, 'PLATEN_LOG_LEVEL', LOG_LEVELS, 'info'),
    filesBucket: requiredString(env, 'PLATEN_FILES_BUCKET'),
    maxUpload: integer(env, 'PLATEN_MAX_UPLOAD_MB', { min: 1, max: 2_048, fallback: 512 }) * 2 ** 20,
    uploadFormLifetime:
      integer(env, 'PLATEN_UPLOAD_FORM_SECONDS', { min: 1, max: 43_200, fallback: 3_600 }) * 1000,
  });
}
