import { withCallback } from './callback.ts';
import { type ImageRoute, ROUTES_OF_IMAGES } from './groups/images.ts';
import { type PdfRoute, ROUTES_OF_PDF } from './groups/pdf.ts';
import { type RenderRoute, ROUTES_OF_RENDER } from './groups/render.ts';
import { ROUTES_OF_TEMPLATES, type TemplateRoute } from './groups/templates.ts';
import { ROUTES_OF_TOKENS, type TokenRoute } from './groups/tokens.ts';
import type { FunctionGroup, Route } from './route.ts';
import { jobRoutes } from './routes/jobs.ts';
import { serviceRoutes } from './routes/service.ts';

/**
 * The route table of the /v1 interface. API Gateway's resources, the reading of requests, the OpenAPI document, the
 * local gateway and the route tests all derive from it: a new endpoint is one entry in the routes of its group, the
 * schema of its JSON in responses.ts, and one function. Routes that can be jobs also take `callback_url`.
 */
export const ROUTES: readonly Route[] = [
  ...serviceRoutes.map((route: Route) => withCallback(route)),
  ...ROUTES_OF_TOKENS,
  ...ROUTES_OF_TEMPLATES,
  ...ROUTES_OF_RENDER,
  ...ROUTES_OF_IMAGES,
  ...ROUTES_OF_PDF,
  ...jobRoutes.map((route: Route) => withCallback(route)),
];

type Entry =
  | (typeof serviceRoutes)[number]
  | TokenRoute
  | TemplateRoute
  | RenderRoute
  | ImageRoute
  | PdfRoute
  | (typeof jobRoutes)[number];

/** The operations that respond with JSON. */
export type JsonOperation = Extract<Entry, { success: { json: true } }>['operation'];

/** The operations of a function group. */
export type OperationOf<G extends FunctionGroup> = Extract<Entry, { group: G }>['operation'];

/** The entry of one operation, with the types of its schemas. */
export type RouteOf<O extends string> = Extract<Entry, { operation: O }>;
