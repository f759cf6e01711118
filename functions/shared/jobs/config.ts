import { type Environment, integer, oneOf, optionalString } from '../config.ts';
import { isPublicAddress } from '../fetcher/addresses.ts';
import { IdempotencyStore } from '../store/idempotency.ts';
import { JobStore } from '../store/jobs.ts';
import { type JobRunner, stepFunctionsRunner } from './runner.ts';

/** What a function is told of jobs. */
export interface JobsSettings {
  /** Name of the DynamoDB table. */
  table: string;
  /** ARN of the state machine that does the work. */
  machine: string;
  /** How long a job is kept, ms. */
  lifetime: number;
  /** Addresses that may be called at the end of a job. */
  isCallbackAddress: (address: string) => boolean;
}

/** What requests need in order to become jobs, and to be answered once only. */
export interface JobServices {
  store: JobStore;
  keys: IdempotencyStore;
  runner: JobRunner;
  isCallbackAddress: (address: string) => boolean;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** @returns null for a deployment without jobs @throws ConfigError */
export function jobsSettings(env: Environment): JobsSettings | null {
  const table = optionalString(env, 'PLATEN_JOBS_TABLE');
  const machine = optionalString(env, 'PLATEN_JOBS_MACHINE');
  if (table === null || machine === null) return null;
  return {
    table,
    machine,
    lifetime: integer(env, 'PLATEN_JOB_DAYS', { min: 1, max: 90, fallback: 7 }) * DAY_MS,
    isCallbackAddress: callbackAddresses(env),
  };
}

/** `public`, or `any`, with which receivers on this machine or in a private network can be called. */
export function callbackAddresses(env: Environment): (address: string) => boolean {
  const which = oneOf(env, 'PLATEN_CALLBACK_ADDRESSES', ['public', 'any'] as const, 'public');
  return which === 'public' ? isPublicAddress : () => true;
}

export function jobServices(settings: JobsSettings | null, bucket: string): JobServices | null {
  if (settings === null) return null;
  const { table, machine, lifetime, isCallbackAddress } = settings;
  return {
    store: new JobStore({ table, bucket, lifetime }),
    keys: new IdempotencyStore({ table, bucket }),
    runner: stepFunctionsRunner(machine),
    isCallbackAddress,
  };
}
