import { type Environment, integer, oneOf, optionalString, requiredString } from '../shared/config.ts';
import { LOG_LEVELS, type LogLevel } from '../shared/log.ts';

/** What the templates functions are told by their surroundings. */
export interface TemplatesConfig {
  /** Namespace of CloudWatch that metrics are kept in; null: there are none. */
  metrics: string | null;
  /** Name of the DynamoDB table of tokens, where their use is counted; null: tokens with limits are not served. */
  tokensTable: string | null;
  /** Name of the DynamoDB table of templates. */
  table: string;
  /** Name of the S3 bucket of files. */
  bucket: string;
  /** Versions of each template that are kept. */
  keptVersions: number;
  logLevel: LogLevel;
}

/** @throws ConfigError that names the variable at fault */
export function readConfig(env: Environment): TemplatesConfig {
  return Object.freeze({
    metrics: optionalString(env, 'PLATEN_METRICS_NAMESPACE'),
    tokensTable: optionalString(env, 'PLATEN_TOKENS_TABLE'),
    table: requiredString(env, 'PLATEN_TEMPLATES_TABLE'),
    bucket: requiredString(env, 'PLATEN_FILES_BUCKET'),
    keptVersions: integer(env, 'PLATEN_MAX_VERSIONS', { min: 1, max: 1_000, fallback: 100 }),
    logLevel: oneOf(env, 'PLATEN_LOG_LEVEL', LOG_LEVELS, 'info'),
  });
}

export const config = readConfig(process.env);
