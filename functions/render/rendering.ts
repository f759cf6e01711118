import { cachingFetcher } from '@platen/print/fetcher';
import { warnOfNotes, warnOfViolations } from '../shared/claims.ts';
import { finishPdf, type FinishingPlace } from '@platen/pdf/finish';
import type { Rendered } from './batch.ts';
import { pictureOfTemplate, type Printing, printTemplate, renderHtml } from './html/render.ts';
import { wordOfTemplate } from './html/word.ts';
import { withInvoice } from '../shared/sent-invoice.ts';
import { recordName } from './naming.ts';
import { lookAtPrinted } from './report/printed.ts';
import { Recorder, timed } from './report/recorder.ts';
import { reportOf } from './report/report.ts';
import { renderForm, withFormFiles } from './form-document.ts';
import { renderOfficeDocument } from './office-document.ts';
import { isWebFormat } from '@platen/print/page/web-format';
import { measure } from '../shared/measures.ts';
import { isPicture } from './output.ts';
import type { Plan, RenderDependencies, RenderRequest } from './operations.ts';
import type { HtmlPrinter, Missing, PrintSession } from '@platen/print/print';

/** Rendering the records of a request, one or many: what they share is made once. */

/** Gives `work` what renders one record, and names it; all of its documents share one session of the engine. */
export async function withRendering<T>(
  plan: Plan,
  request: RenderRequest,
  dependencies: RenderDependencies,
  work: (render: (record: string) => Promise<Rendered>) => Promise<T>,
): Promise<T> {
  const { settings } = plan;
  const texts = { filler: dependencies.filler, signal: request.signal };
  let isTold = settings.filename === null;
  return await withDocuments(plan, request, dependencies, (render) =>
    work(async (record) => {
      await texts.filler.checkData(plan.template.dataSchema, record, texts.signal);
      const name = await recordName(settings, record, texts);
      if (name === null && !isTold) request.warnings.push(NAMELESS);
      isTold ||= name === null;
      return { ...(await render(record)), name };
    }),
  );
}

const NAMELESS = 'filename comes out empty: such a document is named after the template';

async function withDocuments<T>(
  { template, settings, output, invoiceOf }: Plan,
  request: RenderRequest,
  dependencies: RenderDependencies,
  work: (render: (record: string) => Promise<Omit<Rendered, 'name'>>) => Promise<T>,
): Promise<T> {
  const { filler, preparer, converter, printers, fonts } = dependencies;
  const { scratch, signal } = request;
  const isReport = output === 'report';
  // Jobs keep a report beside their result.
  const isObserved = isReport || (output === 'pdf' && request.isJob);
  const observed = (render: (record: string, recorder: Recorder | null) => Promise<Uint8Array>) =>
    work(async (record) => {
      const recorder = isObserved ? new Recorder() : null;
      const bytes = await render(record, recorder);
      measure('documents', 1);
      if (recorder === null) return { bytes, report: null };
      const report = await reportOf(recorder, bytes, settings, request);
      return { bytes: isReport ? Buffer.from(JSON.stringify(report, null, 2)) : bytes, report };
    });
  if (template.format === 'pdf') {
    const { coverage } = preparer;
    return await withFormFiles(template, scratch, (form) =>
      observed((record, recorder) => {
        const finishing = finishingOf(request, dependencies, recorder);
        const where = { fonts, scratch, signal, invoiceOf, coverage, finishing, recorder };
        return renderForm(form, record, settings, where);
      }),
    );
  }
  if (!isWebFormat(template.format)) {
    const warn = warnOnce(request.warnings);
    const withoutGlyph = warnOfBoxes(request.warnings);
    const told = { warn, withoutGlyph };
    const rendering = { converter, filler, preparer, fonts, scratch, signal, invoiceOf, ...told };
    return await observed((record, recorder) => {
      const finishing = finishingOf(request, dependencies, recorder);
      const made = isReport ? 'pdf' : output;
      return renderOfficeDocument(template, record, made, settings, { ...rendering, finishing, recorder });
    });
  }
  if (isWebFormat(output))
    return await observed((record) =>
      renderHtml(template, record, output, settings, { filler, preparer, signal }),
    );
  if (output === 'pdf' || isReport) {
    const printer = printers[settings.renderingEngine];
    return await withPrinting(request, printer, dependencies, (printing) =>
      observed(async (record, recorder) => {
        // Before printing: an invoice with a fault needs no document.
        const invoice = await invoiceOf(record);
        const pdf = await printTemplate(template, record, settings, { ...printing, recorder });
        if (recorder !== null && !recorder.hasLayout) {
          const { coverage } = preparer;
          const look = { coverage, withoutGlyph: recorder.withoutGlyph, requested: null };
          recorder.printed = await lookAtPrinted(pdf, look, { scratch, signal });
        }
        return await timed(recorder, 'finish', async () => {
          const whole = await withInvoice(pdf, invoice, signal);
          return await finishPdf(whole, { ...settings, fonts }, finishingOf(request, dependencies, recorder));
        });
      }),
    );
  }
  if (isPicture(output)) {
    const { picture } = settings;
    if (picture === null) throw new Error('a picture that nothing is said of');
    return await withPrinting(request, printers.chrome, dependencies, (picturing) =>
      observed((record) => pictureOfTemplate(template, record, settings, picture, picturing)),
    );
  }
  return await withPrinting(request, printers.chrome, dependencies, (reading) =>
    observed(async (record) => {
      const docx = await wordOfTemplate(template, record, settings, reading);
      if (output === 'docx') return docx;
      return await converter.convert(docx, 'docx', output, { title: template.name, signal });
    }),
  );
}

