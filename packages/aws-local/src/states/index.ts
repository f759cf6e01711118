import { setTimeout as sleep } from 'node:timers/promises';
import type { S3Client } from '@aws-sdk/client-s3';
import { GetObjectCommand } from '@aws-sdk/client-s3';
import { queueArn, type StateMachineSpec } from '../assembly/index.ts';
import { FunctionError, invokeWithJson, type Lambda, TooManyRequestsError } from '../lambda/index.ts';
import type { RequiredRight } from '../iam/policy.ts';
import type { Logger } from '../log.ts';
import type { Queues } from '../queues/index.ts';
import { StateError } from './data.ts';
import { StatesError } from './errors.ts';
import { type Actions, runFlow } from './interpreter.ts';
import { type Machine, readMachine } from './language.ts';
import { ExecutionFolder, type ExecutionRecord } from './record.ts';

export type { ExecutionRecord } from './record.ts';

/**
 * AWS Step Functions on this machine: runs the state machines of an assembly, across crashes and restarts.
 */

export interface StatesSettings {
  /** Folder of the executions. */
  folder: string;
  lambda: Pick<Lambda, 'invoke'>;
  s3: S3Client;
  queues: Pick<Queues, 'send'>;
  /** Returns null when a role has the required rights, otherwise the reason. */
  refusal: (role: string | null, needed: readonly RequiredRight[]) => string | null;
  /** Maximum concurrent items of one map. */
  mapConcurrency: number;
  /** Factor for pauses before retries; tests use a small one. */
  pauseFactor?: number | undefined;
  log: Logger;
}

/** Milliseconds between two attempts to write to a full disk. */
const WAIT_FOR_DISK_MS = 10_000;

interface Running {
  abort: AbortController;
  done: Promise<void>;
}

export class StateMachines {
  readonly #settings: StatesSettings;
  readonly #folder: ExecutionFolder;
  readonly #records = new Map<string, ExecutionRecord>();
  readonly #running = new Map<string, Running>();
  #machines = new Map<string, { machine: Machine; role: string | null }>();

  constructor(settings: StatesSettings) {
    this.#settings = settings;
    this.#folder = new ExecutionFolder(settings.folder);
  }

