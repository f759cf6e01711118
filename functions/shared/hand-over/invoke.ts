import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { PlatenError } from '@platen/core/errors';
import { traced } from '../spans.ts';

/** Milliseconds that the function may take besides the work itself: to start, and to move documents. */
const SLACK_MS = 180_000;

/**
 * Calls another function of the deployment.
 *
 * @param unavailable what is said where it does not answer
 * @returns gives its answer to an order @throws PlatenError `engine_unavailable`; the signal's reason when it is aborted
 */
export function createInvoker<Order extends { timeout: number }, Answer>(
  functionName: string,
  unavailable: string,
): (order: Order, signal: AbortSignal | undefined) => Promise<Answer> {
  let client: LambdaClient | undefined;
  return async (order, signal) => {
    // Where Lambda is comes from the surroundings (`AWS_REGION`, `AWS_ENDPOINT_URL_LAMBDA`).
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
