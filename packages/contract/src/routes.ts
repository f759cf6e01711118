import * as z from 'zod';
import { canBeJob, type FunctionGroup, type Route } from './route.ts';
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
 * THE table of the /v1 surface. API Gateway's resources, request reading, the OpenAPI document, the local
 * gateway and the route tests all come from it: adding an endpoint is one entry here and one function.
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

const callback = {
  callback_url: z
    .string()
    .max(2048)
    .optional()
    .meta({ description: 'With `Prefer: respond-async`: where to post to when the job has ended.' }),
};

/** Every route of the service. What can be a job takes the address to be called at its end. */
export const ROUTES: readonly Route[] = TABLE.map((route: Route) =>
  canBeJob(route) ? { ...route, form: (route.form ?? z.object({})).extend(callback) } : route,
);

/** The operations a function group answers. */
export type OperationOf<G extends FunctionGroup> = Extract<(typeof TABLE)[number], { group: G }>['operation'];

/** The entry of one operation, with its schemas' types. */
export type RouteOf<O extends string> = Extract<(typeof TABLE)[number], { operation: O }>;
