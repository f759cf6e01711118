import { type ChildProcess, fork } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { bundleFunctions } from '../../../lib/artifacts/bundle.ts';
import { FUNCTIONS } from '../../../lib/functions.ts';
import type { Order, Outcome } from './verify-child.ts';

/** Processes that carry out steps, as many as there are cores. A thread starts in a tenth of the time in a bundle. */

const ROOT = resolve(import.meta.dirname, '../../..');
export const AT_ONCE = availableParallelism();

export class Pool {
  readonly #program: string;
  readonly #args: readonly string[];
  readonly #longest: number;
  readonly #free: ChildProcess[] = [];

  private constructor(program: string, args: readonly string[], longest: number) {
    this.#program = program;
    this.#args = args;
    this.#longest = longest;
  }

  /**
   * @param scratch a folder for the bundle
   * @param args of verify-child.ts
   * @param longest milliseconds after which an order counts as hung
   */
  static async start(scratch: string, args: readonly string[], longest: number): Promise<Pool> {
    const spec = { ...FUNCTIONS.pdf, entry: 'test/pdf/steps/verify-child.ts' };
    await bundleFunctions(ROOT, new Map([['pdf', spec]]), join(scratch, 'bundle'));
    // What the native layer brings to the function.
    symlinkSync(join(ROOT, 'node_modules'), join(scratch, 'node_modules'));
    return new Pool(join(scratch, 'bundle/pdf/index.mjs'), args, longest);
  }

  /** Has one order done by a process that has nothing else to do; one that ends or hangs is replaced. */
  async carryOut(order: Order): Promise<Outcome> {
    const child = this.#free.pop() ?? this.#started();
    const started = performance.now();
    const ended = (answer: string): Outcome => ({
      answer,
      said: [],
      claims: [],
      milliseconds: performance.now() - started,
    });
    return await new Promise((resolve) => {
      const settle = (outcome: Outcome, isKept: boolean): void => {
        clearTimeout(timer);
        child.removeAllListeners();
        if (isKept) this.#free.push(child);
        else child.kill('SIGKILL');
        resolve(outcome);
      };
      const timer = setTimeout(() => settle(ended('hung'), false), this.#longest);
      child.once('message', (outcome: Outcome) => settle(outcome, true));
      child.once('exit', (code, signal) =>
        settle(ended(`internal_error: the process ended with ${code ?? signal}`), false),
      );
      child.send(order);
    });
  }

  #started(): ChildProcess {
    return fork(this.#program, this.#args, { serialization: 'advanced' });
  }

  end(): void {
    for (const child of this.#free.splice(0)) child.kill('SIGKILL');
  }
}

/** Does that for each, as many at a time as there are cores. */
export async function each<T>(all: Iterable<T>, work: (one: T) => Promise<void>): Promise<void> {
  const left = all[Symbol.iterator]();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let next = left.next(); next.done !== true; next = left.next()) await work(next.value);
    }),
  );
}
