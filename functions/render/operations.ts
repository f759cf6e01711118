import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Embedding } from '@platen/factur-x';
import { loadWebPage } from '@platen/print/resources';
import { document, type Operations, type Produce, type Reply } from '../shared/http/index.ts';
import { sentInvoice } from '../shared/sent-invoice.ts';
import { renderBatch } from './batch.ts';
import { collectionOf, fileType, warnOfLeft } from './collection.ts';
import { mostJobRecords } from './combined.ts';
import { readRecord } from './data/record.ts';
import { readRecords } from './data/records.ts';
import type { DataSource } from './data/source.ts';
import type { RenderDependencies, RenderRequest } from './dependencies.ts';
import { checkOfPage } from './faults.ts';
import { startFonts } from './fonts.ts';
import { withTenantFonts } from './html/fonts.ts';
import { pdfOfHtml } from './html/print.ts';
import { documentName } from './naming.ts';
import { mediaType } from './output.ts';
import { completeSettings, type Plan, sentPlan, storedPlan } from './plan.ts';
import { finishingOf } from './finishing.ts';
import { openPrinting } from './printing.ts';
import { renderRecord } from './render-record.ts';
import { openRendering } from './rendering.ts';
import { type RenderSettings, requestedSettings } from './settings.ts';
import { checkSyntax } from './syntax.ts';

/** Most bytes of `render_data` in memory. */
const MAX_DATA = 64 * 1024 * 1024;

/** The operations of the render group (I-13 to I-22). */
export function renderOperations(dependencies: RenderDependencies): Operations<'render'> {
  return {
    renderTemplate: async (request) =>
      await single(await storedPlan(request, dependencies), request, dependencies),
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
  const read = async (): Promise<string> => readRecord(await dataSource(request));
  const early = (await hasQuickData(request)) ? await read() : null;
  if (request.isJob) await checkSyntax(plan, { filler: dependencies.filler, signal: request.signal });
  return async () => {
    const record = early ?? (await read());
    await using rendering = await openRendering(plan, request, dependencies);
    const { bytes, name, report } = await renderRecord(rendering, record);
    rendering.found.warn(request.warnings);
    const { template, output } = plan;
    const filename = documentName(name ?? template.name, output);
    return { ...document({ body: bytes, contentType: mediaType(output), filename }), report };
  };
}

/** Returns whether data can be read before a request is accepted; what was uploaded before may take time. */
async function hasQuickData({ optionalFile }: RenderRequest): Promise<boolean> {
  const file = optionalFile('render_data');
  file?.checkSize(MAX_DATA);
  return file === null || (await file.quick()) !== null;
}

/**
 * Returns how many records of a batch are processed in parallel: one more than are printed, so that it is
 * filled meanwhile.
 */
export function recordsAtOnce({ settings }: Plan, { printers }: RenderDependencies): number {
  return printers[settings.renderingEngine].concurrency + 1;
}

/** @throws PlatenError as `readRecords` does, at once if the records can be read quickly; as `checkSyntax` */
async function batch(
  plan: Plan,
  request: RenderRequest,
  onError: 'fail' | 'skip',
  dependencies: RenderDependencies,
): Promise<Produce> {
  const { signal, warnings } = request;
  const most = request.isJob ? mostJobRecords(plan, dependencies) : dependencies.maxRecords;
  const read = async (): Promise<string[]> => await readRecords(await dataSource(request), most);
  const early = (await hasQuickData(request)) ? await read() : null;
  await checkSyntax(plan, { filler: dependencies.filler, signal });
  return async () => {
    const records = early ?? (await read());
    await using rendering = await openRendering(plan, request, dependencies);
    const collector = await collectionOf(plan, records.length, rendering.finishing);
    const left = await renderBatch({
      records,
      onError,
      concurrency: recordsAtOnce(plan, dependencies),
      render: async (record, index) => await renderRecord(rendering, record, index),
      collector,
      signal,
    });
    rendering.found.warn(warnings);
    const { template, whole } = plan;
    if (whole !== null) warnOfLeft(left, warnings);
    const { path } = collector;
    const reply = document({ body: createReadStream(path), ...fileType(template.name, whole) });
    reply.headers['content-length'] = String((await stat(path)).size);
    return reply;
  };
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
  const { credentials, failOn, renderingEngine, filename } = settings;
  const check = checkOfPage(failOn);
  const page = await loadWebPage(dependencies.fetcher, address, request.signal, credentials, check);
  const { header, footer } = settings.furniture;
  await using printing = openPrinting(request, renderingEngine, dependencies);
  const tenantFonts = await startFonts(request.tenant, dependencies.tenantFonts);
  // The page keeps its own fonts; those of the tenant are for headers, footers and stamps.
  const furniture = await withTenantFonts({ html: '', styles: [], header, footer }, tenantFonts, printing);
  const filled = { ...furniture, ...page, styles: [], title: page.address };
  const finishing = finishingOf(request, dependencies);
  const place = { ...printing, fonts, scratch: request.scratch, finishing };
  const { pdf, title } = await pdfOfHtml(filled, settings, invoice, place);
  const name = documentName(filename ?? title, 'pdf');
  return document({ body: pdf, contentType: mediaType('pdf'), filename: name });
}
