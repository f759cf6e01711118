import type { FieldsOf, WorkName } from './call.ts';
import type { FileInput } from './files.ts';
import type { Caller } from './templates.ts';
import type { CallOptions } from './transport.ts';
import type { Work } from './work.ts';
import type { InvoiceReport, PdfForm, PdfInfo, Verification } from './wire.ts';

/** Transforms and inspects PDFs. */

/** Options with further files: images and PDFs that a step or a form names by their part. */
export interface PartOptions extends CallOptions {
  parts?: Readonly<Record<string, FileInput>>;
}

type Transformation<O extends WorkName> = (
  file: FileInput,
  fields?: FieldsOf<O>,
  options?: PartOptions,
) => Work;

/**
 * A group of page numbers, from 1: `[n]` is a page, `[first, last]` a range, three or more numbers exactly
 * these pages.
 */
export type PageGroup = readonly number[];

export class Pdf {
  readonly #call: Caller;
  readonly compress: Transformation<'compressPdf'>;
  readonly conform: Transformation<'conformPdf'>;
  readonly metadata: Transformation<'editPdfMetadata'>;
  readonly encrypt: Transformation<'encryptPdf'>;
  readonly decrypt: Transformation<'decryptPdf'>;
  readonly stamp: Transformation<'stampPdf'>;
  readonly watermark: Transformation<'watermarkPdf'>;
  readonly attach: Transformation<'attachToPdf'>;
  readonly outline: Transformation<'outlinePdf'>;
  readonly flatten: Transformation<'flattenPdf'>;
  readonly pages: Transformation<'selectPdfPages'>;
  readonly rotate: Transformation<'rotatePdf'>;
  readonly linearize: Transformation<'linearizePdf'>;
  readonly text: Transformation<'pdfText'>;
  /** Returns a ZIP with the attachments. */
  readonly attachments: Transformation<'pdfAttachments'>;
  readonly fillForm: Transformation<'fillPdfForm'>;
  readonly sign: Transformation<'signPdf'>;
  readonly extractFacturX: Transformation<'extractFacturX'>;

  constructor(call: Caller) {
    this.#call = call;
    this.compress = this.#of('compressPdf');
    this.conform = this.#of('conformPdf');
    this.metadata = this.#of('editPdfMetadata');
    this.encrypt = this.#of('encryptPdf');
    this.decrypt = this.#of('decryptPdf');
    this.stamp = this.#of('stampPdf');
    this.watermark = this.#of('watermarkPdf');
    this.attach = this.#of('attachToPdf');
    this.outline = this.#of('outlinePdf');
    this.flatten = this.#of('flattenPdf');
    this.pages = this.#of('selectPdfPages');
    this.rotate = this.#of('rotatePdf');
    this.linearize = this.#of('linearizePdf');
    this.text = this.#of('pdfText');
    this.attachments = this.#of('pdfAttachments');
    this.fillForm = this.#of('fillPdfForm');
    this.sign = this.#of('signPdf');
    this.extractFacturX = this.#of('extractFacturX');
  }

  #of<O extends WorkName>(operation: O): Transformation<O> {
    return (file, fields, { parts, ...options } = {}) =>
      this.#work(operation, { fields, files: { file, ...parts } }, options);
  }

  #work<O extends WorkName>(
    operation: O,
    {
      fields,
      ...sent
    }: {
      fields: FieldsOf<O> | undefined;
      files: Readonly<Record<string, FileInput>>;
      params?: Record<string, string>;
    },
    options: CallOptions,
  ): Work {
    const call = { ...sent, ...options, ...(fields === undefined ? {} : { fields }) };
    return this.#call<WorkName>(operation, call);
  }

  /** Merges PDFs in the given order. */
  merge(files: readonly FileInput[], fields?: FieldsOf<'mergePdf'>, options: CallOptions = {}): Work {
    return this.#work('mergePdf', { fields, files: numbered(files) }, options);
  }

  /** Extracts one group of pages. */
  split(file: FileInput, pages: PageGroup, options: CallOptions = {}): Work {
    return this.#work('splitPdf', { fields: { splits: [...pages] }, files: { file } }, options);
  }

  /** Returns a ZIP with one PDF for each group of pages. */
  splitToZip(file: FileInput, groups: readonly PageGroup[], options: CallOptions = {}): Work {
    const splits = groups.map((group) => [...group]);
    return this.#work('splitPdfToZip', { fields: { splits }, files: { file } }, options);
  }

  /** Renders the pages as images: one image, or a ZIP of several. @param format `png`, `jpg`, `webp`, … */
  images(
    file: FileInput,
    format: string,
    fields?: FieldsOf<'renderPdfPages'>,
    options: CallOptions = {},
  ): Work {
    return this.#work('renderPdfPages', { fields, files: { file }, params: { format } }, options);
  }

  /** Applies steps in order, in one pass over the file or over all files merged. */
  process(
    files: FileInput | readonly FileInput[],
    steps: NonNullable<FieldsOf<'processPdf'>['steps']>,
    { parts, fields, ...options }: PartOptions & { fields?: Omit<FieldsOf<'processPdf'>, 'steps'> } = {},
  ): Work {
    const all = numbered(isList(files) ? files : [files]);
    return this.#work('processPdf', { fields: { ...fields, steps }, files: { ...all, ...parts } }, options);
  }

  /** Embeds the XML of an invoice and returns a Factur-X or ZUGFeRD PDF. */
  facturX(
    file: FileInput,
    xml: FileInput,
    fields?: FieldsOf<'embedFacturX'>,
    options: CallOptions = {},
  ): Work {
    return this.#work('embedFacturX', { fields, files: { file, xml } }, options);
  }

  async validateFacturX(xml: FileInput, options: CallOptions = {}): Promise<InvoiceReport> {
    return await this.#call('validateFacturX', { files: { xml }, ...options });
  }

  async info(file: FileInput, fields: FieldsOf<'pdfInfo'> = {}, options: CallOptions = {}): Promise<PdfInfo> {
    return await this.#call('pdfInfo', { fields, files: { file }, ...options });
  }

  /** Returns the fields of a form. */
  async form(file: FileInput, fields: FieldsOf<'pdfForm'> = {}, options: CallOptions = {}): Promise<PdfForm> {
    return await this.#call('pdfForm', { fields, files: { file }, ...options });
  }

  /** Returns a report on the signatures. */
  async verify(file: FileInput, options: CallOptions = {}): Promise<Verification> {
    return await this.#call('verifyPdf', { files: { file }, ...options });
  }
}

function isList(files: FileInput | readonly FileInput[]): files is readonly FileInput[] {
  return Array.isArray(files);
}

function numbered(files: readonly FileInput[]): Record<string, FileInput> {
  return Object.fromEntries(files.map((file, index) => [`file${index}`, file]));
}
