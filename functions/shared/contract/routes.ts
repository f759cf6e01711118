import type { FunctionGroup, Route } from './route.ts';
import { templateRoutes } from './routes/templates.ts';
import { renderRoutes } from './routes/render.ts';
import { imageRoutes } from './routes/images.ts';
import { pdfRoutes } from './routes/pdf.ts';
import { jobRoutes } from './routes/jobs.ts';
import { serviceRoutes } from './routes/service.ts';

/**
 * THE table of the /v1 surface. API Gateway's resources, request reading, the OpenAPI document, the local
 * gateway and the route tests all come from it: adding an endpoint is one entry here and one function.
 */

const TABLE = [
  ...serviceRoutes,
  ...templateRoutes,
  ...renderRoutes,
  ...imageRoutes,
  ...pdfRoutes,
  ...jobRoutes,
] as const;

/** Every route of the service. */
export const ROUTES: readonly Route[] = TABLE;

/** The operations a function group answers. */
export type OperationOf<G extends FunctionGroup> = Extract<(typeof TABLE)[number], { group: G }>['operation'];

/** The entry of one operation, with its schemas' types. */
export type RouteOf<O extends string> = Extract<(typeof TABLE)[number], { operation: O }>;
