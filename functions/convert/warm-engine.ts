import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { PlatenError } from '@platen/core/errors';
import { log } from '../shared/log.ts';
import { withinRunning } from '@platen/core/processes';
import { type ConfinementState, isPartial } from './confinement.ts';
import { type HostProcess, ProcessEnded } from './host-process.ts';

/** The limits of an engine that is kept running. */
export interface EngineLimits {
  /** Milliseconds until the engine must take orders. */
  startTimeout: number;
  /** Bytes of resident memory at which the work on a document is ended. */
  maxMemory: number;
  /** The number of documents after which the process is replaced, before leaks and fragmentation add up. */
  documentsPerProcess: number;
}

export interface WarmEngineOptions<P> extends EngineLimits {
  /** The name in errors and in the log. */
  name: string;
  /** The operation as the beginning of a sentence: "Converting". */
  doing: string;
  /** Starts a process. @throws PlatenError `engine_missing`; any other error if it does not start */
  start: (signal: AbortSignal) => Promise<P>;
}

/** Milliseconds between two checks of the memory: a document can fill a few hundred megabytes per second. */
const MEMORY_INTERVAL = 100;
/** The share of the memory limit that an idle process may keep; above it the process is replaced. */
const IDLE_SHARE = 0.5;
/** A crash may be the document's fault or not, so the work is retried once on a fresh process. */
const ATTEMPTS = 2;

/** The reason for killing a process in the middle of its work. */
type Kill = 'timeout' | 'memory';

/**
 * An engine that is kept warm: one process, which works on one document at a time; further documents wait for
 * their turn. Parallel work needs a second function environment.
 */
export class WarmEngine<P extends HostProcess> {
  readonly #options: WarmEngineOptions<P>;
  #current: Promise<P> | undefined;
  /** The process that replaces the current one once it takes orders; the current one works until then. */
  #successor: Promise<P> | undefined;
  /** Resolves when the process that was replaced last has ended. */
  #replaced: Promise<unknown> = Promise.resolve();
  #turn: Promise<unknown> = Promise.resolve();
  #closed = false;
  #confinement: ConfinementState | null = null;

  constructor(options: WarmEngineOptions<P>) {
    this.#options = options;
  }

  /**
   * Starts the engine, so that the first document does not wait.
   *
   * @throws PlatenError `engine_missing`, `engine_unavailable`
   */
  async warm(): Promise<void> {
    await this.#process();
  }

  /**
   * Does the work on one document when its turn has come, and retries it on a fresh process if the first one ends.
   *
   * @param timeout milliseconds, from the start of its turn to its last byte
   * @param work gets a folder that is removed afterwards
   * @throws PlatenError `engine_missing`, `engine_unavailable`, `deadline_exceeded`, `document_too_large`; the errors
   * of `work`
   */
  async run<T>(timeout: number, work: (process: P, folder: string) => Promise<T>): Promise<T> {
    const result = this.#turn.then(() => this.#take(timeout, work));
    this.#turn = result.catch(() => {});
    return await result;
  }

  /** The state of the confinement of the process that was started last; null before the first one. */
  get confinement(): ConfinementState | null {
    return this.#confinement;
  }

  /** Ends the engine and removes all its files. */
  async close(): Promise<void> {
    this.#closed = true;
    const started = [this.#current, this.#successor];
    this.#current = undefined;
    this.#successor = undefined;
    for (const process of started) {
      const running = await process?.catch(() => undefined);
      await running?.kill();
    }
    await this.#replaced;
  }

  async #take<T>(timeout: number, work: (process: P, folder: string) => Promise<T>): Promise<T> {
    const { name, doing } = this.#options;
    const deadline = performance.now() + timeout;
    for (let attempt = 1; ; attempt++) {
      const process = await this.#process();
      try {
        return await this.#attempt(process, deadline, work);
      } catch (error) {
        if (!(error instanceof ProcessEnded)) throw error;
        log.warn(`${name} ended in the middle of a document`, { attempt, stderr: process.stderr });
        if (attempt === ATTEMPTS) {
          const message = `${name} failed: ${doing.toLowerCase()} the document ended it.`;
          throw new PlatenError('engine_unavailable', message, { cause: error });
        }
      } finally {
        await this.#replaceIfWorn(process);
      }
    }
  }

