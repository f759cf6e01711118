import { isWebFormat } from '@platen/print';
import type { Finishing } from '@platen/pdf/finish';
import type { RenderLanguage } from '@platen/templating';
import { readyRendering } from '../shared/rendering-steps.ts';
import { versionNamed } from '../shared/template-files/version.ts';
import type { DrawingFonts, TenantFont } from '../shared/tenant-fonts.ts';
import { credentialsOf } from './browser.ts';
import { combined } from './combined.ts';
import type { RenderDependencies, RenderRequest } from './dependencies.ts';
import { fontsOfVersion, startFonts } from './fonts.ts';
import type { TemplateImages } from './images.ts';
import { type InvoiceOf, invoicesOf } from './invoices.ts';
import { type OutputFormat, outputFormat } from './output.ts';
import { invoicePartial, partialsOfSent, partialsOfStored } from './partials.ts';
import { drawingFonts } from './finishing.ts';
import { sentFiles } from './sent-files.ts';
import { type RenderSettings, type RequestedSettings, requestedSettings } from './settings.ts';
import {
  type TemplateWithoutLibrary,
  type RenderTemplate,
  sentTemplate,
  storedTemplate,
} from './template.ts';

/**
 * The plan of a rendering: all decisions that do not depend on its data, for stored templates and for those
 * sent along.
 */

/** Most bytes of files that are read into memory; the limit for templates is that of stored ones. */
const MAX_BYTES = {
  template: 32 * 1024 * 1024,
  /** Header or footer. */
  furniture: 1024 * 1024,
};

/** A rendering with every decision made except for the data. */
export interface Plan {
  template: RenderTemplate;
  settings: RenderSettings;
  output: OutputFormat;
  /** Returns the invoice that is embedded in the document of a record, or null. */
  invoiceOf: InvoiceOf;
  /** The steps for the combined PDF of a batch; null if each document is a file of its own. */
  whole: Finishing | null;
}

/** Plans the rendering of a stored template. @throws PlatenError `not_found`, and as `sentPlan` does */
export async function storedPlan(
  request: RenderRequest & { query: { version?: string | undefined } },
  dependencies: RenderDependencies,
): Promise<Plan> {
  const { tenant, params, query, isJob, pins } = request;
  const { templates, images } = dependencies;
  const version = versionNamed(pins[PINNED_VERSION] ?? query.version);
  const current = startFonts(tenant, dependencies.tenantFonts);
  const found = await templates.loadForRendering(tenant, params['template_id'] ?? '', version);
  if (isJob) pins[PINNED_VERSION] = String(found.version);
  const fonts = async (): Promise<TenantFont[]> => await fontsOfVersion(found.fonts, current);
  const drawn = drawingFonts(fonts, request, dependencies);
  const shown = images.displayable(found.images, found.format, drawn);
  const template = await storedTemplate(found, shown, request.warnings);
  const requested = requestedBy(request, template, 'template');
  const call = request.form.render_options ?? {};
  const partials = await partialsOfStored(found.partials, call, requested.settings, request, dependencies);
  return await completePlan(request, { ...template, partials }, fonts, requested, dependencies);
}

/** The key under which a job pins the version that was published when it was accepted. */
const PINNED_VERSION = 'version';

type TemplateData = Parameters<typeof sentTemplate>[0]['data'];

/**
 * Plans the rendering of a template that was sent along.
 *
 * @throws PlatenError `template_file_invalid`, `unsupported_output_format`, and as `sentFiles` and `requestedSettings` do
 */
export async function sentPlan(
  request: RenderRequest & { form: { template_data?: TemplateData | undefined } },
  dependencies: RenderDependencies,
): Promise<Plan> {
  const started = startFonts(request.tenant, dependencies.tenantFonts);
  const fonts = async (): Promise<TenantFont[]> => await started;
  const drawn = drawingFonts(fonts, request, dependencies);
  const template = await sent(request, request.form.template_data ?? {}, dependencies.images, drawn);
  const requested = requestedBy(request, template, 'template_data');
  const partials = await partialsOfSent(template, requested.settings, request, dependencies);
  return await completePlan(request, { ...template, partials }, fonts, requested, dependencies);
}

