import path from 'node:path';
import {
  type DocumentKind,
  type RenderOptions,
  claimsOf,
  warnOfNotes,
  warnOfViolations,
  refuseUnsupported,
} from '@platen/contract/options';
import {
  document,
  type Operations,
  type PlatenRequest,
  type Produce,
  type Reply,
} from '../shared/http/index.ts';
import type { ImageEngines } from '@platen/imaging/engine-calls';
import { formatOf, type ImageInput } from '@platen/imaging/read';
import type { Work } from '@platen/imaging/sharp';
import { fileName } from '@platen/core/file-name';
import { readyRendering, type RenderingSteps, stepsOfRendering } from '../shared/rendering-steps.ts';
import { sentInvoice } from '../shared/sent-invoice.ts';
import type { Signing } from '../shared/signing/signing.ts';
import type { Embedding } from '@platen/factur-x';
import type { PrintHtml } from '@platen/pdf/steps';
import type { StampsPrinter } from '../shared/html-stamps/client.ts';
import type { TenantFiles } from '../shared/store/tenant-files.ts';
import { withAlternateText } from '@platen/pdf/content';
import { type Claims, finishPdf } from '@platen/pdf/finish';
import type { TemplateStore } from '../shared/store/templates.ts';
import { warnOnce } from '../shared/http/warnings.ts';
import { currentFonts, DrawingFonts } from '../shared/tenant-fonts.ts';
import { svgBrowser } from '../shared/svg-browser.ts';
import { imageDocument } from './image-document.ts';

export interface ImageServices {
  templates: TemplateStore;
  /** Fonts of tenants, for text in drawings and in stamps. */
  tenantFonts: TenantFiles;
  engines: ImageEngines;
  printStamps?: StampsPrinter;
  /** Signs documents; undefined if the deployment has no keys. */
  signing?: Pick<Signing, 'signerOf'> | undefined;
  /** Milliseconds for reading and converting one image. */
  timeout: number;
}

/** The parts of a request that every operation here needs. */
interface Call {
  options: RenderOptions;
  /** The steps, and the signer. */
  ready: RenderingSteps;
  /** The invoice that is embedded; null for none. */
  invoice: Embedding | null;
  /** Folder of the fonts for text in steps; null for none. */
  fonts: string | null;
  printHtml: PrintHtml | undefined;
  claims: Claims | null;
  deadline: number;
  signal: AbortSignal;
  tenant: string;
  scratch: () => Promise<string>;
  warnings: string[];
}

interface RequestLike
  extends
    Pick<Call, 'deadline' | 'signal' | 'tenant' | 'scratch' | 'warnings'>,
    Pick<PlatenRequest, 'files' | 'optionalFile'> {
  form: { render_options?: RenderOptions | undefined };
}

/** Most bytes of an image's file. Its pixels, which take the memory, have a limit of their own. */
const MAX_IMAGE_BYTES = 256 * 1024 * 1024;

/** Images and barcodes to PDF (I-23 to I-27). */
export function imageOperations(services: ImageServices): Operations<'images'> {
  return {
    renderImage: async (request) => {
      const file = request.file('image');
      const { filename, contentType } = file;
      const hints = [filename, contentType?.replace(/^.*\/(x-)?/, '') ?? null];
      const call = await callOf(request, 'image', services);
      file.checkSize(MAX_IMAGE_BYTES);
      const content = await file.quick();
      if (content !== null) formatOf(content, hints);
      return async () => {
        const image: ImageInput = { bytes: await file.bytes(MAX_IMAGE_BYTES), hints };
        return await renderImage(image, filename, call, services);
      };
    },
    renderStoredImage: async (request) => {
      const call = await callOf({ ...request, form: request.query }, 'image', services);
      const produce = await renderStored(request.params['id'] ?? '', call, services);
      return await produce();
    },
    renderStoredImageByPost: async (request) =>
      await renderStored(request.params['id'] ?? '', await callOf(request, 'image', services), services),
    renderBarcode: async (request) => {
      const call = await callOf(request, 'barcode', services);
      const { data, barcode_format: format } = request.form.data;
      // The encoder is half of the function's code, and images do not use it.
      const { barcodeDocument } = await import('./barcode-document.ts');
      const pdf = await barcodeDocument(data, format, call.options);
      return async () => await answer(pdf, 'barcode', call);
    },
  };
}

/** @throws PlatenError `option_not_supported`, and as `readyRendering` and `sentInvoice` */
async function callOf(
  request: RequestLike,
  kind: DocumentKind,
  { engines, printStamps, ...services }: ImageServices,
): Promise<Call> {
  const { tenant, deadline, signal, scratch, warnings } = request;
  const options = request.form.render_options ?? {};
  refuseUnsupported(kind, { field: 'render_options', options });
  const ready = await readyRendering(stepsOfRendering(options), options, request, services);
  const invoice = await sentInvoice(request);
  // An image has no headings that could become an outline.
  const claims = claimsOf({ ...options, outline: undefined });
  const printHtml = printStamps?.({ tenant, signal, warnings });
  const { fontFolder: fonts } = engines;
  return { options, ready, invoice, fonts, printHtml, claims, tenant, deadline, signal, scratch, warnings };
}

async function renderStored(id: string, call: Call, services: ImageServices): Promise<Produce> {
  const { file } = await services.templates.findFile(call.tenant, 'image', id);
  return async () => {
    const bytes = await services.templates.readFile(call.tenant, file);
    return await renderImage({ bytes, hints: [file.format, file.filename] }, file.filename, call, services);
  };
}

async function renderImage(
  image: ImageInput,
  filename: string | null,
  call: Call,
  services: ImageServices,
): Promise<Reply> {
  const { timeout, tenantFonts } = services;
  const warn = warnOnce(call.warnings);
  const work: Work = { deadline: Math.min(call.deadline, Date.now() + timeout), signal: call.signal, warn };
  const browser = call.printHtml && svgBrowser(call.printHtml);
  const fonts = new DrawingFonts(() => currentFonts(call.tenant, tenantFonts), warn, browser);
  const isDrawing = formatOf(image.bytes, image.hints) === 'svg';
  const { engines } = isDrawing ? await fonts.engines(image.bytes, services.engines) : services;
  const pdf = await imageDocument(image, call.options, engines, work);
  return await answer(pdf, path.parse(filename ?? '').name || 'image', call);
}

/** @param name the default name of the document */
async function answer(
  pdf: Uint8Array,
  name: string,
  { options, ready, invoice, fonts, printHtml, claims, scratch, signal, warnings }: Call,
): Promise<Reply> {
  const finishing = {
    invoice,
    steps: await ready.load(),
    fonts,
    compress: options.compress ?? false,
    encryptPassword: options.encrypt_password ?? null,
    claims,
    sign: ready.sign,
  };
  const tagged = options.alt === undefined ? pdf : await withAlternateText(pdf, options.alt);
  const body = await finishPdf(tagged, finishing, {
    scratch,
    signal,
    violated: warnOfViolations(warnings),
    noted: warnOfNotes(warnings),
    printHtml,
  });
  return document({
    body,
    contentType: 'application/pdf',
    filename: fileName(options.filename ?? name, 'pdf'),
  });
}