  async #attempt<T>(
    process: P,
    deadline: number,
    work: (process: P, folder: string) => Promise<T>,
  ): Promise<T> {
    const { doing } = this.#options;
    process.documents += 1;
    const folder = path.join(process.folder, `document-${process.documents}`);
    const watch = this.#watch(process, deadline);
    try {
      // Synchronous, because waiting for one of Node's threads takes longer than the work itself, and nothing
      // else runs meanwhile.
      mkdirSync(folder);
      return await work(process, folder);
    } catch (error) {
      const kill = watch();
      const failure = (
        code: 'deadline_exceeded' | 'document_too_large' | 'engine_unavailable',
        what: string,
      ) => new PlatenError(code, what, { cause: error });
      if (kill === 'timeout') throw failure('deadline_exceeded', `${doing} the document took too long.`);
      if (kill === 'memory') {
        throw failure('document_too_large', `${doing} the document takes more memory than available.`);
      }
      if (isDiskFull(error)) {
        throw failure('engine_unavailable', `${doing} the document failed: the disk is full.`);
      }
      throw error;
    } finally {
      watch();
      rmSync(folder, { recursive: true, force: true });
    }
  }

  /**
   * Kills the process at the deadline or if it uses too much memory.
   *
   * @returns a function that ends the watch and returns why it killed the process, if it did
   */
  #watch(process: P, deadline: number): () => Kill | null {
    let killed: Kill | null = null;
    const look = async (): Promise<void> => {
      if (performance.now() > deadline) killed ??= 'timeout';
      else if (process.residentBytes() > this.#options.maxMemory) killed ??= 'memory';
      if (killed !== null) await process.kill();
    };
    const timer = setInterval(() => void look(), MEMORY_INTERVAL);
    return () => {
      clearInterval(timer);
      return killed;
    };
  }

  /** Returns the running process, or starts one. */
  async #process(): Promise<P> {
    const running = await this.#current?.catch(() => undefined);
    if (running?.alive === true) return running;
    if (this.#closed)
      throw new PlatenError('engine_unavailable', `${this.#options.name} has been shut down.`);
    return await this.#startNext();
  }

  /** Makes the process that is being started the current one, or starts one. */
  #startNext(): Promise<P> {
    const next = this.#successor ?? this.#start();
    this.#successor = undefined;
    this.#current = next;
    return next;
  }

  async #start(): Promise<P> {
    const { name, start, startTimeout } = this.#options;
    const started = performance.now();
    try {
      // Lambda may freeze the function between two events; the first start and those of replacements run in
      // the background.
      const process = await withinRunning(startTimeout, start);
      this.#noteConfinement(process.confinement);
      log.info(`${name} started`, { ms: Math.round(performance.now() - started), pid: process.pid });
      return process;
    } catch (error) {
      if (error instanceof PlatenError) throw error;
      throw new PlatenError('engine_unavailable', `${name} does not start.`, { cause: error });
    }
  }

  /** Logs once what the kernel refused, as it refuses the same to each process. */
  #noteConfinement(state: ConfinementState): void {
    const isFirst = this.#confinement === null;
    this.#confinement = state;
    if (!isFirst) return;
    const level = isPartial(state) ? 'warn' : 'info';
    log[level](`${this.#options.name} is confined`, { confinement: state });
  }

  /** Replaces a process that has ended or reached its limits, in the background. */
  async #replaceIfWorn(process: P): Promise<void> {
    const { name, documentsPerProcess, maxMemory } = this.#options;
    if (process.alive && process.residentBytes() <= maxMemory * IDLE_SHARE) {
      const isWorn = process.documents >= documentsPerProcess;
      if (isWorn && this.#successor === undefined && !this.#closed) void this.#prepareSuccessor(process);
      return;
    }
    await process.kill();
    if (this.#closed) return;
    // If the start fails, the next document tries again and reports the error.
    this.#startNext().catch((error: unknown) => log.error(`${name} could not be replaced`, { error }));
  }

  /** Starts the successor of a process, which works until the successor takes orders, so that no document waits. */
  async #prepareSuccessor(worn: P): Promise<void> {
    const successor = this.#start();
    this.#successor = successor;
    try {
      await successor;
    } catch (error) {
      // The next document tries again.
      if (this.#successor === successor) this.#successor = undefined;
      log.error(`${this.#options.name} could not be replaced`, { error });
      return;
    }
    // Not in the middle of a document.
    this.#turn = this.#turn.then(() => this.#replace(worn, successor));
  }

  /** Makes a successor the current process and ends the worn one, unless that has ended and was replaced before. */
  #replace(worn: P, successor: Promise<P>): void {
    if (this.#successor === successor) this.#replaced = Promise.all([this.#startNext(), worn.kill()]);
  }
}

function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
}
