import path from 'node:path';
import type { DocumentKind } from '@platen/contract/option-effects';
import type { RenderOptions } from '@platen/contract/options';
import {
  document,
  type Operations,
  type Produce,
  type Reply,
  type UploadedFile,
} from '../shared/http/index.ts';
import type { ImageEngines } from '@platen/imaging/engine-calls';
import { formatOf, type ImageInput } from '@platen/imaging/read';
import type { Work } from '@platen/imaging/sharp';
import { fileName } from '@platen/core/file-name';
import { claimsOf, warnOfNotes, warnOfViolations } from '../shared/claims.ts';
import { refuseUnsupported } from '@platen/contract/option-check';
import { stepsForRendering, stepsOfRendering } from '../shared/steps.ts';
import type { PrintHtml, Step } from '@platen/pdf/steps';
import type { StampsPrinter } from '../shared/html-stamps/client.ts';
import { withAlternateText } from '@platen/pdf/conformance/alternate-text';
import { type Claims, finishPdf } from '@platen/pdf/finish';
import type { TemplateStore } from '../shared/store/templates.ts';
import { barcodeDocument } from './barcode-document.ts';
import { imageDocument } from './image-document.ts';

export interface ImageServices {
  templates: TemplateStore;
  engines: ImageEngines;
  printStamps?: StampsPrinter;
  /** Milliseconds for reading and converting one image. */
  timeout: number;
}

/** What of a request every operation here needs. */
interface Call {
  options: RenderOptions;
  /** Gives the steps, with their files on the disk. */
  steps: () => Promise<readonly Step[]>;
  /** Folder of the fonts that steps set text in; null where there is none. */
  fonts: string | null;
  printHtml: PrintHtml | undefined;
  claims: Claims | null;
  deadline: number;
  signal: AbortSignal;
  tenant: string;
  scratch: () => Promise<string>;
  warnings: string[];
}

interface RequestLike extends Omit<Call, 'options' | 'steps' | 'fonts' | 'printHtml' | 'claims'> {
  form: { render_options?: RenderOptions | undefined };
  files: readonly UploadedFile[];
}

/** Of the file of an image. Its pixels, which the memory is needed for, have a limit of their own. */
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
      const pdf = barcodeDocument(data, format, call.options);
      return async () => await answer(pdf, 'barcode', call);
    },
  };
}

/** @throws PlatenError `option_not_supported`, and as `stepsForRendering` */
async function callOf(
  { form, files, tenant, deadline, signal, scratch, warnings }: RequestLike,
  kind: DocumentKind,
  { engines, printStamps }: ImageServices,
): Promise<Call> {
  const options = form.render_options ?? {};
  refuseUnsupported(kind, { field: 'render_options', options });
  const { load: steps } = await stepsForRendering(stepsOfRendering(options), {
    files,
    warnings,
    invoiceOf: undefined,
    signerOf: undefined,
  });
  // There are no headings that could be an outline.
  const claims = claimsOf({ ...options, outline: undefined });
  const printHtml = printStamps?.({ tenant, signal, warnings });
  const { fontFolder: fonts } = engines;
  return { options, steps, fonts, printHtml, claims, tenant, deadline, signal, scratch, warnings };
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
  { engines, timeout }: ImageServices,
): Promise<Reply> {
  const work: Work = { deadline: Math.min(call.deadline, Date.now() + timeout), signal: call.signal };
  const pdf = await imageDocument(image, call.options, engines, work);
  return await answer(pdf, path.parse(filename ?? '').name || 'image', call);
}

/** @param name of the document that was given none */
async function answer(
  pdf: Uint8Array,
  name: string,
  { options, steps, fonts, printHtml, claims, scratch, signal, warnings }: Call,
): Promise<Reply> {
  const finishing = {
    steps: await steps(),
    fonts,
    compress: options.compress ?? false,
    encryptPassword: options.encrypt_password ?? null,
    claims,
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
