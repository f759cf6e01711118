import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import os from 'node:os';
import { dirname, join } from 'node:path';
import { type FunctionSpec, REGION } from '../assembly/index.ts';
import { SMALL_YOUNG_GENERATION } from '../node-options.ts';
import type { Launcher } from './launcher.ts';

/** Settings that all execution environments of one service share. */
export interface EnvironmentSettings {
  /** The bundled runtime (`runtime/index.ts`). */
  runtime: string;
  /** Folder that contains each environment's own /tmp. */
  tmpRoot: string;
  /** Returns the folder that serves as `/opt`, by function. */
  layerRoot(spec: FunctionSpec): string | undefined;
  /** Returns the keys of a function's role. */
  credentials(spec: FunctionSpec): { accessKeyId: string; secretAccessKey: string };
  endpoints: { s3: string; dynamodb: string; lambda: string; sfn: string; sqs: string; secrets: string };
  /** Variables in addition to those of the stacks. */
  variables: Readonly<Record<string, string>>;
  /** Starts the processes; the default starts ordinary processes. */
  launcher?: Launcher | undefined;
  /** Maximum events that an environment handles at a time, where its function can; one when absent, as on Lambda. */
  eventsAtATime?: number | undefined;
}

/** Returns the number of events that an environment of a function handles at a time. */
export function concurrencyOf(
  { concurrency }: FunctionSpec,
  { eventsAtATime = 1 }: EnvironmentSettings,
): number {
  return Math.min(concurrency, eventsAtATime);
}

/** Variables for certificates that this machine trusts in addition to Node's own. */
const TRUST = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE'];

/**
 * Returns the environment of a function's process: Lambda's variables, those of the stacks, and the addresses
 * of the local storage. It contains nothing of the service's own environment, so that a function behaves as
 * it would on AWS.
 */
export function environmentVariables(
  spec: FunctionSpec,
  settings: EnvironmentSettings,
  own: { api: string; tmp: string },
): Record<string, string> {
  const opt = settings.layerRoot(spec);
  const memory = String(spec.memoryMb);
  const concurrency = concurrencyOf(spec, settings);
  const credentials = settings.credentials(spec);
  const trust = Object.fromEntries(TRUST.flatMap((name) => pair(name, process.env[name])));
  return {
    ...trust,
    AWS_DEFAULT_REGION: REGION,
    AWS_REGION: REGION,
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_LAMBDA_FUNCTION_NAME: spec.name,
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: memory,
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${spec.name}`,
    AWS_LAMBDA_LOG_STREAM_NAME: `${new Date().toISOString().slice(0, 10).replaceAll('-', '/')}/[$LATEST]${randomBytes(16).toString('hex')}`,
    AWS_LAMBDA_RUNTIME_API: own.api,
    AWS_ENDPOINT_URL_S3: settings.endpoints.s3,
    AWS_ENDPOINT_URL_DYNAMODB: settings.endpoints.dynamodb,
    AWS_ENDPOINT_URL_LAMBDA: settings.endpoints.lambda,
    AWS_ENDPOINT_URL_SFN: settings.endpoints.sfn,
    AWS_ENDPOINT_URL_SQS: settings.endpoints.sqs,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: settings.endpoints.secrets,
    LAMBDA_TASK_ROOT: spec.code ?? '',
    _HANDLER: spec.handler,
    LANG: 'en_US.UTF-8',
    TZ: ':UTC',
    TMPDIR: own.tmp,
    ...homeless(own.tmp),
    PATH: [dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin', ...inside(opt, 'bin')].join(':'),
    ...Object.fromEntries(pair('LD_LIBRARY_PATH', inside(opt, 'lib')[0])),
    ...Object.fromEntries(pair('NODE_PATH', inside(opt, 'nodejs/node_modules')[0])),
    ...Object.fromEntries(pair('PLATEN_LAYER_ROOT', opt)),
    // As on Lambda Managed Instances; absent where one event is handled at a time.
    ...(concurrency > 1 ? { AWS_LAMBDA_MAX_CONCURRENCY: String(concurrency) } : {}),
    // Lambda also bounds the heap by the function's memory.
    NODE_OPTIONS: `--max-old-space-size=${memory} ${SMALL_YOUNG_GENERATION}`,
    ...spec.environment,
    ...settings.variables,
  };
}

function pair(name: string, value: string | undefined): [string, string][] {
  return value === undefined ? [] : [[name, value]];
}

/**
 * Returns a home folder for a user unknown to the machine, as a container may have: otherwise Node cannot
 * determine the home folder, in which the SDK looks for its settings.
 */
function homeless(folder: string): Record<string, string> {
  try {
    os.userInfo();
    return {};
  } catch {
    return { HOME: folder };
  }
}

function inside(opt: string | undefined, folder: string): string[] {
  if (opt === undefined) return [];
  const path = join(opt, folder);
  return existsSync(path) ? [path] : [];
}
