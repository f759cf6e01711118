import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { document, type Operations, type Produce, type Reply } from '../shared/http/index.ts';
import { renderBatch } from './batch.ts';
import { mostJobRecords } from './combined.ts';
import { beginEarly, type Confirm } from './begin-early.ts';
import { collectionOf, fileType, warnOfLeft } from './collection.ts';
import { readRecord } from './data/record.ts';
import { readRecords } from './data/records.ts';
import type { DataSource } from './data/source.ts';
import type { Embedding } from '@platen/factur-x';
import { finishPdf } from '@platen/pdf/finish';
import { inFonts } from './html/fonts.ts';
import { fieldDrawer } from './html/form-fields.ts';
import { printFilled } from './html/render.ts';
import { documentName } from './naming.ts';
import { checkOfPage } from './faults.ts';
import { mediaType } from './output.ts';
import { loadWebPage } from '@platen/print/page/web-page';
import { openPrinting } from './printing.ts';
import { finishingOf, openRendering } from './rendering.ts';
import { sentInvoice } from '../shared/sent-invoice.ts';
import { completeSettings } from './complete-settings.ts';
import { type RenderSettings, requestedSettings } from './settings.ts';
import { startFonts } from './fonts.ts';
import { checkSyntax } from './syntax.ts';
import { type Plan, type RenderDependencies, type RenderRequest, sentPlan, storedPlan } from './plan.ts';

/** Most bytes of `render_data` in memory. */
const MAX_DATA = 64 * 1024 * 1024;

/** The operations of the render group (I-13 to I-22). */
export function renderOperations(dependencies: RenderDependencies): Operations<'render'> {
  return {
    renderTemplate: async (request) => {
      const begin = async (confirm?: Confirm): Promise<Produce> => {
        const confirmed = { ...dependencies, ...(confirm && confirming(dependencies, confirm)) };
        return await single(await storedPlan(request, confirmed), request, confirmed);
      };
      // A job stores what it is accepted with.
      return await (request.isJob ? begin() : beginEarly(request.warnings, begin));
    },
    renderTemplateBatch: async (request) =>
      await batch(await storedPlan(request, dependencies), request, onError(request), dependencies),
    renderNow: async (request) => await single(await sentPlan(request, dependencies), request, dependencies),
    renderNowBatch: async (request) =>
      await batch(await sentPlan(request, dependencies), request, onError(request), dependencies),
    renderUrl: async (request) => {
      const requested = requestedSettings(request.form.render_options ?? {}, {
        source: 'url',
        output: 'pdf',
      });
      // The page has no placeholders, so no text of it is translated.
      const without = { ...dependencies, translations: undefined };
      const settings = await completeSettings(requested, request, without);
      const invoice = await sentInvoice(request);
      const { url } = request.form;
      await dependencies.fetcher.check(url);
      return async () => await printUrl(url, settings, invoice, request, dependencies);
    },
  };
}

/** Returns the services of a rendering that begins early. */
function confirming(
  { signing }: RenderDependencies,
  confirm: Confirm,
): Pick<RenderDependencies, 'confirm' | 'signing'> {
  if (signing === undefined) return { confirm };
  return {
    confirm,
    signing: {
      signerOf: async (...given) => {
        const sign = await signing.signerOf(...given);
        return async (pdf) => {
          await confirm();
          return await sign(pdf);
        };
      },
    },
  };
}

/** Returns the value of the form field, which takes precedence over the query parameter (I-17). */
export function onError({
  form,
  query,
}: {
  form: { on_error?: 'fail' | 'skip' | undefined };
  query: { on_error?: 'fail' | 'skip' | undefined };
}): 'fail' | 'skip' {
  return form.on_error ?? query.on_error ?? 'fail';
}

/** Returns `render_data`, sent as a file or as a text field. */
export async function dataSource({ form, optionalFile }: RenderRequest): Promise<DataSource | null> {
  const file = optionalFile('render_data');
  if (file) return { bytes: await file.bytes(MAX_DATA), filename: file.filename };
  return form.render_data === undefined ? null : { text: form.render_data };
}

