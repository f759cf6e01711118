import { type Environment, integer, oneOf, requiredString } from '../shared/config.ts';
import { type ServingSettings, servingSettings } from '../shared/http/serving.ts';
import { callbackAddresses, type JobsSettings, jobsSettings } from '../shared/jobs/config.ts';
import { LOG_LEVELS, type LogLevel } from '../shared/log.ts';
import type { UploadConfig } from './uploads.ts';

/** The configuration of the jobs function, read from the environment. */
export interface JobsConfig extends UploadConfig, ServingSettings {
  logLevel: LogLevel;
  /** Name of the DynamoDB table of jobs. */
  jobsTable: string;
  /** null: the deployment has no state machine for jobs. */
  jobs: JobsSettings | null;
}

/** @throws ConfigError that names the variable at fault */
export function readConfig(env: Environment = process.env): Readonly<JobsConfig> {
  return Object.freeze({
    ...servingSettings(env),
    logLevel: oneOf(env, 'PLATEN_LOG_LEVEL', LOG_LEVELS, 'info'),
    jobsTable: requiredString(env, 'PLATEN_JOBS_TABLE'),
    jobs: jobsSettings(env),
    filesBucket: requiredString(env, 'PLATEN_FILES_BUCKET'),
    maxUpload: integer(env, 'PLATEN_MAX_UPLOAD_MB', { min: 1, max: 2_048, fallback: 512 }) * 2 ** 20,
    uploadFormLifetime:
      integer(env, 'PLATEN_UPLOAD_FORM_SECONDS', { min: 1, max: 43_200, fallback: 3_600 }) * 1000,
  });
}

/** The configuration of the webhook function. */
export interface WebhookConfig {
  logLevel: LogLevel;
  jobsTable: string;
  /** URL of the queue that its messages come from. */
  webhookQueue: string;
  /** Returns whether an address may be called. */
  isCallbackAddress: (address: string) => boolean;
}

/** @throws ConfigError that names the variable at fault */
export function readWebhookConfig(env: Environment = process.env): Readonly<WebhookConfig> {
  return Object.freeze({
    logLevel: oneOf(env, 'PLATEN_LOG_LEVEL', LOG_LEVELS, 'info'),
    jobsTable: requiredString(env, 'PLATEN_JOBS_TABLE'),
    webhookQueue: requiredString(env, 'PLATEN_WEBHOOK_QUEUE'),
    isCallbackAddress: callbackAddresses(env),
  });
}
