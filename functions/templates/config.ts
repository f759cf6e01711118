import { type Environment, integer, oneOf, requiredString } from '../shared/config.ts';
import { type ServingSettings, servingSettings } from '../shared/http/serving.ts';
import { LOG_LEVELS, type LogLevel } from '../shared/log.ts';

/** The configuration of the templates functions, read from the environment. */
export interface TemplatesConfig extends ServingSettings {
  /** Name of the DynamoDB table of templates. */
  table: string;
  /** Name of the S3 bucket of files. */
  bucket: string;
  /** Number of versions that are kept of each template. */
  keptVersions: number;
  /** Days for which deleted templates can come back; 0: they are removed at once. */
  deletedDays: number;
  logLevel: LogLevel;
}

/** @throws ConfigError that names the variable at fault */
export function readConfig(env: Environment): TemplatesConfig {
  return Object.freeze({
    ...servingSettings(env),
    table: requiredString(env, 'PLATEN_TEMPLATES_TABLE'),
    bucket: requiredString(env, 'PLATEN_FILES_BUCKET'),
    keptVersions: integer(env, 'PLATEN_MAX_VERSIONS', { min: 1, max: 1_000, fallback: 100 }),
    deletedDays: integer(env, 'PLATEN_DELETED_DAYS', { min: 0, max: 365, fallback: 30 }),
    logLevel: oneOf(env, 'PLATEN_LOG_LEVEL', LOG_LEVELS, 'info'),
  });
}

export const config = readConfig(process.env);