  /**
   * Uses these machines from now on; running executions keep their machine. @throws AssemblyError for a
   * machine that cannot run here
   */
  deploy(specs: readonly StateMachineSpec[]): void {
    this.#machines = new Map(
      specs.map(({ name, arn, role, definition }) => [arn, { machine: readMachine(name, definition), role }]),
    );
  }

  /** Continues the executions that the previous process left unfinished. */
  async resume(now: number): Promise<void> {
    for (const record of await this.#folder.load(now)) {
      this.#records.set(record.name, record);
      if (record.status === 'RUNNING') this.#run(record);
    }
  }

  /** @throws StatesError */
  async start(machine: string, name: string, input: string, now: number): Promise<ExecutionRecord> {
    const found = this.#machines.get(machine);
    if (!found) throw new StatesError('StateMachineDoesNotExist', `There is no state machine ${machine}.`);
    if (!/^[\w-]{1,80}$/.test(name)) throw new StatesError('InvalidName', `${name} is no name.`);
    const known = this.#records.get(name);
    if (known?.status === 'RUNNING' && known.input === input) return known;
    if (known) throw new StatesError('ExecutionAlreadyExists', `There is an execution ${name} already.`);
    const record: ExecutionRecord = {
      name,
      machine,
      input,
      status: 'RUNNING',
      started: now,
      stopped: null,
      state: found.machine.StartAt,
      data: parseInput(input),
      error: null,
      cause: null,
    };
    this.#records.set(name, record);
    try {
      await this.#folder.save(record);
    } catch (error) {
      this.#records.delete(name);
      throw error;
    }
    this.#run(record);
    return record;
  }

  /** @throws StatesError */
  async stop(name: string, error: string | null, cause: string | null): Promise<ExecutionRecord> {
    const record = this.describe(name);
    if (record.status !== 'RUNNING') return record;
    const running = this.#running.get(name);
    await this.#end(record, 'ABORTED', { error, cause });
    running?.abort.abort();
    return record;
  }

  /** @throws StatesError */
  describe(name: string): ExecutionRecord {
    const record = this.#records.get(name);
    if (!record) throw new StatesError('ExecutionDoesNotExist', `There is no execution ${name}.`);
    return record;
  }

  /** Starts nothing more; running executions continue after the next start. */
  async close(): Promise<void> {
    const all = [...this.#running.values()];
    for (const { abort } of all) abort.abort();
    await Promise.all(all.map(({ done }) => done));
  }

  #run(record: ExecutionRecord): void {
    const found = this.#machines.get(record.machine);
    if (!found || !Object.hasOwn(found.machine.States, record.state)) {
      this.#settings.log.error(`The execution ${record.name} cannot go on: its state machine has changed.`);
      void this.#end(record, 'FAILED', { error: 'States.Runtime', cause: 'The state machine has changed.' });
      return;
    }
    const abort = new AbortController();
    const done = this.#follow(found, record, abort.signal).finally(() => this.#running.delete(record.name));
    this.#running.set(record.name, { abort, done });
  }

  async #follow(
    { machine, role }: { machine: Machine; role: string | null },
    record: ExecutionRecord,
    signal: AbortSignal,
  ): Promise<void> {
    const { mapConcurrency, pauseFactor = 1, log } = this.#settings;
    const run = {
      actions: this.#actions(role, tenantOf(record), signal),
      memory: this.#folder.memory(record),
      signal,
      mapConcurrency,
      pauseFactor,
    };
    for (;;) {
      try {
        await runFlow(machine, record, run);
        await this.#end(record, 'SUCCEEDED', { error: null, cause: null });
        return;
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof StateError) {
          log.error(
            `The execution ${record.name} failed in ${record.state}: ${error.error}. ${error.message}`,
          );
          await this.#end(record, 'FAILED', { error: error.error, cause: error.message });
          return;
        }
        // The disk is probably full: the execution continues when there is room again.
        log.error(`The execution ${record.name} cannot note where it is, and waits.`, error);
        await sleep(WAIT_FOR_DISK_MS, undefined, { signal }).catch(() => undefined);
        if (signal.aborted) return;
      }
    }
  }

  async #end(
    record: ExecutionRecord,
    status: ExecutionRecord['status'],
    why: Pick<ExecutionRecord, 'error' | 'cause'>,
  ): Promise<void> {
    Object.assign(record, { status, stopped: Date.now(), ...why });
    try {
      await this.#folder.save(record);
    } catch (error) {
      // The disk is full: after a restart, the last step runs once more.
      this.#settings.log.warn(`The end of the execution ${record.name} cannot be noted: ${String(error)}`);
    }
  }

  #actions(role: string | null, tenant: string | undefined, signal: AbortSignal): Actions {
    const { lambda, s3, queues, refusal } = this.#settings;
    const demand = (error: string, action: string, resource: string): void => {
      const why = refusal(role, [{ action, resource }]);
      if (why !== null) throw new StateError(error, why);
    };
    return {
      invoke: async (functionArn, payload) => {
        demand('Lambda.AWSLambdaException', 'lambda:InvokeFunction', functionArn);
        const name = functionArn.split(':').at(-1) ?? '';
        try {
          return await invokeWithJson(lambda, name, payload, signal, tenant);
        } catch (error) {
          signal.throwIfAborted();
          throw stateError(error);
        }
      },
      send: async (queueUrl, body) => {
        demand('Sqs.SqsException', 'sqs:SendMessage', queueArn(queueUrl));
        try {
          await queues.send(queueUrl, JSON.stringify(body));
        } catch (error) {
          throw new StateError('Sqs.SqsException', String(error));
        }
      },
      readLines: async (bucket, key) => {
        demand('States.ItemReaderFailed', 's3:GetObject', `arn:aws:s3:::${bucket}/${key}`);
        try {
          const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
          return ((await Body?.transformToString()) ?? '').split('\n');
        } catch (error) {
          throw new StateError('States.ItemReaderFailed', String(error));
        }
      },
    };
  }
}

/** Returns Step Functions' error for a function's failure. */
function stateError(error: unknown): StateError {
  if (error instanceof TooManyRequestsError) {
    return new StateError('Lambda.TooManyRequestsException', error.message);
  }
  if (!(error instanceof FunctionError)) return new StateError('Lambda.Unknown', String(error));
  const { type, message, stackTrace } = error;
  return new StateError(type, JSON.stringify({ errorType: type, errorMessage: message, trace: stackTrace }));
}

/** Returns for whom an execution works: its input names the tenant of its job. */
function tenantOf({ input }: ExecutionRecord): string | undefined {
  const tenant = (parseInput(input) as { tenant?: unknown } | null)?.tenant;
  return typeof tenant === 'string' ? tenant : undefined;
}

function parseInput(input: string): unknown {
  try {
    return JSON.parse(input) as unknown;
  } catch {
    throw new StatesError('InvalidExecutionInput', 'The input is not JSON.');
  }
}
