import type { RenderingEngine, RenderOptions } from '@platen/contract/options';
import { isWebFormat } from '@platen/print/page/web-format';
import type { Converter } from '../shared/convert/client.ts';
import type { PlatenRequest } from '../shared/http/index.ts';
import type { Signing } from '../shared/signing/signing.ts';
import type { TemplateForRendering } from '../shared/store/rendering.ts';
import type { TranslationStore } from '../shared/store/translations.ts';
import type { VersionName } from '../shared/store/template-versions.ts';
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
import { readyRendering } from '../shared/rendering-steps.ts';
import { type RenderSettings, renderSettings } from './settings.ts';
import { sentFiles } from './sent-files.ts';
import { fontsOfVersion, startFonts } from './fonts.ts';
import { warnOnce } from '../shared/http/warnings.ts';
import { DrawingFonts, type TenantFont } from '../shared/tenant-fonts.ts';
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
 * The plan of a rendering: everything that is decided of it before its data are looked at, for templates that are stored and
 * for those that come along.
 */

/** How large files may be that are read into memory: templates as large as those that are stored. */
const MAX_BYTES = {
  template: 32 * 1024 * 1024,
  /** Header or footer. */
  furniture: 1024 * 1024,
};

/** What the operations of the render group work with. */
export interface RenderDependencies {
  templates: {
    loadForRendering(tenant: string, id: string, version: VersionName | null): Promise<TemplateForRendering>;
  };
  images: TemplateImages;
  /** Folder of the fonts that steps set text in; null where there is none. */
  fonts: string | null;
  filler: Filler;
  preparer: Preparer;
  /** What prints html, by the name of the rendering engine. */
  printers: Readonly<Record<RenderingEngine, HtmlPrinter>> & { readonly chrome: HtmlReader };
  /** Prints office documents, and makes one format of another. */
  converter: Converter;
  /** Gets the page of `POST /v1/pdf/url`, and what headers and footers name. */
  fetcher: CheckingFetcher;
  /** Partials of tenants, for templates that come along. */
  partials: TenantFiles;
  /** Fonts of tenants. */
  tenantFonts: TenantFiles;
  /** Signs documents; undefined where there is nothing to sign with. */
  signing?: Pick<Signing, 'signerOf'> | undefined;
  /** Translations of tenants; undefined where there are none. */
  translations?: Pick<TranslationStore, 'catalogues'> | undefined;
  /** Of a batch that is answered at once. */
  maxRecords: number;
  /** Of a batch that is a job. */
  maxJobRecords: number;
}

/** A rendering that has been decided in every respect but the data. */
export interface Plan {
  template: RenderTemplate;
  settings: RenderSettings;
  output: OutputFormat;
  /** Of a record: the invoice that is embedded in its document, or null. */
  invoiceOf: InvoiceOf;
  /** What is done to the one PDF that the documents of a batch become; null where each is a file of its own. */
  whole: Finishing | null;
}

/** What the operations read of a request; single and batch, stored and sent along have it in common. */
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

/** A rendering of a template that is stored. @throws PlatenError `not_found`, and as `sentPlan` does */
export async function storedPlan(
  request: RenderRequest & { query: { version?: string | undefined } },
  dependencies: Pick<
    RenderDependencies,
    'templates' | 'images' | 'signing' | 'partials' | 'filler' | 'tenantFonts' | 'fonts' | 'translations'
  >,
): Promise<Plan> {
  const { tenant, params, query, isJob, pins } = request;
  const { templates, images } = dependencies;
  const version = versionNamed(pins[PINNED_VERSION] ?? query.version);
  const current = startFonts(tenant, dependencies.tenantFonts);
  const found = await templates.loadForRendering(tenant, params['template_id'] ?? '', version);
  if (isJob) pins[PINNED_VERSION] = String(found.version);
  const fonts = async (): Promise<TenantFont[]> => await fontsOfVersion(found.fonts, current);
  const drawn = new DrawingFonts(fonts, warnOnce(request.warnings));
  const shown = images.displayable(found.images, found.format, drawn);
  const template = await storedTemplate(found, shown, request.warnings);
  const call = request.form.render_options ?? {};
  return await plan(request, { ...template, fonts }, 'template', dependencies, async (settings) =>
    partialsOfStored(found.partials, call, settings, request, dependencies),
  );
}

