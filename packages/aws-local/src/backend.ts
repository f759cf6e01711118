import { join } from 'node:path';
import type { Assembly } from './assembly/index.ts';
import { Access } from './iam/access.ts';
import { checkEventSources, RoleKeys, rulesOf } from './iam/rules.ts';
import { Lambda, type Launcher, layerRoots } from './lambda/index.ts';
import { InvokeApi } from './lambda/invoke-api.ts';
import type { Logger } from './log.ts';
import { listenForQueues } from './queues/api.ts';
import { Queues } from './queues/index.ts';
import { listenForSecrets, Secrets } from './secrets.ts';
import { listenForStates } from './states/api.ts';
import { StateMachines } from './states/index.ts';
import type { Clients, StorageSource } from './storage/index.ts';

/**
 * The services behind the gateway: functions, queues, state machines and secrets, and the APIs that functions
 * call.
 */

/** Requests of a function beyond the number of cores: functions also wait for storage and browsers. */
export const SPARE_PLACES = 2;
const MAX_WAITING = 500;
const IDLE_MS = 10 * 60_000;

export interface BackendOptions {
  dataDir: string;
  /** Folder for run-time files and the program that runs functions. */
  runFolder: string;
  runtime: string;
  storage: StorageSource;
  clients: Clients;
  /** Tasks that this machine runs at a time. */
  cores: number;
  /** Whether functions should begin nothing more for now, because memory runs out. */
  isShortOfMemory?: (() => boolean) | undefined;
  /** Maximum requests that one function works on at a time. */
  concurrency: number;
  /** Maximum requests that one environment works on at a time; one when absent, as on Lambda. */
  perEnvironment?: number | undefined;
  /** Maximum requests that wait for an environment. */
  waiting?: number | undefined;
  idleMs?: number | undefined;
  variables?: Readonly<Record<string, string>> | undefined;
  pauseFactor?: number | undefined;
  launcher?: Launcher | undefined;
  log: Logger;
}

export interface Backend {
  lambda: Lambda;
  machines: StateMachines;
  /** Applies the roles of these stacks from now on; has to precede the provisioning of their resources. */
  permit(assembly: Assembly): Promise<void>;
  deploy(assembly: Assembly): Promise<void>;
}

/** Steps to undo when the service stops, last first. */
export type Undo = (() => Promise<void> | void)[];

interface Apis {
  invoke: InvokeApi;
  states: Awaited<ReturnType<typeof listenForStates>>;
  queues: Awaited<ReturnType<typeof listenForQueues>>;
  secrets: Awaited<ReturnType<typeof listenForSecrets>>;
}

async function listen(access: Access, undo: Undo): Promise<Apis> {
  const closed = <T extends { close(): Promise<void> | void }>(api: T): T => {
    undo.push(() => api.close());
    return api;
  };
  return {
    invoke: closed(await InvokeApi.listen(access)),
    states: closed(await listenForStates(access)),
    queues: closed(await listenForQueues(access)),
    secrets: closed(await listenForSecrets(access)),
  };
}

function makeLambda(options: BackendOptions, keys: RoleKeys, apis: Apis): Lambda {
  const { storage, runFolder, log } = options;
  return new Lambda(
    {
      runtime: options.runtime,
      tmpRoot: runFolder,
      layerRoot: layerRoots(join(runFolder, 'layers')),
      // Outside storage has one pair of keys for all callers.
      credentials: ({ role }) => (storage.isOutside ? storage.access.credentials : keys.of(role)),
      endpoints: {
        ...storage.access.endpoints,
        lambda: apis.invoke.endpoint,
        sfn: apis.states.endpoint,
        sqs: apis.queues.endpoint,
        secrets: apis.secrets.endpoint,
      },
      variables: options.variables ?? {},
      launcher: options.launcher,
      eventsAtATime: options.perEnvironment,
    },
    {
      concurrency: options.concurrency,
      // More LibreOffices than cores would slow down one another.
      environments: options.perEnvironment === undefined ? undefined : options.cores,
      isShortOfMemory: options.isShortOfMemory,
      waiting: options.waiting ?? MAX_WAITING,
      idleMs: options.idleMs ?? IDLE_MS,
    },
    ({ label }, _stream, source) => log.lines(label, source),
  );
}

/** Starts the backend with the stacks of `assembly`. @throws AssemblyError, StorageError, ListenError */
export async function startBackend(
  options: BackendOptions,
  assembly: Assembly,
  undo: Undo,
): Promise<Backend> {
  const { dataDir, storage, clients, concurrency, pauseFactor, log } = options;
  const access = new Access(storage.access.credentials);
  const keys = new RoleKeys();
  const permit = async (stacks: Assembly): Promise<void> => {
    const rules = rulesOf(stacks, keys);
    access.deploy(rules);
    checkEventSources(stacks, access);
    await storage.permit(rules);
  };
  await permit(assembly);
  const apis = await listen(access, undo);
  const secrets = new Secrets(join(dataDir, 'secrets'));
  await secrets.deploy(assembly.secrets);
  apis.secrets.serve(secrets);
  const lambda = makeLambda(options, keys, apis);
  undo.push(() => lambda.stop());
  apis.invoke.serve(lambda);
  lambda.deploy(assembly.functions);
  const queues = new Queues({ folder: join(dataDir, 'queues'), lambda, pauseFactor, log });
  undo.push(() => queues.close());
  await queues.deploy(assembly.queues, assembly.eventSources);
  apis.queues.serve(queues);
  const machines = new StateMachines({
    folder: join(dataDir, 'executions'),
    lambda,
    s3: clients.s3,
    queues,
    refusal: (role, needed) => access.refusalOfRole(role, needed),
    // A batch leaves places for synchronous requests.
    mapConcurrency: Math.max(1, concurrency - SPARE_PLACES),
    pauseFactor,
    log,
  });
  machines.deploy(assembly.machines);
  undo.push(() => machines.close());
  apis.states.serve(machines);
  return {
    lambda,
    machines,
    permit,
    deploy: async (next) => {
      await secrets.deploy(next.secrets);
      lambda.deploy(next.functions);
      await queues.deploy(next.queues, next.eventSources);
      machines.deploy(next.machines);
    },
  };
}
