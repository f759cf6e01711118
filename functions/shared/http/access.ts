import { type Route, scopesOf } from '@platen/contract/route';
import { PlatenError } from '@platen/core/errors';
import { caller, type Caller, type GatewayEvent } from './event.ts';

/** Who may use a route. */

const NO_CALLER: Caller = { tenant: '', name: null, scopes: new Set(), expiresAt: null, limits: null };

/** Returns true if the scopes allow a route. */
export function hasScope(route: Pick<Route, 'access'>, { scopes }: Caller): boolean {
  const wanted = scopesOf(route);
  return wanted.length === 0 || wanted.some((scope) => scopes.has(scope));
}

/** @throws PlatenError `insufficient_scope` */
export function demandScope(route: Pick<Route, 'access'>, who: Caller): void {
  if (hasScope(route, who)) return;
  const wanted = scopesOf(route).join(' or ');
  throw new PlatenError('insufficient_scope', `This route requires a token with the scope ${wanted}.`);
}

/** @throws PlatenError `unauthorized`, `token_expired`, `insufficient_scope` */
export function authorize(route: Route, event: GatewayEvent): Caller {
  if (route.access === 'open') return NO_CALLER;
  const who = caller(event, Date.now());
  if (!who) throw new PlatenError('unauthorized', 'Send a valid token in the Authorization header.');
  demandScope(route, who);
  return who;
}