/** Where a job notes the version that it renders: the one that was published when it was accepted. */
const PINNED_VERSION = 'version';

type TemplateData = Parameters<typeof sentTemplate>[0]['data'];

/**
 * A rendering of a template that came along.
 *
 * @throws PlatenError `template_file_invalid`, `unsupported_output_format`, and as `sentFiles` and `renderSettings` do
 */
export async function sentPlan(
  request: RenderRequest & { form: { template_data?: TemplateData | undefined } },
  dependencies: Pick<
    RenderDependencies,
    'images' | 'signing' | 'partials' | 'filler' | 'tenantFonts' | 'fonts' | 'translations'
  >,
): Promise<Plan> {
  const started = startFonts(request.tenant, dependencies.tenantFonts);
  const fonts = async (): Promise<TenantFont[]> => await started;
  const drawn = new DrawingFonts(fonts, warnOnce(request.warnings));
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
 * @param field where the template's own options stand
 * @param partialsOf what the template can include, once it is known how it is filled
 * @throws PlatenError `unsupported_output_format`, and as `renderSettings`, `combined` and `invoicesOf` do
 */
async function plan(
  request: RenderRequest,
  { fonts: fontsOf, ...template }: TemplateWithoutLibrary & { fonts: () => Promise<TenantFont[]> },
  field: string,
  dependencies: Pick<RenderDependencies, 'signing' | 'filler' | 'fonts' | 'tenantFonts' | 'translations'>,
  partialsOf: (settings: RenderSettings) => Promise<TemplatePartials>,
): Promise<Plan> {
  const { format, options } = template;
  const output = outputFormat(request.params['format'] ?? '', format);
  const settings = renderSettings(request.form.render_options ?? {}, {
    source: format,
    output,
    template: { field, options },
  });
  const isPrinted = isWebFormat(template.format)
    ? !isWebFormat(output)
    : output === 'pdf' || output === 'report';
  const fonts = isPrinted ? await fontsOf() : [];
  const partials = await partialsOf(settings);
  const fillInvoice = invoicePartial(partials, settings, request, dependencies);
  const translated = await withTranslations(settings, request, dependencies);
  const ready = await withSteps(translated, request, dependencies);
  const whole = { ...template, partials, fonts };
  return {
    template: whole,
    ...combined(request.form, { output, template: whole, settings: ready }, dependencies.fonts),
    output,
    invoiceOf: await invoicesOf(settings.facturX, request, fillInvoice),
  };
}

/** Where a job notes the translations of when it was accepted, so that all of its documents have the same. */
const PINNED_TRANSLATIONS = 'translations';

/** The settings with the translations of the tenant, where a locale is asked for. */
async function withTranslations(
  settings: RenderSettings,
  { tenant, isJob, pins }: RenderRequest,
  { translations }: Pick<RenderDependencies, 'translations'>,
): Promise<RenderSettings> {
  const { locale } = settings.language;
  if (locale === null || translations === undefined) return settings;
  const pinned = pins[PINNED_TRANSLATIONS];
  const catalogues =
    pinned === undefined
      ? await translations.catalogues(tenant, locale)
      : (JSON.parse(pinned) as RenderSettings['language']['catalogues']);
  if (isJob) pins[PINNED_TRANSLATIONS] = JSON.stringify(catalogues);
  return { ...settings, language: { locale, catalogues } };
}

/**
 * The settings with the steps, ready, and with what signs. Whatever can be wrong with them is found before anything is
 * rendered.
 *
 * @throws PlatenError as `readyRendering`
 */
export async function withSteps(
  settings: RenderSettings,
  request: RenderRequest,
  dependencies: Pick<RenderDependencies, 'signing' | 'tenantFonts'>,
): Promise<RenderSettings> {
  const options = request.form.render_options ?? {};
  const { load, sign } = await readyRendering(settings.requestedSteps, options, request, dependencies);
  return { ...settings, steps: await load(), sign };
}
