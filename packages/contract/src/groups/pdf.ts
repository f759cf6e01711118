import type { Route } from '../route.ts';
import { withCallback } from '../callback.ts';
import { pdfRoutes } from '../routes/pdf.ts';
import { pdfStepRoutes } from '../routes/pdf-steps.ts';
import { pdfContentRoutes } from '../routes/pdf-content.ts';
import { facturXRoutes } from '../routes/factur-x.ts';
import { signatureRoutes } from '../routes/signatures.ts';

/** The routes of the function group `pdf`, without the schemas of other groups. */
export const ROUTES_OF_PDF: readonly Route[] = [
  ...pdfRoutes,
  ...pdfStepRoutes,
  ...pdfContentRoutes,
  ...facturXRoutes,
  ...signatureRoutes,
].map(withCallback);
