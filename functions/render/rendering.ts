import type { FinishingPlace } from '@platen/pdf/finish';
import { isWebFormat } from '@platen/print';
import type { DrawingFonts } from '../shared/tenant-fonts.ts';
import type { RenderDependencies, RenderRequest } from './dependencies.ts';
import { type FormFiles, openForm } from './form-files.ts';
import { FoundInRecords } from './found.ts';
import { warningOfOtherTags } from './html/other-tags.ts';
import type { Plan } from './plan.ts';
import { drawingFonts, finishingOf } from './finishing.ts';
import { openPrinting, type Printing } from './printing.ts';

/** A request whose plan is being carried out. */

/** What the documents of a request are made with, and what is found about them. */
export interface Rendering extends Printing, Pick<RenderDependencies, 'converter' | 'fonts' | 'images'> {
  plan: Plan;
  /** Returns a folder for temporary files, which is removed afterwards. */
  scratch: () => Promise<string>;
  finishing: FinishingPlace;
  /** The fonts of the tenant, for drawings in office documents. */
  drawingFonts: DrawingFonts;
  /** The form that the template is; null for none. */
  form: FormFiles | null;
  /** Whether each document has a report. */
  isReported: boolean;
  /** What filling the templates has noticed so far. */
  found: FoundInRecords;
}

/** Opens what the documents of a request share: above all a session of the engine, which ends with it. */
export async function openRendering(
  plan: Plan,
  request: RenderRequest,
  dependencies: RenderDependencies,
): Promise<Rendering & AsyncDisposable> {
  const { template, settings, output } = plan;
  const { scratch, warnings, isJob } = request;
  const { converter, fonts, images } = dependencies;
  const isPdf = output === 'pdf' || output === 'report';
  const tags = isWebFormat(template.format) && settings.templatingEngine !== 'none' ? template.text : null;
  const otherTags = warningOfOtherTags(tags ?? '');
  if (otherTags !== null) warnings.push(otherTags);
  await using opened = new AsyncDisposableStack();
  const printing = opened.use(
    openPrinting(request, isPdf ? settings.renderingEngine : 'chrome', dependencies),
  );
  const form = template.format === 'pdf' ? opened.use(await openForm(template, scratch)) : null;
  const kept = opened.move();
  return {
    ...printing,
    plan,
    scratch,
    converter,
    fonts,
    images,
    finishing: finishingOf(request, dependencies),
    drawingFonts: drawingFonts(() => Promise.resolve(template.fonts), request, dependencies),
    form,
    // Jobs store a report beside their result.
    isReported: output === 'report' || (output === 'pdf' && isJob),
    found: new FoundInRecords(),
    [Symbol.asyncDispose]: async () => await kept.disposeAsync(),
  };
}
