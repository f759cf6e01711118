import type { PrintHtml } from '@platen/pdf/steps';
import { warnOnce } from '../shared/http/warnings.ts';
import { svgBrowser } from '../shared/svg-browser.ts';
import { DrawingFonts, type TenantFont } from '../shared/tenant-fonts.ts';
import type { RenderDependencies, RenderRequest } from './plan.ts';

/** Returns the printer for html that stands in other documents. */
export function htmlPrinter(request: RenderRequest, dependencies: RenderDependencies): PrintHtml {
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
