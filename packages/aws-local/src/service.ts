import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Assembly, readAssembly } from './assembly/index.ts';
import { SPARE_PLACES, startBackend, type Undo } from './backend.ts';
import { Gateway } from './gateway/index.ts';
import { RELAXED, STRICT } from './gateway/limits.ts';
import { homePage } from './home-page.ts';
import { bundleRuntime, type FunctionLoad, type Launcher } from './lambda/index.ts';
import type { Logger } from './log.ts';
import { Metrics, serveOperation } from './operation.ts';
import { Scheduler } from './scheduler.ts';
import { HttpServer } from './server.ts';
import { serveSite, type Site } from './site.ts';
import { cleanUpAfter, readState, removeState, writeState } from './state.ts';
import {
  type Clients,
  deleteExpired,
  openOutsideStorage,
  provision,
  Storage,
  type StorageAccess,
  storageClients,
  type StorageSource,
} from './storage/index.ts';

/** The complete service on this machine, composed of the parts in this folder. */

export interface LocalOptions {
  /** Folder of the synthesised stacks. */
  assembly: string;
  /** Folder for templates, files and tokens. */
  dataDir: string;
  /** External S3 and DynamoDB; by default local ones in `dataDir`. */
  storage?: StorageAccess | undefined;
  /** 0 for any free port. */
  port: number;
  /** `localhost` by default. */
  host?: string | undefined;
  /** Applies the limits of API Gateway and Lambda. */
  strict?: boolean | undefined;
  /** Refuses requests above the rate limit of the stacks; by default as `strict`. */
  throttle?: boolean | undefined;
  /** Whether paths begin with the stage, as API Gateway's own URLs do; `url` then ends with it. */
  stageInPath?: boolean | undefined;
  /** Tasks that this machine runs at a time; one for each core by default. */
  cores?: number | undefined;
  /** Whether so much of a limited memory is in use that another request could end in the kernel's killing a process. */
  isShortOfMemory?: (() => boolean) | undefined;
  /** Maximum requests that one function works on at a time. */
  concurrency?: number | undefined;
  /** Maximum requests that one environment works on at a time, where its function can; one when absent, as on Lambda. */
  perEnvironment?: number | undefined;
  /** Maximum requests that wait for an environment; further ones are refused, as for a throttled function. */
  waiting?: number | undefined;
  /** Milliseconds after which an idle environment is ended. */
  idleMs?: number | undefined;
  /** Variables for all functions, in addition to those of the stacks. */
  variables?: Readonly<Record<string, string>> | undefined;
  /** Factor for pauses before retries, of state machines and of messages. */
  pauseFactor?: number | undefined;
  /** Starts the processes of functions; the default starts ordinary processes. */
  launcher?: Launcher | undefined;
  /** Files served beside the API. */
  sites?: readonly Site[] | undefined;
  log: Logger;
  /** Runs before the first request is accepted. */
  prepare?: ((clients: Clients, assembly: Assembly) => Promise<void>) | undefined;
}

export interface LocalService {
  /** `http://localhost:8080`, with the stage when paths begin with it. */
  url: string;
  /** Returns what each function has to do now. */
  load: () => FunctionLoad[];
  /** Uses these stacks from now on; running requests finish with the previous ones. */
  deploy: (assembly: string) => Promise<void>;
  /**
   * Finishes running requests for a while, answers the rest with 503, then stops everything. A second call waits
   * for the same end, and a patience of 0 ends the waiting for requests.
   */
  stop: (patienceMs?: number) => Promise<void>;
}

const EXPIRY_MS = 60 * 60_000;
const STOP_PATIENCE_MS = 8_000;

/**
 * Starts the service.
 *
 * @throws AssemblyError, StorageError, ListenError: each message states a solution; nothing is left running
 */
export async function startLocal(options: LocalOptions): Promise<LocalService> {
  const undo: Undo = [];
  const stopAll = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) {
      try {
        await step();
      } catch (error) {
        // The other parts have to be stopped nevertheless.
        options.log.error('A part of the service could not be stopped.', error);
      }
    }
  };
  try {
    return await start(options, undo, stopAll);
  } catch (error) {
    await stopAll();
    throw error;
  }
}

interface Folders {
  runFolder: string;
  /** The program that runs functions. */
  runtime: string;
  storage: StorageSource;
  clients: Clients;
}

