import { PlatenError } from '@platen/core/errors';
import type { PrintHtml } from '@platen/pdf/steps';
import { createInvoker } from '../hand-over/invoke.ts';
import { throughTransfers } from '../hand-over/transfers.ts';
import type { PlatenRequest } from '../http/index.ts';
import type { StampsAnswer, StampsOrder } from './protocol.ts';

/** For whom html is printed; told in warnings what of it could not be had. */
export type StampsRequest = Pick<PlatenRequest, 'tenant' | 'signal' | 'warnings'>;

/** Gives what prints the html of a request's stamps; undefined for a deployment without a browser. */
export type StampsPrinter = ((request: StampsRequest) => PrintHtml) | undefined;

export interface StampsConfig {
  /** Name of the render function; null for a deployment without it. */
  functionName: string | null;
  /** Bucket through which documents go that are too large for an invocation. */
  bucket: string;
  /** Milliseconds for printing. */
  timeout: number;
}

/** The browser of this deployment, for functions that have none. */
export function createStampsPrinter({ functionName, bucket, timeout }: StampsConfig): StampsPrinter {
  if (functionName === null) return undefined;
  const invoke = createInvoker<StampsOrder, StampsAnswer>(functionName, UNAVAILABLE);
  return ({ tenant, signal, warnings }) =>
    (stamps) =>
      throughTransfers(bucket, async (transfers) => {
        const resultUrl = await transfers.resultUrl();
        const answer = await invoke({ order: 'stamps', tenant, stamps, timeout, resultUrl }, signal);
        if (!answer.ok) throw new PlatenError(answer.code, answer.message);
        warnings.push(...answer.warnings);
        return await transfers.handedOver(answer);
      });
}

const UNAVAILABLE = 'Html cannot be printed right now.';
