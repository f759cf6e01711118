import { withCallback } from './callback.ts';
import type { FunctionGroup, Route } from './route.ts';
import { templateRoutes } from './routes/templates.ts';
import { dataRoutes } from './routes/data.ts';
import { versionRoutes } from './routes/versions.ts';
import { archiveRoutes } from './routes/archives.ts';
import { fontRoutes } from './routes/fonts.ts';
import { partialRoutes } from './routes/partials.ts';
import { renderRoutes } from './routes/render.ts';
import { imageRoutes } from './routes/images.ts';
import { pdfRoutes } from './routes/pdf.ts';
import { pdfStepRoutes } from './routes/pdf-steps.ts';
import { pdfContentRoutes } from './routes/pdf-content.ts';
import { facturXRoutes } from './routes/factur-x.ts';
import { signatureRoutes } from './routes/signatures.ts';
import { translationRoutes } from './routes/translations.ts';
import { jobRoutes } from './routes/jobs.ts';
import { serviceRoutes } from './routes/service.ts';
import { tokenRoutes } from './routes/tokens.ts';

/**
 * The route table of the /v1 interface. API Gateway's resources, the reading of requests, the OpenAPI
 * document, the local gateway and the route tests all derive from it: a new endpoint is one entry here and
 * one function.
 */

const TABLE = [
  ...serviceRoutes,
  ...tokenRoutes,
  ...templateRoutes,
  ...versionRoutes,
  ...archiveRoutes,
  ...dataRoutes,
  ...partialRoutes,
  ...fontRoutes,
  ...translationRoutes,
  ...renderRoutes,
  ...imageRoutes,
  ...pdfRoutes,
  ...pdfStepRoutes,
  ...pdfContentRoutes,
  ...facturXRoutes,
  ...signatureRoutes,
  ...jobRoutes,
] as const;

/** Every route of the service. Routes that can be jobs also take `callback_url`. */
export const ROUTES: readonly Route[] = TABLE.map((route: Route) => withCallback(route));

/** The operations of a function group. */
export type OperationOf<G extends FunctionGroup> = Extract<(typeof TABLE)[number], { group: G }>['operation'];

/** The entry of one operation, with the types of its schemas. */
export type RouteOf<O extends string> = Extract<(typeof TABLE)[number], { operation: O }>;