/** Creates the folder for run-time files, and opens the storage in the data directory. */
async function openFolders({ dataDir, storage: outside, log }: LocalOptions, undo: Undo): Promise<Folders> {
  // The folder is in the system's temporary folder, because paths of sockets are limited to 108 bytes.
  const runFolder = await mkdtemp(join(tmpdir(), 'platen-'));
  // A process that was killed a moment ago may still be writing its last file.
  undo.push(() => rm(runFolder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }));
  const runtime = join(runFolder, 'runtime.mjs');
  const opened = outside === undefined ? Storage.open(dataDir, log) : openOutsideStorage(dataDir, outside);
  const [storage] = await Promise.all([opened, bundleRuntime(runtime)]);
  undo.push(() => storage.close());
  // The process that has opened the storage knows that no other service uses the directory.
  await cleanUpAfter(await readState(dataDir));

  const clients = storageClients(storage.access);
  undo.push(() => {
    clients.dynamodb.destroy();
    clients.s3.destroy();
  });
  return { runFolder, runtime, storage, clients };
}

async function start(options: LocalOptions, undo: Undo, stopAll: () => Promise<void>): Promise<LocalService> {
  const { dataDir, log } = options;
  let assembly = await readAssembly(options.assembly);

  const folders = await openFolders(options, undo);
  const { runFolder, storage, clients } = folders;
  await provision(clients, assembly);
  await options.prepare?.(clients, assembly);

  const cores = options.cores ?? availableParallelism();
  const concurrency = options.concurrency ?? cores + SPARE_PLACES;
  const { lambda, machines, permit, deploy } = await startBackend(
    { ...options, ...folders, cores, concurrency },
    assembly,
    undo,
  );

  const limits = options.strict === true ? STRICT : RELAXED;
  const throttle = options.throttle ?? options.strict ?? false;
  const metrics = new Metrics(() => lambda.load());
  const gateway = new Gateway(assembly, {
    count: (request) => metrics.count(request),
    limits,
    throttle,
    stageInPath: options.stageInPath ?? false,
    spoolFolder: runFolder,
    lambda,
    log,
  });
  let stopped: Promise<void> | undefined;
  const stage = options.stageInPath === true ? `/${assembly.api.stage}` : '';
  const server = await HttpServer.listen({
    host: options.host ?? 'localhost',
    port: options.port,
    maxHeaderSize: limits.headers,
    handler: async (request, response) => {
      const operation = { metrics, isStopping: stopped !== undefined };
      if (!(await serveOperation(operation, request, response)))
        await answer(gateway, stage, options.sites ?? [], request, response);
    },
    refuse: () => gateway.unreadable(),
  });
  const patience = { ms: STOP_PATIENCE_MS };
  undo.push(() => server.close(patience.ms, () => gateway.interrupt()));

  const scheduler = new Scheduler(join(dataDir, 'schedules.json'), assembly.schedules, lambda, log);
  await machines.resume(Date.now());
  await scheduler.start(Date.now());
  undo.push(() => scheduler.stop());
  void scheduler.tick(Date.now());
  undo.push(keepExpiring(() => deleteExpired(clients, assembly, Date.now()), log));

  const url = `http://${urlHost(options.host)}:${server.port}${stage}`;
  await writeState(dataDir, {
    pid: process.pid,
    url,
    runFolder,
    storage: storage.access,
    outputs: Object.fromEntries(assembly.outputs),
  });
  undo.push(() => removeState(dataDir));

  return {
    url,
    load: () => lambda.load(),
    deploy: async (directory) => {
      const next = await readAssembly(directory);
      await permit(next);
      await provision(clients, next);
      await deploy(next);
      gateway.deploy(next);
      scheduler.deploy(next.schedules, Date.now());
      assembly = next;
    },
    stop: async (patienceMs = STOP_PATIENCE_MS) => {
      patience.ms = patienceMs;
      if (patienceMs === 0) server.hurry();
      await (stopped ??= stopAll());
    },
  };
}

/** Deletes expired data now and every hour. @returns a function that stops it */
function keepExpiring(work: () => Promise<unknown>, log: Logger): () => void {
  const expire = (): void => {
    work().catch((error: unknown) => log.warn(`What has expired could not be deleted: ${String(error)}`));
  };
  const expiry = setInterval(expire, EXPIRY_MS);
  expiry.unref();
  expire();
  return () => clearInterval(expiry);
}

async function answer(
  gateway: Gateway,
  stage: string,
  sites: readonly Site[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  for (const site of sites) if (await serveSite(site, stage, request, response)) return;
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (isRead && (request.url === '/' || request.url?.startsWith('/?') === true))
    homePage(request, response, stage);
  else await gateway.handle(request, response);
}

function urlHost(host: string | undefined): string {
  if (host === undefined || host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
