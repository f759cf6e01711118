import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { TokenStore, tokenFault } from '../functions/authorizer/tokens.ts';
import type { Assembly } from '@platen/aws-local/assembly';
import type { Launcher } from '@platen/aws-local/lambda';
import { type Logger, silentLogger } from '@platen/aws-local/log';
import { type LocalService, startLocal } from '@platen/aws-local/service';
import { writePrivate } from '@platen/aws-local/state';
import type { Clients, StorageAccess } from '@platen/aws-local/storage';
import { ensureAssembly } from '@platen/aws-local/synth';
import { coresFor, type GroupFiles } from '@platen/core/machine';
import { hostVariables } from './hosts.mjs';
import { watchMemory } from './memory.ts';
import { documentationSite } from './site/serve.ts';
import { studioSite } from './studio.ts';

/** Starts the local service from the stacks, with a token for calls. */

export const ROOT = path.resolve(import.meta.dirname, '..');
export const DEFAULT_DATA_DIR = path.join(ROOT, '.platen');

/** The stack output with the name of the table of tokens. */
export const TOKENS_OUTPUT = 'TokensTable';

const TENANT = 'local';

export interface ServiceOptions {
  /** 0 selects any free port. */
  port: number;
  /** `localhost`, which only this machine can reach, when absent. */
  host?: string | undefined;
  dataDir: string;
  /** External S3 and DynamoDB; those of this machine, in `dataDir`, when absent. */
  storage?: StorageAccess | undefined;
  /** Enforces the limits of API Gateway and Lambda. */
  strict?: boolean | undefined;
  /** Refuses more requests per second than the stacks allow; as `strict` when absent. */
  throttle?: boolean | undefined;
  /** Whether addresses begin with the stage, like the addresses of API Gateway. */
  stageInPath?: boolean | undefined;
  /** A token to accept, for the tenant `local`; a generated one when absent. */
  token?: string | undefined;
  /** Variables for all functions, in addition to those of the stacks. */
  env?: Readonly<Record<string, string>> | undefined;
  /** The control groups whose limit of memory counts; those of this process when absent. */
  groups?: GroupFiles | undefined;
  /** Maximum requests that a function works on at a time. */
  concurrency?: number | undefined;
  /**
   * Maximum requests that one environment works on at a time; when absent, as many as its function can, and one with the
   * limits of Lambda or with a launcher of its own.
   */
  perEnvironment?: number | undefined;
  /** Milliseconds after which an environment without a request is ended; ten minutes when absent. */
  idleMs?: number | undefined;
  /** Factor for the pauses before retries, compared to AWS; for tests. */
  pauseFactor?: number | undefined;
  /** How function processes are started; as ordinary processes when absent. */
  launcher?: Launcher | undefined;
  log?: Logger | undefined;
  /** Origins whose pages may embed the editor of the Studio; none when absent. */
  embedOrigins?: readonly string[] | undefined;
  /** Called before a synthesis, which takes seconds. */
  synthesising?: (() => void) | undefined;
  /** Called with the output of the synthesis. */
  progress?: ((text: string) => void) | undefined;
  /** Aborts a synthesis in progress. */
  signal?: AbortSignal | undefined;
}

export interface Service extends LocalService {
  /** A token that the service accepts. */
  token: string;
  studio: ReturnType<typeof studioSite>;
  documentation: ReturnType<typeof documentationSite>;
}

