import type { Route } from '../route.ts';
import { withCallback } from '../callback.ts';
import { imageRoutes } from '../routes/images.ts';

const table = [...imageRoutes] as const;

/** An entry of the group, with the types of its schemas. */
export type ImageRoute = (typeof table)[number];

/** The routes of the function group `images`, without the schemas of other groups. */
export const ROUTES_OF_IMAGES: readonly Route[] = table.map((route: Route) => withCallback(route));
