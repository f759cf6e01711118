import type { OperationOf, RouteOf } from '@platen/contract/routes';
import type { FunctionGroup, Route } from '@platen/contract/route';
import type { Reply } from './reply.ts';
import type { PlatenRequest } from './request.ts';

/** Makes the document of a request that has been read and validated. */
export type Produce = () => Promise<Reply>;

/**
 * Answers one operation. An operation that makes a document may become a job: it first validates the request,
 * as far as that is quick, throws its errors, and returns the remaining work. That runs at once or in the
 * job; a request that cannot succeed never becomes a job.
 */
export type Operation<O extends string> = (
  request: PlatenRequest<RouteOf<O> extends Route ? RouteOf<O> : Route>,
) => Promise<RouteOf<O> extends { method: 'POST'; success: { document: unknown } } ? Produce : Reply>;

/** The operations of a function group. A missing one is answered with 501. */
export type Operations<G extends FunctionGroup> = { [O in OperationOf<G>]?: Operation<O> };

/** An operation of any route: it returns its answer, or the remaining work if it makes a document. */
export type AnyOperation = (request: PlatenRequest) => Promise<Produce | Reply>;

/** Returns the operation of a route; undefined if there is none. */
export function operationOf(operations: object, { operation }: Route): AnyOperation | undefined {
  return (operations as Record<string, AnyOperation | undefined>)[operation];
}
