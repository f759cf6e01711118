import { ConfigError, type Environment, integer, oneOf, optionalString } from '../config.ts';
import { isLoopbackAddress, isPublicAddress } from '@platen/print/fetcher/addresses';
import { IdempotencyStore } from '../store/jobs/idempotency.ts';
import { JobStore } from '../store/jobs.ts';
import { secretsManagerSealer } from '../store/storage/sealing.ts';
import { type JobRunner, stepFunctionsRunner } from './runner.ts';

/** The settings of jobs. */
export interface JobsSettings {
  /** Name of the DynamoDB table. */
  table: string;
  /** ARN of the state machine that does the work. */
  machine: string;
  /** ARN of the secret that encrypts requests; null for functions that neither write nor read them. */
  sealing: string | null;
  /** How long a job is kept, ms. */
  lifetime: number;
  /** Returns whether an address may be called at the end of a job. */
  isCallbackAddress: (address: string) => boolean;
}

/** The services for deferred and idempotent requests. */
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
    sealing: optionalString(env, 'PLATEN_SEALING_SECRET'),
    lifetime: integer(env, 'PLATEN_JOB_DAYS', { min: 1, max: 90, fallback: 7 }) * DAY_MS,
    isCallbackAddress: callbackAddresses(env),
  };
}

/** Which addresses may be called at the end of a job: those on the internet, also those of this machine, or all. */
const CALLBACK_ADDRESSES = {
  public: isPublicAddress,
  loopback: (address) => isPublicAddress(address) || isLoopbackAddress(address),
  any: () => true,
} as const satisfies Record<string, (address: string) => boolean>;

/** Returns the name of the addresses that webhooks may call. @throws ConfigError */
export function allowedCallbacks(env: Environment): keyof typeof CALLBACK_ADDRESSES {
  return oneOf(env, 'PLATEN_CALLBACK_ADDRESSES', ['public', 'loopback', 'any'] as const, 'public');
}

/** Returns whether an address may be called at the end of a job. @throws ConfigError */
export function callbackAddresses(env: Environment): (address: string) => boolean {
  return CALLBACK_ADDRESSES[allowedCallbacks(env)];
}

/** @throws ConfigError for a deployment with jobs but no secret to encrypt their requests */
export function jobServices(settings: JobsSettings | null, bucket: string): JobServices | null {
  if (settings === null) return null;
  const { table, machine, sealing, lifetime, isCallbackAddress } = settings;
  if (sealing === null) throw new ConfigError('PLATEN_SEALING_SECRET', 'is not set.');
  const sealer = secretsManagerSealer(sealing);
  return {
    store: new JobStore({ table, bucket, lifetime, sealer }),
    keys: new IdempotencyStore({ table, bucket, sealer }),
    runner: stepFunctionsRunner(machine),
    isCallbackAddress,
  };
}
