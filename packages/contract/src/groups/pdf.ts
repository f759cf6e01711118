import type { Route } from '../route.ts';
import { withCallback } from '../callback.ts';
import { pdfRoutes } from '../routes/pdf.ts';
import { pdfStepRoutes } from '../routes/pdf-steps.ts';
import { pdfContentRoutes } from '../routes/pdf-content.ts';
import { facturXRoutes } from '../routes/factur-x.ts';
import { signatureRoutes } from '../routes/signatures.ts';

const table = [
  ...pdfRoutes,
  ...pdfStepRoutes,
  ...pdfContentRoutes,
  ...facturXRoutes,
  ...signatureRoutes,
] as const;

/** An entry of the group, with the types of its schemas. */
export type PdfRoute = (typeof table)[number];

/** The routes of the function group `pdf`, without the schemas of other groups. */
export const ROUTES_OF_PDF: readonly Route[] = table.map((route: Route) => withCallback(route));
