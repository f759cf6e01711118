import type { RenderingEngine, RenderOptions } from '@platen/contract/options';
import { isWebFormat } from '@platen/print/page/web-format';
import type { Confirm } from './begin-early.ts';
import type { Converter } from '../shared/convert/client.ts';
import type { PlatenRequest } from '../shared/http/index.ts';
import type { Signing } from '../shared/signing/signing.ts';
import type { TemplateForRendering } from '../shared/store/templates/rendering.ts';
import type { TranslationStore } from '../shared/store/translations.ts';
import type { VersionName } from '../shared/store/templates/versions.ts';
import { versionNamed } from '../shared/template-files/version.ts';
import { type CombineFields, combined } from './combined.ts';
import type { Filler } from './texts/filler.ts';
import type { Finishing } from '@platen/pdf/finish';
import type { TemplateImages } from './images.ts';
import { type InvoiceOf, invoicesOf } from './invoices.ts';
import { type OutputFormat, outputFormat } from './output.ts';
import type { CheckingFetcher } from '@platen/print/fetcher';
import type { Preparer } from './texts/preparer.ts';
import type { HtmlPrinter, HtmlReader } from '@platen/print/print';
import { completeSettings } from './complete-settings.ts';
import { type RenderSettings, type RequestedSettings, requestedSettings } from './settings.ts';
import { sentFiles } from './sent-files.ts';
import { fontsOfVersion, startFonts } from './fonts.ts';
import type { DrawingFonts, TenantFont } from '../shared/tenant-fonts.ts';
import { drawingFonts } from './drawing-fonts.ts';
import { invoicePartial, partialsOfSent, partialsOfStored } from './partials.ts';
import type { TenantFiles } from '../shared/store/tenant-files.ts';
import {
  type TemplateWithoutLibrary,
  type RenderTemplate,
  sentTemplate,
  storedTemplate,
  type TemplatePartials,
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

/** The services that the operations of the render group use. */
export interface RenderDependencies {
  templates: {
    loadForRendering(tenant: string, id: string, version: VersionName | null): Promise<TemplateForRendering>;
  };
  images: TemplateImages;
  /** Folder of the fonts for text in steps; null for none. */
  fonts: string | null;
  filler: Filler;
  preparer: Preparer;
  /** The printers of html, by the name of the rendering engine. */
  printers: Readonly<Record<RenderingEngine, HtmlPrinter>> & { readonly chrome: HtmlReader };
  /** Prints office documents, and converts them between formats. */
  converter: Converter;
  /** Loads the page of `POST /v1/pdf/url`, and the resources of headers and footers. */
  fetcher: CheckingFetcher;
  /** Partials of tenants, for templates that are sent along. */
  partials: TenantFiles;
  /** Fonts of tenants. */
  tenantFonts: TenantFiles;
  /** Signs documents; undefined if the deployment has no keys. */
  signing?: Pick<Signing, 'signerOf'> | undefined;
  /** Translations of tenants; undefined if there are none. */
  translations?: Pick<TranslationStore, 'catalogues'> | undefined;
  /** Waits until the template is known to be current; absent if it is. */
  confirm?: Confirm | undefined;
  /** Most records of a synchronous batch. */
  maxRecords: number;
  /** Most records of a batch that is a job. */
  maxJobRecords: number;
}

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

/** The parts of a request that the operations read, whether single or batch, stored or sent along. */
export type RenderRequest = Pick<
  PlatenRequest,
  | 'tenant'
  | 'params'
  | 'signal'
  | 'scratch'
  | 'optionalFile'
  | 'file'
  | 'files'
  | 'warnings'
  | 'isJob'
  | 'pins'
> & {
  form: { render_data?: string | undefined; render_options?: RenderOptions | undefined } & CombineFields;
};

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
  const call = request.form.render_options ?? {};
  return await plan(request, { ...template, fonts }, 'template', dependencies, async (settings) =>
    partialsOfStored(found.partials, call, settings, request, dependencies),
  );
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
  return await plan(request, { ...template, fonts }, 'template_data', dependencies, async (settings) =>
    partialsOfSent(template, settings, request, dependencies),
  );
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

/**
 * @param field the field with the template's own options
 * @param partialsOf returns the partials that the template can include, once its language is known
 * @throws PlatenError `unsupported_output_format`, and as `requestedSettings`, `completeSettings`, `combined` and `invoicesOf` do
 */
async function plan(
  request: RenderRequest,
  { fonts: fontsOf, ...template }: TemplateWithoutLibrary & { fonts: () => Promise<TenantFont[]> },
  field: string,
  dependencies: Pick<RenderDependencies, 'signing' | 'filler' | 'fonts' | 'tenantFonts' | 'translations'>,
  partialsOf: (requested: RequestedSettings) => Promise<TemplatePartials>,
): Promise<Plan> {
  const { format, options } = template;
  const output = outputFormat(request.params['format'] ?? '', format);
  const requested = requestedSettings(request.form.render_options ?? {}, {
    source: format,
    output,
    template: { field, options },
  });
  const isPrinted = isWebFormat(template.format)
    ? !isWebFormat(output)
    : output === 'pdf' || output === 'report';
  const fonts = isPrinted ? await fontsOf() : [];
  const partials = await partialsOf(requested);
  const fillInvoice = invoicePartial(partials, requested, request, dependencies);
  const settings = await completeSettings(requested, request, dependencies);
  const whole = { ...template, partials, fonts };
  return {
    template: whole,
    ...combined(request.form, { output, template: whole, settings }, dependencies.fonts),
    output,
    invoiceOf: await invoicesOf(settings.facturX, request, fillInvoice),
  };
}
