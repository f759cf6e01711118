import type { ErrorCode } from '@platen/core/error-codes';
import type { HtmlStamps } from '@platen/pdf/steps';
import type { HandedOver } from '../hand-over/result.ts';

/** What functions without a browser, and the render function, say to each other. */

/** Html to be printed for the pages of a document. */
export interface StampsOrder {
  order: 'stamps';
  /** Whose html it is: what one tenant has printed is never seen by another's. */
  tenant: string;
  stamps: HtmlStamps;
  /** Milliseconds for the work. */
  timeout: number;
  /** Where a result goes that is too large for the answer (PUT). */
  resultUrl: string;
}

export type StampsAnswer =
  ({ ok: true; warnings: string[] } & HandedOver) | { ok: false; code: ErrorCode; message: string };

/** Whether a function is invoked with such an order. */
export function isStampsOrder(event: unknown): event is StampsOrder {
  return typeof event === 'object' && event !== null && 'order' in event && event.order === 'stamps';
}
