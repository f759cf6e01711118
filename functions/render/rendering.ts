import { warnOfNotes, warnOfViolations } from '@platen/contract/claims';
import { finishPdf, type FinishingPlace } from '@platen/pdf/finish';
import type { Rendered } from './batch.ts';
import { FoundInRecords, type Notice, noticeOf } from './found.ts';
import { fieldDrawer } from './html/form-fields.ts';
import { warningOfOtherTags } from './html/other-tags.ts';
import { pictureOfTemplate, printTemplate, renderHtml } from './html/render.ts';
import { wordOfTemplate } from './html/word.ts';
import { recordName } from './naming.ts';
import { inspectPrinted } from './report/printed.ts';
import { Recorder, timed } from './report/recorder.ts';
import { reportOf } from './report/report.ts';
import { openForm, renderForm } from './form-document.ts';
import { renderOfficeDocument } from './office-document.ts';
import { isWebFormat } from '@platen/print/page/web-format';
import { measure } from '../shared/measures.ts';
import { isPicture } from './output.ts';
import type { Plan, RenderDependencies, RenderRequest } from './plan.ts';
import { openPrinting, warnOfBoxes } from './printing.ts';
import { warnOnce } from '../shared/http/warnings.ts';
import { drawingFonts, htmlPrinter } from './drawing-fonts.ts';
import { pixelsOfDrawings } from './drawing-pixels.ts';

/** Renders the records of a request, one or many, with shared resources. */

/** Renders the records of a request. All its documents share one session of the engine, which ends with it. */
export interface Rendering extends AsyncDisposable {
  /**
   * @param record text of a JSON object
   * @param index its number; undefined if it is the only one of the request
   */
  render(record: string, index?: number): Promise<Rendered>;
  /** What filling the templates has noticed so far. */
  readonly found: FoundInRecords;
}

/** Prepares the resources with which the records of a request are rendered. */
export async function openRendering(
  plan: Plan,
  request: RenderRequest,
  dependencies: RenderDependencies,
): Promise<Rendering> {
  const { template, settings, output } = plan;
  const texts = { filler: dependencies.filler, signal: request.signal };
  // Jobs store a report beside their result.
  const isObserved = output === 'report' || (output === 'pdf' && request.isJob);
  let isTold = settings.filename === null;
  await using opened = new AsyncDisposableStack();
  const make = await makerOf(plan, request, dependencies, opened);
  const kept = opened.move();
  const found = new FoundInRecords();
  return {
    found,
    render: async (record, index) => {
      await texts.filler.checkData(template.dataSchema, record, texts.signal);
      const recorder = isObserved ? new Recorder() : null;
      const notice = noticeOf(settings.undefinedNames, (noticed) => {
        found.add(noticed, index);
        recorder?.found.undefinedNames.push(...noticed.undefinedNames);
        recorder?.found.markup.push(...noticed.markup);
      });
      const name = await recordName(settings, record, { ...texts, notice });
      if (name === null && !isTold) request.warnings.push(NAMELESS);
      isTold ||= name === null;
      const bytes = await make(record, { recorder, notice });
      await dependencies.confirm?.();
      measure('documents', 1);
      if (recorder === null) return { bytes, name, report: null };
      const report = await reportOf(recorder, bytes, settings, request);
      const isReport = output === 'report';
      return { bytes: isReport ? Buffer.from(JSON.stringify(report, null, 2)) : bytes, name, report };
    },
    [Symbol.asyncDispose]: async () => await kept.disposeAsync(),
  };
}

const NAMELESS = 'filename comes out empty: such a document is named after the template';

/** Makes the document of one record; for a report, the document that it describes. */
type Make = (record: string, watching: Watching) => Promise<Uint8Array>;

/** The receivers of what is found about one document. */
interface Watching {
  recorder: Recorder | null;
  notice: Notice;
}