/**
 * Starts the service. If the sources of the stacks have changed, it synthesises them first.
 *
 * @throws SynthError, AssemblyError, StorageError, ListenError, or PlatenError for an invalid token; the message
 * explains what to do, and no process remains
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { directory } = await ensureAssembly({
    root: ROOT,
    started: options.synthesising,
    progress: options.progress,
    signal: options.signal,
  });
  const engineDir = path.join(DEFAULT_DATA_DIR, 'engine');
  await mkdir(engineDir, { recursive: true });
  let token = '';
  const studio = studioSite(ROOT, options.embedOrigins ?? [], options.signal);
  const documentation = documentationSite(ROOT, options.signal);
  const service = await startLocal({
    assembly: directory,
    dataDir: options.dataDir,
    storage: options.storage,
    port: options.port,
    host: options.host,
    strict: options.strict,
    throttle: options.throttle,
    stageInPath: options.stageInPath,
    cores: coresFor(),
    isShortOfMemory: watchMemory(options.log ?? silentLogger, options.groups),
    concurrency: options.concurrency,
    perEnvironment: options.perEnvironment ?? (isAsLambda(options) ? undefined : Infinity),
    idleMs: options.idleMs,
    pauseFactor: options.pauseFactor,
    launcher: options.launcher,
    // The browser is unpacked once for all environments and starts, not into the /tmp of each environment.
    variables: {
      PLATEN_CHROME_DIR: engineDir,
      ...hostVariables(),
      ...localDefaults(options.host),
      ...options.env,
    },
    sites: [studio, documentation],
    log: options.log ?? silentLogger,
    prepare: async (clients, assembly) => {
      studio.sendTo(await originOf(clients));
      token = await startToken(options, tokenStore(clients, assembly));
    },
  });
  return { ...service, token, studio, documentation };
}

/** Whether each request has an environment of its own, as on Lambda. */
function isAsLambda({ strict = false, launcher }: ServiceOptions): boolean {
  return strict || launcher !== undefined;
}

/** Returns whether only this machine can call a service that listens at `host`: `localhost` when absent. */
export function isOwnHost(host: string | undefined): boolean {
  return host === undefined || host === 'localhost' || host === '127.0.0.1' || host === '::1';
}

/**
 * Returns the variables that differ from those of a deployment unless they are set. Callers on this machine may
 * have webhooks call receivers on it, which they can call themselves; callers from other machines may not.
 */
export function localDefaults(host: string | undefined): Record<string, string> {
  return isOwnHost(host) ? { PLATEN_CALLBACK_ADDRESSES: 'loopback' } : {};
}

/** The origin to which upload forms are posted. */
async function originOf({ s3 }: Clients): Promise<string> {
  const { protocol, hostname, port } = (await s3.config.endpoint?.()) ?? {};
  if (protocol === undefined) throw new Error('The storage has no address.');
  return new URL(`${protocol}//${hostname}${port === undefined ? '' : `:${port}`}`).origin;
}

function tokenStore({ dynamodb }: Clients, { outputs }: Assembly): TokenStore {
  const table = outputs.get(TOKENS_OUTPUT);
  if (table === undefined) throw new Error(`The stacks have no output ${TOKENS_OUTPUT}.`);
  return new TokenStore(dynamodb, table);
}

/** The stored data of a start's token. */
interface StartToken {
  id: string;
  /** Stored only for a generated token; a token that an operator chose is not stored. */
  token?: string;
}

/**
 * Returns the token of this start: the configured one, or the one generated at an earlier start. There is one
 * token at a time: when it changes, the previous one is revoked.
 */
async function startToken({ token: wanted, dataDir }: ServiceOptions, tokens: TokenStore): Promise<string> {
  const file = path.join(dataDir, 'token.json');
  const before = await readStartToken(file);
  const token = wanted ?? before?.token;
  if (token !== undefined && tokenFault(await tokens.find(token), new Date()) === null) {
    if (wanted === undefined) return token;
  }
  const minted = await tokens.mint({ tenant: TENANT, token: wanted });
  if (before && before.id !== minted.record.id) await tokens.revoke(before.id);
  const kept: StartToken = { id: minted.record.id, ...(wanted === undefined ? { token: minted.token } : {}) };
  await writePrivate(file, JSON.stringify(kept));
  return minted.token;
}

async function readStartToken(file: string): Promise<StartToken | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as StartToken;
  } catch {
    // This is the first start, or the file is incomplete, so a new token is generated.
    return null;
  }
}
