import type { Route } from '../route.ts';
import { withCallback } from '../callback.ts';
import { tokenRoutes } from '../routes/tokens.ts';

const table = [...tokenRoutes] as const;

/** An entry of the group, with the types of its schemas. */
export type TokenRoute = (typeof table)[number];

/** The routes of the function group `tokens`, without the schemas of other groups. */
export const ROUTES_OF_TOKENS: readonly Route[] = table.map((route: Route) => withCallback(route));
