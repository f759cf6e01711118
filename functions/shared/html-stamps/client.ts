import { PlatenError } from '@platen/core/errors';
import type { PrintHtml } from '@platen/pdf/steps';
import { createInvoker } from '../hand-over/invoke.ts';
import { throughTransfers } from '../hand-over/transfers.ts';
import type { PlatenRequest } from '../http/index.ts';
import type { StampsAnswer, StampsOrder } from './protocol.ts';

/** The request that html is printed for; its warnings name resources that could not be loaded. */
export type StampsRequest = Pick<PlatenRequest, 'tenant' | 'signal' | 'warnings'>;

/** Returns the printer for the html of a request's stamps; undefined for a deployment without a browser. */
export type StampsPrinter = ((request: StampsRequest) => PrintHtml) | undefined;

export interface StampsConfig {
  /** Name of the render function; null for a deployment without it. */
  functionName: string | null;
  /** Bucket for documents that are too large for an invocation. */
  bucket: string;
  /** Most milliseconds for printing. */
  timeout: number;
}

/** Returns a client of this deployment's browser, for functions that have none. */
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
