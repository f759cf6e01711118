import type { Route } from '../route.ts';
import { withCallback } from '../callback.ts';
import { renderRoutes } from '../routes/render.ts';

const table = [...renderRoutes] as const;

/** An entry of the group, with the types of its schemas. */
export type RenderRoute = (typeof table)[number];

/** The routes of the function group `render`, without the schemas of other groups. */
export const ROUTES_OF_RENDER: readonly Route[] = table.map((route: Route) => withCallback(route));
