import type { RenderingEngine, RenderOptions } from '@platen/contract/options';
import type { CheckingFetcher } from '@platen/print/fetcher';
import type { HtmlPrinter, HtmlReader } from '@platen/print';
import type { Converter } from '../shared/convert/client.ts';
import type { PlatenRequest } from '../shared/http/index.ts';
import type { Signing } from '../shared/signing/signing.ts';
import type { TemplateForRendering } from '../shared/store/templates/rendering.ts';
import type { VersionName } from '../shared/store/templates/versions.ts';
import type { TenantFiles } from '../shared/store/tenant-files.ts';
import type { TranslationStore } from '../shared/store/translations.ts';
import type { TemplateImages } from './images.ts';
import type { Filler } from './texts/filler.ts';
import type { Preparer } from './texts/preparer.ts';

/** What a rendering begins with: the services of its function, and its request. */

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
  printers: Readonly<Record<Exclude<RenderingEngine, 'chrome'>, HtmlPrinter> & { chrome: HtmlReader }>;
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
  /** Most records of a synchronous batch. */
  maxRecords: number;
  /** Most records of a batch that is a job. */
  maxJobRecords: number;
}

/** The fields of a request about the combined file. */
export interface CombineFields {
  combine?: 'pdf' | undefined;
  numbering?: 'record' | 'through' | undefined;
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
