import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../log.ts';
import { type AccessRules, NO_ACCESS_RULES } from '../iam/access.ts';
import { newCredentials } from '../iam/rules.ts';
import { SMALL_YOUNG_GENERATION } from '../node-options.ts';
import type { Ports, StorageCommand, StorageFault, StorageEvent, StorageOrder } from './messages.ts';
import { type StorageAccess, StorageError, type StorageSource } from './source.ts';

export { deleteExpired } from './expiry.ts';
export { provision } from './provision.ts';
export { type Clients, storageClients } from './clients.ts';
export { openOutsideStorage } from './outside.ts';
export type { Credentials } from './signature.ts';
export { type StorageAccess, StorageError, type StorageSource } from './source.ts';

/** Maximum wait for a lock: a killed service leaves its storage running for a moment. */
const LOCK_PATIENCE_MS = 5_000;
const RESTART_DELAY_MS = 1_000;
const STOP_PATIENCE_MS = 10_000;

/** S3 and DynamoDB over a data directory, kept running until `close`. */
export class Storage implements StorageSource {
  readonly access: StorageAccess;
  readonly isOutside = false;
  readonly #order: StorageOrder;
  readonly #log: Logger;
  #process: ChildProcess;
  #closing = false;

  private constructor(order: StorageOrder, child: ChildProcess, log: Logger) {
    this.#order = order;
    this.#process = child;
    this.#log = log;
    this.access = {
      // An IP address makes the SDK put the bucket into the path, which needs no DNS.
      endpoints: {
        s3: `http://127.0.0.1:${order.ports.s3}`,
        dynamodb: `http://127.0.0.1:${order.ports.dynamodb}`,
      },
      credentials: order.credentials,
    };
    this.#watch(child);
  }

  /** @throws StorageError when the directory is in use or damaged, or the disk is full */
  static async open(folder: string, log: Logger): Promise<Storage> {
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
    } catch (error) {
      throw new StorageError(`The data directory ${folder} cannot be made: ${(error as Error).message}.`);
    }
    const order: StorageOrder = {
      folder,
      ports: { s3: 0, dynamodb: 0 },
      credentials: newCredentials(),
      rules: NO_ACCESS_RULES,
    };
    for (const started = Date.now(); ; await sleep(200)) {
      const { child, outcome } = launch(order);
      const result = await outcome;
      if ('ports' in result) return new Storage({ ...order, ports: result.ports }, child, log);
      if (result.fault.reason !== 'locked' || Date.now() - started > LOCK_PATIENCE_MS) {
        throw new StorageError(explain(folder, result.fault));
      }
    }
  }

  /** Applies these rules to all callers except the owner. It has no effect during a restart. */
  async permit(rules: AccessRules): Promise<void> {
    this.#order.rules = rules;
    const child = this.#process;
    const permitted = new Promise<void>((resolve) => {
      child.on('message', (news: StorageEvent) => {
        if (news.type === 'permitted') resolve();
      });
      // The next process starts with these rules.
      child.once('exit', () => resolve());
    });
    if (!child.connected) return;
    child.send({ type: 'permit', rules } satisfies StorageCommand);
    await permitted;
  }

  /** Waits for running writes, then ends the process. */
  async close(): Promise<void> {
    this.#closing = true;
    const child = this.#process;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    if (child.connected) child.send({ type: 'stop' } satisfies StorageCommand);
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_PATIENCE_MS);
    await exited;
    clearTimeout(timer);
  }

  /**
   * Restarts the process when it ends by itself, on the same ports, because the functions have its addresses.
   */
  #watch(child: ChildProcess): void {
    let fault: StorageFault | undefined;
    child.on('message', (news: StorageEvent) => {
      if (news.type === 'failed') ({ fault } = news);
    });
    child.once('exit', (code, signal) => {
      if (this.#closing) return;
      const why = fault ? explain(this.#order.folder, fault) : `It ended with ${signal ?? code}.`;
      this.#log.error(`The storage failed and is started again. ${why}`);
      void this.#restart();
    });
  }

  async #restart(): Promise<void> {
    for (;;) {
      await sleep(RESTART_DELAY_MS);
      if (this.#closing) return;
      const { child, outcome } = launch(this.#order);
      this.#process = child;
      const result = await outcome;
      if ('ports' in result) {
        this.#watch(child);
        return;
      }
    }
  }
}

function launch(order: StorageOrder): {
  child: ChildProcess;
  outcome: Promise<{ ports: Ports } | { fault: StorageFault }>;
} {
  const child = spawn(
    process.execPath,
    [
      SMALL_YOUNG_GENERATION,
      '--disable-warning=ExperimentalWarning',
      fileURLToPath(new URL(`./process${extname(import.meta.url)}`, import.meta.url)),
    ],
    { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
  );
  child.send(order);
  const outcome = new Promise<{ ports: Ports } | { fault: StorageFault }>((resolve) => {
    child.on('message', (news: StorageEvent) => {
      if (news.type === 'ready') resolve({ ports: news.ports });
      if (news.type === 'failed') resolve({ fault: news.fault });
    });
    child.once('error', (error) => resolve({ fault: { reason: 'other', message: error.message } }));
    child.once('exit', (code, signal) =>
      resolve({ fault: { reason: 'other', message: `its process ended with ${signal ?? code}` } }),
    );
  });
  return { child, outcome };
}

function explain(folder: string, { reason, message }: StorageFault): string {
  const sentences: Record<StorageFault['reason'], string> = {
    locked: `is in use by another service. Stop that one, or set PLATEN_DATA_DIR to another directory.`,
    damaged: `holds damaged data (${message}). Restore it from a backup, or move it away to start with an empty one.`,
    full: `lies on a disk that is full. Free some space, or set PLATEN_DATA_DIR to a directory elsewhere.`,
    other: `cannot be opened: ${message}.`,
  };
  return `The data directory ${folder} ${sentences[reason]}`;
}