/** @throws PlatenError as `readRecord` does, at once if the record can be read quickly */
async function single(
  plan: Plan,
  request: RenderRequest,
  dependencies: RenderDependencies,
): Promise<Produce> {
  const record = await soon(request, async () => readRecord(await dataSource(request)));
  if (request.isJob) await checkSyntax(plan, { filler: dependencies.filler, signal: request.signal });
  return async () => {
    const data = await record();
    await using rendering = await openRendering(plan, request, dependencies);
    const { bytes, name, report } = await rendering.render(data);
    rendering.found.warn(request.warnings);
    const { template, output } = plan;
    const filename = documentName(name ?? template.name, output);
    return { ...document({ body: bytes, contentType: mediaType(output), filename }), report };
  };
}

/** Reads data now, or later if it was uploaded before and takes time. */
async function soon<T>({ optionalFile }: RenderRequest, read: () => Promise<T>): Promise<() => Promise<T>> {
  const file = optionalFile('render_data');
  file?.checkSize(MAX_DATA);
  if (file && (await file.quick()) === null) return read;
  const value = await read();
  return async () => value;
}

/**
 * Returns how many records of a batch are processed in parallel: one more than are printed, so that it is
 * filled meanwhile.
 */
export function recordsAtOnce({ settings }: Plan, { printers }: RenderDependencies): number {
  return printers[settings.renderingEngine].concurrency + 1;
}

async function batch(
  plan: Plan,
  request: RenderRequest,
  onError: 'fail' | 'skip',
  dependencies: RenderDependencies,
): Promise<Produce> {
  const most = request.isJob ? mostJobRecords(plan, dependencies) : dependencies.maxRecords;
  const records = await soon(request, async () => await readRecords(await dataSource(request), most));
  await checkSyntax(plan, { filler: dependencies.filler, signal: request.signal });
  return async () => await fileOf(plan, await records(), request, onError, dependencies);
}

async function fileOf(
  plan: Plan,
  records: readonly string[],
  request: RenderRequest,
  onError: 'fail' | 'skip',
  dependencies: RenderDependencies,
): Promise<Reply> {
  const { template, whole } = plan;
  const collected = await collectionOf(plan, records.length, request, dependencies);
  const { collector } = collected;
  await using rendering = await openRendering(plan, request, dependencies);
  const { render } = rendering;
  const { signal } = request;
  const concurrency = recordsAtOnce(plan, dependencies);
  const left = await renderBatch({ records, onError, concurrency, render, collector, signal });
  rendering.found.warn(request.warnings);
  if (whole !== null) warnOfLeft(left, request.warnings);
  const path = collected.path();
  const reply = document({ body: createReadStream(path), ...fileType(template.name, whole) });
  reply.headers['content-length'] = String((await stat(path)).size);
  return reply;
}

/** Prints a web page as it is: text that looks like placeholders is its own. */
async function printUrl(
  address: string,
  settings: RenderSettings,
  invoice: Embedding | null,
  request: RenderRequest,
  dependencies: RenderDependencies,
): Promise<Reply> {
  const { fonts } = dependencies;
  const { credentials, failOn } = settings;
  const check = checkOfPage(failOn);
  const page = await loadWebPage(dependencies.fetcher, address, request.signal, credentials, check);
  const { header, footer } = settings.furniture;
  const printer = dependencies.printers[settings.renderingEngine];
  await using printing = openPrinting(request, printer, dependencies);
  const tenantFonts = await startFonts(request.tenant, dependencies.tenantFonts);
  // The page keeps its own fonts; those of the tenant are for headers, footers and stamps.
  const laidOver = await inFonts({ html: '', styles: [], header, footer }, tenantFonts, printing);
  const filled = { ...laidOver, ...page, styles: [], title: page.address };
  const { signal, scratch } = request;
  const place = { ...printing, drawFields: fieldDrawer({ fonts, scratch, signal }) };
  const { pdf, title, steps } = await printFilled(filled, settings, place);
  const finishing = { ...settings, steps, fonts, invoice };
  const body = await finishPdf(pdf, finishing, finishingOf(request, dependencies));
  return document({
    body,
    contentType: mediaType('pdf'),
    filename: documentName(settings.filename ?? title, 'pdf'),
  });
}
