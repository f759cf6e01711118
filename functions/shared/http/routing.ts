import type { Route } from '@platen/contract/route';
import { PlatenError } from '@platen/core/errors';
import type { GatewayEvent } from './event.ts';
import type { GroupServices } from './received.ts';

/** Finds the route of an event. */

/** @throws PlatenError `method_not_allowed`, `route_not_found` */
export async function findRoute(event: GatewayEvent, { routes = [] }: GroupServices): Promise<Route> {
  const isRoute = (entry: Route) => entry.path === event.resource && entry.method === event.httpMethod;
  const route = routes.find(isRoute) ?? (await allRoutes()).find(isRoute);
  if (route) return route;
  const methods = await allowedMethods(event.resource);
  if (methods.length === 0) throw new PlatenError('route_not_found', `There is no route ${event.path}.`);
  throw new PlatenError(
    'method_not_allowed',
    `${event.httpMethod} is not allowed for ${event.path}: use ${methods.join(' or ')}.`,
  );
}

export async function allowedMethods(resource: string): Promise<string[]> {
  return (await allRoutes()).filter((entry) => entry.path === resource).map((entry) => entry.method);
}

/** Imported on first use: creating the schemas of all groups takes a tenth of the start of a function. */
async function allRoutes(): Promise<readonly Route[]> {
  return (await import('@platen/contract/routes')).ROUTES;
}
