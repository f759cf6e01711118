import { dynamoClient } from '../../functions/shared/store/storage/dynamodb.ts';
import { s3Client } from '../../functions/shared/store/storage/objects.ts';

/** Makes the storage fail for one command, on the way to it or on the way back. */

type Send = (command: string, send: () => Promise<unknown>) => Promise<unknown>;

interface Middleware {
  (
    next: (args: object) => Promise<unknown>,
    context: { commandName?: string },
  ): (args: object) => Promise<unknown>;
}
interface Stack {
  add(
    middleware: Middleware,
    options: { step: 'initialize' | 'finalizeRequest'; name: string; override: boolean },
  ): void;
  remove(name: string): boolean;
}

/**
 * Puts `intercept` around every command of one client while `work` runs.
 *
 * @param step `initialize`: outside of the SDK's own retries; `finalizeRequest`: one attempt
 */
export async function intercepting<T>(
  service: 's3' | 'dynamo',
  intercept: Send,
  work: () => Promise<T>,
  step: 'initialize' | 'finalizeRequest' = 'initialize',
): Promise<T> {
  const client = service === 's3' ? s3Client() : dynamoClient();
  const stack = client.middlewareStack as unknown as Stack;
  const name = 'test-intercept';
  stack.add((next, context) => (args) => intercept(context.commandName ?? '', () => next(args)), {
    step,
    name,
    override: true,
  });
  try {
    return await work();
  } finally {
    stack.remove(name);
  }
}

export function connectionLost(): never {
  throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
}

/** The request never gets there. */
export function failing(...commands: string[]): Send {
  return async (command, send) => (commands.includes(command) ? connectionLost() : await send());
}

/** The request gets there and is carried out, its answer is lost. */
export function answerLost(...commands: string[]): Send {
  return async (command, send) => {
    const answer = await send();
    return commands.includes(command) ? connectionLost() : answer;
  };
}

/** Fails before the n-th write of `work`: no later call reaches the storage. @returns whether it came to that write */
export async function failingBefore(n: number, work: () => Promise<unknown>): Promise<boolean> {
  let writes = 0;
  let isDead = false;
  const die: Send = async (command, send) => {
    if (/^(?:Put|Update|Delete|Copy)/.test(command)) writes += 1;
    isDead ||= writes >= n;
    return isDead ? connectionLost() : await send();
  };
  await intercepting('s3', die, () => intercepting('dynamo', die, work)).catch(() => null);
  return isDead;
}
