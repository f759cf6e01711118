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
import { studioSite } from './studio.ts';

/** The local service with our stacks and a token to call it with. */

export const ROOT = path.resolve(import.meta.dirname, '..');
export const DEFAULT_DATA_DIR = path.join(ROOT, '.platen');

/** Output of the stacks that names the table of tokens. */
export const TOKENS_OUTPUT = 'TokensTable';

const TENANT = 'local';

export interface ServiceOptions {
  /** 0 for any port that is free. */
  port: number;
  /** `localhost`, which is this machine only, when absent. */
  host?: string | undefined;
  dataDir: string;
  /** S3 and DynamoDB that somebody else runs; those of this machine, in `dataDir`, when absent. */
  storage?: StorageAccess | undefined;
  /** Takes no more than API Gateway and Lambda do. */
  strict?: boolean | undefined;
  /** Refuses more requests a second than the stacks allow; as `strict` when absent. */
  throttle?: boolean | undefined;
  /** Whether addresses begin with the stage, as those that API Gateway gives an API. */
  stageInPath?: boolean | undefined;
  /** A token to accept, of the tenant `local`; one is made up when absent. */
  token?: string | undefined;
  /** Variables for all functions, on top of those of the stacks. */
  env?: Readonly<Record<string, string>> | undefined;
  /** Most execution environments of one function at a time. */
  concurrency?: number | undefined;
  /** Of pauses before retries, against those on AWS: for tests. */
  pauseFactor?: number | undefined;
  /** How the processes of functions are started; as any other of this machine when absent. */
  launcher?: Launcher | undefined;
  log?: Logger | undefined;
  /** Called when the stacks have to be synthesised first, which takes seconds. */
  synthesising?: (() => void) | undefined;
  /** Called with what the synthesis prints. */
  progress?: ((text: string) => void) | undefined;
  /** Ends a synthesis that is under way. */
  signal?: AbortSignal | undefined;
}

export interface Service extends LocalService {
  /** A token the service accepts. */
  token: string;
  studio: ReturnType<typeof studioSite>;
}

/**
 * Starts the service; the stacks are synthesised first when something they are made of has changed.
 *
 * @throws SynthError, AssemblyError, StorageError, ListenError, PlatenError for a token that cannot be: each says
 *   what to do, and nothing is left running
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
  const studio = studioSite(ROOT, options.signal);
  const service = await startLocal({
    assembly: directory,
    dataDir: options.dataDir,
    storage: options.storage,
    port: options.port,
    host: options.host,
    strict: options.strict,
    throttle: options.throttle,
    stageInPath: options.stageInPath,
    concurrency: options.concurrency,
    pauseFactor: options.pauseFactor,
    launcher: options.launcher,
    // The browser is unpacked once for all environments and starts, not into the /tmp of each.
    variables: { PLATEN_CHROME_DIR: engineDir, ...options.env },
    site: studio,
    log: options.log ?? silentLogger,
    prepare: async (clients, assembly) => {
      studio.sendTo(await originOf(clients));
      token = await startToken(options, tokenStore(clients, assembly));
    },
  });
  return { ...service, token, studio };
}

/** Where forms of uploads are posted to. */
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

/** What is kept of the token of a start. */
interface StartToken {
  id: string;
  /** Only of one that was made up: one that an operator chose is the operator's to keep. */
  token?: string;
}

/**
 * The token of this start: the one asked for, or the one made up at an earlier start. There is one at a time: when it
 * changes, the one before is revoked.
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
    // The first start, or a note that was cut off: then a new token is made.
    return null;
  }
}
