import type { Route } from '../route.ts';
import { withCallback } from '../callback.ts';
import { imageRoutes } from '../routes/images.ts';

/** The routes of the function group `images`, without the schemas of other groups. */
export const ROUTES_OF_IMAGES: readonly Route[] = [...imageRoutes].map(withCallback);