/** @param opened receives the resources to be closed when all documents are made */
async function makerOf(
  { template, settings, output, invoiceOf }: Plan,
  request: RenderRequest,
  dependencies: RenderDependencies,
  opened: AsyncDisposableStack,
): Promise<Make> {
  const { filler, preparer, converter, printers, fonts, images } = dependencies;
  const { scratch, signal } = request;
  const isReport = output === 'report';
  if (template.format === 'pdf') {
    const { coverage } = preparer;
    const form = opened.use(await openForm(template, scratch));
    return async (record, { recorder, notice }) => {
      const finishing = finishingOf(request, dependencies, recorder);
      const where = { fonts, scratch, signal, invoiceOf, coverage, finishing, recorder, notice };
      return await renderForm(form, record, settings, where);
    };
  }
  if (!isWebFormat(template.format)) {
    const warn = warnOnce(request.warnings);
    const withoutGlyph = warnOfBoxes(request.warnings);
    const drawn = drawingFonts(() => Promise.resolve(template.fonts), request, dependencies);
    const observer = { warn, withoutGlyph };
    const rendering = { converter, filler, preparer, fonts, scratch, signal, invoiceOf, ...observer };
    return async (record, { recorder, notice }) => {
      const finishing = finishingOf(request, dependencies, recorder);
      const made = isReport ? 'pdf' : output;
      const pixelsOf = pixelsOfDrawings(images, drawn, { warn, signal });
      return await renderOfficeDocument(template, record, made, settings, {
        ...rendering,
        finishing,
        recorder,
        notice,
        pixelsOf,
        shownOf: async (picture) => await images.ofOffice(picture),
      });
    };
  }
  const otherTags = settings.templatingEngine === 'none' ? null : warningOfOtherTags(template.text ?? '');
  if (otherTags !== null) request.warnings.push(otherTags);
  if (isWebFormat(output)) {
    return async (record, { notice }) =>
      await renderHtml(template, record, output, settings, { filler, preparer, signal, notice });
  }
  if (output === 'pdf' || isReport) {
    const printer = printers[settings.renderingEngine];
    const printing = opened.use(openPrinting(request, printer, dependencies));
    const drawFields = fieldDrawer({ fonts, scratch, signal });
    return async (record, { recorder, notice }) => {
      // Before printing, as a faulty invoice needs no document.
      const invoice = await invoiceOf(record, notice);
      const place = { ...printing, recorder, notice, drawFields };
      const { pdf, steps } = await printTemplate(template, record, settings, place);
      if (recorder !== null && !recorder.hasLayout) {
        const { coverage } = preparer;
        const look = { coverage, withoutGlyph: recorder.withoutGlyph, requested: null };
        recorder.printed = await inspectPrinted(pdf, look, { scratch, signal });
      }
      return await timed(recorder, 'finish', () =>
        finishPdf(pdf, { ...settings, steps, fonts, invoice }, finishingOf(request, dependencies, recorder)),
      );
    };
  }
  const reading = opened.use(openPrinting(request, printers.chrome, dependencies));
  if (isPicture(output)) {
    const { picture } = settings;
    if (picture === null) throw new Error('a picture that nothing is said of');
    return async (record, { notice }) =>
      await pictureOfTemplate(template, record, settings, picture, { ...reading, notice });
  }
  return async (record, { notice }) => {
    const docx = await wordOfTemplate(template, record, settings, { ...reading, notice });
    if (output === 'docx') return docx;
    return await converter.convert(docx, 'docx', output, { title: template.name, signal });
  };
}

/** Returns the services that finish the PDFs of a request. */
export function finishingOf(
  request: RenderRequest,
  dependencies: RenderDependencies,
  recorder: Recorder | null = null,
): FinishingPlace {
  const { scratch, signal, warnings } = request;
  const warn = warnOfViolations(warnings);
  const violated: FinishingPlace['violated'] = (violations) => {
    recorder?.violations.push(...violations);
    warn(violations);
  };
  const printHtml = htmlPrinter(request, dependencies);
  return { scratch, signal, violated, noted: warnOfNotes(warnings), printHtml };
}
