import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { mayBePdf, notPdf, type PdfInput, withRepair, type CallOptions } from '@platen/pdf/operations';
import { createStampsPrinter, type StampsPrinter } from '../shared/html-stamps/client.ts';
import { stampFonts } from '../shared/stamp-fonts.ts';
import type { StampFont } from '../shared/step-values.ts';
import { TenantFiles } from '../shared/store/tenant-files.ts';
import type { FunctionGroup } from '@platen/contract/route';
import {
  document,
  type Operations,
  type PlatenRequest,
  type Produce,
  type Reply,
  type UploadedFile,
} from '../shared/http/index.ts';
import type { PdfConfig } from './config.ts';
import { nameOf } from './names.ts';

/** The work that the operations of the group share. */

export type Group = Extract<FunctionGroup, 'pdf'>;
export type PdfOperations<Name extends keyof Operations<Group>> = Pick<Operations<Group>, Name>;

/** The parts that every request of this group has. */
export type PdfRequest = Pick<
  PlatenRequest,
  'tenant' | 'file' | 'optionalFile' | 'files' | 'scratch' | 'signal' | 'deadline' | 'warnings'
>;

export const PDF = 'application/pdf';

/** The warning for a protected file whose result is not protected. */
export const UNPROTECTED = 'the file was protected, and the result is not';

/** Works on the files of requests, within the limits of the function. */
export class PdfWork {
  readonly config: PdfConfig;
  /** Prints the html of stamps. */
  readonly printStamps: StampsPrinter;
  /** Fonts of tenants, in which text is stamped. */
  readonly #fonts: TenantFiles | undefined;

  constructor(config: PdfConfig) {
    this.config = config;
    const { renderFunction: functionName, filesBucket: bucket, timeout } = config;
    this.printStamps = createStampsPrinter({ functionName, bucket, timeout });
    const { templatesTable: table } = config;
    this.#fonts = table === null ? undefined : new TenantFiles('fonts', { table, bucket });
  }

  /** Returns the fonts of a tenant. */
  fontOf(tenant: string): StampFont | undefined {
    return this.#fonts && stampFonts(tenant, this.#fonts);
  }

  optionsOf({ signal, deadline }: PdfRequest): CallOptions {
    const { memory, timeout, pageTimeout: page } = this.config;
    return {
      signal,
      // If a document is repaired first, the repair and the work share one time limit.
      spent: { milliseconds: 0 },
      limits: { memory, page, timeout: Math.max(1, Math.min(timeout, deadline - Date.now())) },
    };
  }

  /** Returns the path of an upload, because the engines read from disk. @throws PlatenError `file_too_large` */
  async onDisk(upload: UploadedFile, password: string | undefined): Promise<PdfInput> {
    return { path: await upload.path(this.config.maxInput), password };
  }

  /**
   * Checks that a file can be a PDF, as far as that is visible without opening it.
   *
   * @throws PlatenError `file_too_large`, `not_a_pdf`
   */
  async checked(upload: UploadedFile, most = this.config.maxInput, name?: string): Promise<UploadedFile> {
    upload.checkSize(most);
    const content = await upload.quick();
    if (content !== null && !mayBePdf(content)) throw notPdf(name);
    return upload;
  }

  /** Checks that files can be PDFs, and are together no larger than one may be. @throws PlatenError as `checked` */
  async checkAll(parts: readonly UploadedFile[]): Promise<void> {
    let left = this.config.maxInput;
    for (const part of parts) left -= (await this.checked(part, left, part.field)).size;
  }

  /** Transforms the one file of a request, which is repaired first if necessary. */
  async transform(
    request: PdfRequest,
    password: string | undefined,
    change: (input: PdfInput, output: string, options: CallOptions) => Promise<void>,
    suffix = '',
  ): Promise<Produce> {
    const upload = await this.checked(request.file('file'));
    return async () => {
      const output = join(await request.scratch(), 'output.pdf');
      await this.#readable(request, upload, password, (input, options) => change(input, output, options));
      return await send(output, `${nameOf(upload)}${suffix}.pdf`, PDF);
    };
  }

  /** Reads from the one file of a request, which is repaired first if necessary. */
  async read<T>(
    request: PdfRequest,
    password: string | undefined,
    look: (input: PdfInput, options: CallOptions) => Promise<T>,
  ): Promise<T> {
    return await this.#readable(request, await this.checked(request.file('file')), password, look);
  }

  /** Derives a file from the one file of a request, which is repaired first if necessary, and sends it. */
  async derive(
    request: PdfRequest,
    password: string | undefined,
    make: (input: PdfInput, place: { scratch: string; name: string }, options: CallOptions) => Promise<Made>,
  ): Promise<Produce> {
    const upload = await this.checked(request.file('file'));
    return async () => {
      const place = { scratch: await request.scratch(), name: nameOf(upload) };
      const made = await this.#readable(request, upload, password, (input, options) =>
        make(input, place, options),
      );
      return await send(made.path, made.name, made.contentType);
    };
  }

  async #readable<T>(
    request: PdfRequest,
    upload: UploadedFile,
    password: string | undefined,
    use: (input: PdfInput, options: CallOptions) => Promise<T>,
  ): Promise<T> {
    const input = await this.onDisk(upload, password);
    const options = this.optionsOf(request);
    return await withRepair([input], await request.scratch(), options, ([readable = input]) =>
      use(readable, options),
    );
  }
}

/** A result file, with the name by which it is sent. */
interface Made {
  path: string;
  name: string;
  contentType: string;
}

/** Returns the password of an input, by either of its names. */
export function opener(form: {
  input_password?: string | undefined;
  password?: string | undefined;
}): string | undefined {
  return form.input_password ?? form.password;
}

export async function send(path: string, filename: string, contentType: string): Promise<Reply> {
  const reply = document({ body: createReadStream(path), contentType, filename });
  const { size } = await stat(path);
  reply.headers['content-length'] = String(size);
  return reply;
}
