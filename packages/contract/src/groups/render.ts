import type { Route } from '../route.ts';
import { withCallback } from '../callback.ts';
import { renderRoutes } from '../routes/render.ts';

/** The routes of the function group `render`, without the schemas of other groups. */
export const ROUTES_OF_RENDER: readonly Route[] = [...renderRoutes].map(withCallback);