/** Where the PDFs of a request are finished. */
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
  // Loaded when it is needed: few documents have html stamped on them.
  const printHtml: FinishingPlace['printHtml'] = async (stamps) =>
    (await import('./html/stamps.ts')).printStamps(stamps, request, dependencies);
  return { scratch, signal, violated, noted: warnOfNotes(warnings), printHtml };
}

/** Gives `work` a session of the engine, and what else printing needs. */
export async function withPrinting<S extends PrintSession, T>(
  { tenant, signal, warnings }: Pick<RenderRequest, 'tenant' | 'signal' | 'warnings'>,
  printer: Pick<HtmlPrinter, 'resourceUrl'> & { session(tenant: string): S },
  { filler, preparer, fetcher }: RenderDependencies,
  work: (printing: Printing & { session: S }) => Promise<T>,
): Promise<T> {
  const session = printer.session(tenant);
  try {
    return await work({
      session,
      filler,
      preparer,
      fetcher: cachingFetcher(fetcher, FURNITURE_CACHE),
      resourceUrl: (path) => printer.resourceUrl(path),
      today: new Date(),
      missing: warnOfMissing(warnings),
      withoutGlyph: warnOfBoxes(warnings),
      warn: warnOnce(warnings),
      recorder: null,
      signal,
    });
  } finally {
    await session.close();
  }
}

/** Says each sentence once, for all records of a batch. */
function warnOnce(warnings: string[]): (text: string) => void {
  return (text) => {
    if (!warnings.includes(text)) warnings.push(text);
  };
}

/** Bytes of what headers and footers load that are kept for all records of a batch. */
const FURNITURE_CACHE = 8 * 1024 * 1024;

/** As many addresses and characters are named in the answer. */
const NAMED_MISSING = 10;

/** Names each address that cannot be had in a warning, the first ones of them. */
function warnOfMissing(warnings: string[]): Missing {
  const named = new Set<string>();
  return (address, why) => {
    if (named.has(address) || named.size >= NAMED_MISSING) return;
    named.add(address);
    const what = why === 'missing' ? 'Not loaded' : 'No image that can be shown';
    warnings.push(`${what}: ${address.slice(0, 200)}`);
  };
}

/** Names each character that no font has in a warning, once for all records of a batch. */
function warnOfBoxes(warnings: string[]): (characters: readonly string[]) => void {
  const named = new Set<string>();
  return (characters) => {
    for (const character of characters) {
      if (named.has(character) || named.size >= NAMED_MISSING) continue;
      named.add(character);
      const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
      warnings.push(`No font has the character U+${code}: it is printed as an empty box.`);
    }
  };
}
