import type { ErrorCode } from '@platen/core/errors';
import type { HtmlStamps } from '@platen/pdf/steps';
import { isOrder } from '../hand-over/order.ts';
import type { TransferredResult } from '../hand-over/result.ts';

/** The messages between the render function and functions without a browser. */

/** Html to be printed for the pages of a document. */
export interface StampsOrder {
  order: 'stamps';
  /** The owner of the html: no tenant can see the prints of another one. */
  tenant: string;
  stamps: HtmlStamps;
  /** Milliseconds for the work. */
  timeout: number;
  /** The address for a result that is too large for the answer (PUT). */
  resultUrl: string;
}

export type StampsAnswer =
  ({ ok: true; warnings: string[] } & TransferredResult) | { ok: false; code: ErrorCode; message: string };

/** Returns whether a function is invoked with such an order. */
export function isStampsOrder(event: unknown): event is StampsOrder {
  return isOrder(event, 'stamps');
}
