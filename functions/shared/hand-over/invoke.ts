import { setTimeout as sleep } from 'node:timers/promises';
import type * as Lambda from '@aws-sdk/client-lambda';
import { PlatenError } from '@platen/core/errors';
import { traced } from '../spans.ts';

/** Milliseconds that the function may take besides the work itself: to start, and to move documents. */
const SLACK_MS = 180_000;

/**
 * Errors of a function that is not ready yet. Lambda deactivates functions from images and functions in a VPC that
 * were not called for weeks; the first call then fails, and activates them within about 90 seconds.
 */
const NOT_READY = new Set(['ResourceNotReadyException', 'ENINotReadyException', 'ResourceConflictException']);
/** Errors of a function without capacity, after the retries of the SDK. */
const BUSY = new Set([
  'TooManyRequestsException',
  'EC2ThrottledException',
  'ENILimitReachedException',
  'SubnetIPAddressLimitReachedException',
]);
/** Milliseconds for which a function that is not ready is called again. */
const ACTIVATION_MS = 120_000;
/** Milliseconds between the calls, at first and at most; each pause is twice as long as the one before. */
const PAUSE_MS = { first: 1_000, longest: 10_000 };

/**
 * Returns a client of another function of the deployment. It waits up to two minutes for an inactive function.
 *
 * @param unavailable the message if it does not answer
 * @returns sends an order and returns the answer @throws PlatenError `engine_unavailable`, `service_busy` if the
 *   function has no capacity or stays inactive; the signal's reason
 */
export function createInvoker<Order extends { timeout: number }, Answer>(
  functionName: string,
  unavailable: string,
): (order: Order, signal: AbortSignal | undefined) => Promise<Answer> {
  let client: Lambda.LambdaClient | undefined;

  const invoke = async (order: Order, signal: AbortSignal | undefined): Promise<Answer> => {
    // Imported on first use: most requests call no other function, and the import would delay the start.
    const { InvokeCommand, LambdaClient } = await import('@aws-sdk/client-lambda');
    // The environment configures the address of Lambda (`AWS_REGION`, `AWS_ENDPOINT_URL_LAMBDA`).
    client ??= traced(new LambdaClient({ requestHandler: { connectionTimeout: 5_000 } }));
    const command = new InvokeCommand({ FunctionName: functionName, Payload: JSON.stringify(order) });
    const { FunctionError, Payload } = await client.send(command, {
      requestTimeout: order.timeout + SLACK_MS,
      ...(signal === undefined ? {} : { abortSignal: signal }),
    });
    const text = Payload?.transformToString() ?? '';
    if (FunctionError !== undefined) throw new Error(`${FunctionError}: ${text.slice(0, 500)}`);
    return JSON.parse(text) as Answer;
  };

  return async (order, signal) => {
    const started = performance.now();
    for (let pause = PAUSE_MS.first; ; pause = Math.min(2 * pause, PAUSE_MS.longest)) {
      try {
        return await invoke(order, signal);
      } catch (error) {
        signal?.throwIfAborted();
        const name = error instanceof Error ? error.name : '';
        const isActivating = NOT_READY.has(name);
        if (!isActivating || performance.now() - started + pause > ACTIVATION_MS) {
          const code = isActivating || BUSY.has(name) ? 'service_busy' : 'engine_unavailable';
          throw new PlatenError(code, unavailable, { cause: error });
        }
      }
      // The abortion of the pause has an error of its own; the request ends with the reason of its signal.
      await sleep(pause, undefined, { signal }).catch(() => signal?.throwIfAborted());
    }
  };
}
