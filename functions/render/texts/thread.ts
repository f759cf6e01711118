import { Worker } from 'node:worker_threads';
import { threadEnvironment, workerUrl } from '@platen/core/worker';
import { READY, type TextAnswer, type TextRequest, type ThreadSettings } from './protocol.ts';

/** The stack size in megabytes, many times what the interpreter's own depth limit needs. */
const STACK_MB = 8;

/** Receives the events of a thread, none of them after the thread was ended. */
export interface ThreadListener {
  /** The thread is loaded and takes work. */
  ready(): void;
  answered(answer: TextAnswer): void;
  /** The thread ended unexpectedly. */
  lost(error: NodeJS.ErrnoException): void;
}

/** One thread that works on texts. */
export class TextThread {
  readonly #worker: Worker;
  #listener: ThreadListener | undefined;
  #isReady = false;

  /** @param memory megabytes of its heap */
  constructor(settings: ThreadSettings, memory: number, listener: ThreadListener) {
    this.#listener = listener;
    this.#worker = new Worker(workerUrl(import.meta.url, 'texts.worker'), {
      workerData: settings,
      env: threadEnvironment(),
      resourceLimits: { maxOldGenerationSizeMb: memory, stackSizeMb: STACK_MB },
    });
    this.#worker.unref();
    this.#worker.on('message', (message: TextAnswer | typeof READY) => this.#heard(message));
    this.#worker.on('error', (error: NodeJS.ErrnoException) => this.#listener?.lost(error));
    this.#worker.on('exit', (code) =>
      this.#listener?.lost(new Error(`the thread ended with exit code ${code}`)),
    );
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  #heard(message: TextAnswer | typeof READY): void {
    if (message !== READY) {
      // An idle thread does not keep the process alive.
      this.#worker.unref();
      this.#listener?.answered(message);
      return;
    }
    this.#isReady = true;
    this.#listener?.ready();
  }

  send(request: TextRequest): void {
    this.#worker.ref();
    this.#worker.postMessage(request, []);
  }

  async end(): Promise<void> {
    this.#listener = undefined;
    await this.#worker.terminate();
  }
}
