import type { ErrorCode } from '@platen/core/errors';
import type { ErrorPage } from './page.ts';
import { PDF_ERRORS } from './pdfs.ts';
import { REQUEST_ERRORS } from './requests.ts';
import { TEMPLATE_ERRORS } from './templates.ts';

/** A page for each error code of the service. */
export const ERROR_PAGES: Readonly<Record<ErrorCode, ErrorPage>> = {
  ...REQUEST_ERRORS,
  ...TEMPLATE_ERRORS,
  ...PDF_ERRORS,
};
