import type * as Lambda from '@aws-sdk/client-lambda';
import { PlatenError } from '@platen/core/errors';
import { traced } from '../spans.ts';

/** Milliseconds that the function may take besides the work itself: to start, and to move documents. */
const SLACK_MS = 180_000;

/**
 * Returns a client of another function of the deployment.
 *
 * @param unavailable the message if it does not answer
 * @returns sends an order and returns the answer @throws PlatenError `engine_unavailable`; the signal's reason
 */
export function createInvoker<Order extends { timeout: number }, Answer>(
  functionName: string,
  unavailable: string,
): (order: Order, signal: AbortSignal | undefined) => Promise<Answer> {
  let client: Lambda.LambdaClient | undefined;
  return async (order, signal) => {
    // Imported on first use: most requests call no other function, and the import would delay the start.
    const { InvokeCommand, LambdaClient } = await import('@aws-sdk/client-lambda');
    // The environment configures the address of Lambda (`AWS_REGION`, `AWS_ENDPOINT_URL_LAMBDA`).
    client ??= traced(new LambdaClient({ requestHandler: { connectionTimeout: 5_000 } }));
    const command = new InvokeCommand({ FunctionName: functionName, Payload: JSON.stringify(order) });
    try {
      const { FunctionError, Payload } = await client.send(command, {
        requestTimeout: order.timeout + SLACK_MS,
        ...(signal === undefined ? {} : { abortSignal: signal }),
      });
      const text = Payload?.transformToString() ?? '';
      if (FunctionError !== undefined) throw new Error(`${FunctionError}: ${text.slice(0, 500)}`);
      return JSON.parse(text) as Answer;
    } catch (error) {
      signal?.throwIfAborted();
      throw new PlatenError('engine_unavailable', unavailable, { cause: error });
    }
  };
}