async function sent(
  { file, optionalFile, files, warnings, signal }: RenderRequest,
  data: TemplateData,
  images: TemplateImages,
  drawn: DrawingFonts,
): Promise<TemplateWithoutLibrary> {
  const template = file('file_data');
  return await sentTemplate({
    file: await template.bytes(MAX_BYTES.template),
    filename: template.filename,
    header: (await optionalFile('header_data')?.bytes(MAX_BYTES.furniture)) ?? null,
    footer: (await optionalFile('footer_data')?.bytes(MAX_BYTES.furniture)) ?? null,
    data,
    warnings,
    signal,
    attached: async (format) => {
      const attached = await sentFiles(files, format, warnings);
      return { styles: attached.styles, images: images.displayable(attached.images, format, drawn) };
    },
  });
}

/** The output of a rendering, and the settings that its request decides. */
interface Requested {
  output: OutputFormat;
  settings: RequestedSettings;
}

/**
 * @param field the field with the template's own options
 * @throws PlatenError `unsupported_output_format`, and as `requestedSettings` does
 */
function requestedBy(
  { params, form }: RenderRequest,
  { format, options }: TemplateWithoutLibrary,
  field: string,
): Requested {
  const output = outputFormat(params['format'] ?? '', format);
  const target = { source: format, output, template: { field, options } };
  return { output, settings: requestedSettings(form.render_options ?? {}, target) };
}

/** @throws PlatenError as `completeSettings`, `combined` and `invoicesOf` do */
async function completePlan(
  request: RenderRequest,
  withoutFonts: Omit<RenderTemplate, 'fonts'>,
  fonts: () => Promise<TenantFont[]>,
  { output, settings: requested }: Requested,
  dependencies: Pick<RenderDependencies, 'signing' | 'filler' | 'fonts' | 'tenantFonts' | 'translations'>,
): Promise<Plan> {
  const { format, partials } = withoutFonts;
  const isPrinted = isWebFormat(format) ? !isWebFormat(output) : output === 'pdf' || output === 'report';
  const template = { ...withoutFonts, fonts: isPrinted ? await fonts() : [] };
  const fillInvoice = invoicePartial(partials, requested, request, dependencies);
  const settings = await completeSettings(requested, request, dependencies);
  return {
    template,
    ...combined(request.form, { output, template, settings }, dependencies.fonts),
    output,
    invoiceOf: await invoicesOf(settings.facturX, request, fillInvoice),
  };
}

/**
 * Returns the settings of a rendering: those that its request decides, with the translations, the files of the steps,
 * the signer and the credentials that they refer to. All their errors are found before anything is rendered.
 *
 * @throws PlatenError as `readyRendering` and `credentialsOf`
 */
export async function completeSettings(
  { locale, sent, ...settings }: RequestedSettings,
  request: RenderRequest,
  dependencies: Pick<RenderDependencies, 'signing' | 'tenantFonts' | 'translations'>,
): Promise<RenderSettings> {
  const language = await languageOf(locale, request, dependencies);
  const options = request.form.render_options ?? {};
  const { load, sign } = await readyRendering(settings.requestedSteps, options, request, dependencies);
  return { ...settings, language, steps: await load(), sign, credentials: await credentialsOf(sent) };
}

/** The key under which a job pins the translations at its acceptance, so that all its documents use the same ones. */
const PINNED_TRANSLATIONS = 'translations';

/** Returns a locale with the translations of the tenant; there are none without a locale. */
async function languageOf(
  locale: string | null,
  { tenant, isJob, pins }: RenderRequest,
  { translations }: Pick<RenderDependencies, 'translations'>,
): Promise<RenderLanguage> {
  if (locale === null || translations === undefined) return { locale, catalogues: [] };
  const pinned = pins[PINNED_TRANSLATIONS];
  const catalogues =
    pinned === undefined
      ? await translations.catalogues(tenant, locale)
      : (JSON.parse(pinned) as RenderLanguage['catalogues']);
  if (isJob) pins[PINNED_TRANSLATIONS] = JSON.stringify(catalogues);
  return { locale, catalogues };
}
