import { warnOfNotes, warnOfViolations } from '@platen/contract/options';
import type { FinishingPlace } from '@platen/pdf/finish';
import type { PrintHtml } from '@platen/pdf/steps';
import { warnOnce } from '../shared/http/warnings.ts';
import { svgBrowser } from '../shared/svg-browser.ts';
import { DrawingFonts, type TenantFont } from '../shared/tenant-fonts.ts';
import type { RenderDependencies, RenderRequest } from './dependencies.ts';
import type { Recorder } from './report/recorder.ts';

/** What documents are finished with, and html that stands in them. */

/** Returns the services that finish the PDFs of a request. */
export function finishingOf(request: RenderRequest, dependencies: RenderDependencies): FinishingPlace {
  const { scratch, signal, warnings } = request;
  const printHtml = htmlPrinter(request, dependencies);
  return { scratch, signal, violated: warnOfViolations(warnings), noted: warnOfNotes(warnings), printHtml };
}

/** Returns the same services, which also record violations for a report. */
export function recorded(finishing: FinishingPlace, recorder: Recorder | null): FinishingPlace {
  if (recorder === null) return finishing;
  const violated: FinishingPlace['violated'] = (violations) => {
    recorder.violations.push(...violations);
    finishing.violated(violations);
  };
  return { ...finishing, violated };
}

/** Returns the printer for html that stands in other documents. */
function htmlPrinter(request: RenderRequest, dependencies: RenderDependencies): PrintHtml {
  // Loaded when needed: few documents have html stamped on them.
  return async (stamps) => (await import('./html/stamps.ts')).printStamps(stamps, request, dependencies);
}

/** Returns the fonts of a tenant for drawings, with the browser for what the engine of SVG cannot draw. */
export function drawingFonts(
  fonts: () => Promise<readonly TenantFont[]>,
  request: RenderRequest,
  dependencies: RenderDependencies,
): DrawingFonts {
  return new DrawingFonts(fonts, warnOnce(request.warnings), svgBrowser(htmlPrinter(request, dependencies)));
}
