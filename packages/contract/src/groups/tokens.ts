import type { Route } from '../route.ts';
import { withCallback } from '../callback.ts';
import { tokenRoutes } from '../routes/tokens.ts';

/** The routes of the function group `tokens`, without the schemas of other groups. */
export const ROUTES_OF_TOKENS: readonly Route[] = [...tokenRoutes].map(withCallback);
