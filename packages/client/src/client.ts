import { type AnswerOf, call, type Call, callOptions, type FieldsOf, type OperationName } from './call.ts';
import { type FileInput, formOf, type PreparedForm, sentFile, upload, type UploadedFile } from './files.ts';
import { JobHandle } from './jobs.ts';
import { type ListOptions, pagesOf } from './lists.ts';
import { Pdf } from './pdf.ts';
import { Templates } from './templates.ts';
import { type CallOptions, Transport, type TransportOptions } from './transport.ts';
import type { Work } from './work.ts';
import type { Job, RenderOptions, Token } from './wire.ts';

/** The service as an object. */

/** A template that is sent along with its rendering instead of being stored. */
export interface SentTemplate {
  file: FileInput;
  header?: FileInput;
  footer?: FileInput;
  /** Images by the variables that show them. */
  images?: Readonly<Record<string, FileInput>>;
  /** Style sheets, in the order in which they apply. */
  styles?: readonly FileInput[];
  data?: FieldsOf<'renderNow'>['template_data'];
}

export interface RenderCallOptions extends CallOptions {
  /** Format of the document; `pdf` when absent. */
  format?: string;
  options?: RenderOptions;
  /** Version of a stored template; the published one when absent. */
  version?: number | 'latest';
}

export interface BatchOptions extends RenderCallOptions {
  /** `skip`: omit failing records and list them in `errors.json`. Default `fail`. */
  onError?: 'fail' | 'skip';
}

/** Data for one document: an object, or JSON as text or as a file. */
export type RenderData = Readonly<Record<string, unknown>> | string | Blob;
/** Data for many documents, or a file that contains it: JSON, JSON Lines, CSV, XLS or XLSX. */
export type Records = readonly Readonly<Record<string, unknown>>[] | FileInput;

export class Platen {
  readonly templates: Templates;
  readonly pdf: Pdf;
  readonly jobs: Jobs;
  readonly #transport: Transport;

  /** @throws TypeError for an invalid URL */
  constructor(options: TransportOptions) {
    this.#transport = new Transport(options);
    const caller = <O extends OperationName>(operation: O, sent?: Call<O>): AnswerOf<O> =>
      this.call(operation, sent);
    this.templates = new Templates(caller, (path, more) => pagesOf(this.#transport, path, more));
    this.pdf = new Pdf(caller);
    this.jobs = new Jobs(this.#transport);
  }

  /**
   * Fills a template with data and prints it.
   *
   * @param template the id of a stored template, or a template to send along
   */
  render(template: string | SentTemplate, data: RenderData = {}, options: RenderCallOptions = {}): Work {
    const render_data = data instanceof Blob ? undefined : data;
    const fields = { render_data, render_options: options.options };
    const files = { render_data: data instanceof Blob ? data : undefined };
    return this.#render(template, { fields, files }, options, {
      stored: 'renderTemplate',
      sent: 'renderNow',
    });
  }

  /** Prints one document for each record and returns them in a ZIP. */
  batch(template: string | SentTemplate, records: Records, { onError, ...options }: BatchOptions = {}): Work {
    const [list, file] = isList(records) ? [records, undefined] : [undefined, records];
    const fields = { render_data: list, on_error: onError, render_options: options.options };
    const sent = { fields, files: { render_data: file } };
    return this.#render(template, sent, options, { stored: 'renderTemplateBatch', sent: 'renderNowBatch' });
  }

  #render(
    template: string | SentTemplate,
    { fields, files }: { fields: Record<string, unknown>; files: Record<string, FileInput | undefined> },
    { format = 'pdf', version, ...more }: RenderCallOptions,
    operations: { stored: 'renderTemplate' | 'renderTemplateBatch'; sent: 'renderNow' | 'renderNowBatch' },
  ): Work {
    const options = callOptions(more);
    if (typeof template === 'string') {
      const params = { format, template_id: template };
      return this.call(operations.stored, {
        params,
        query: { version },
        fields,
        files,
        ...options,
      });
    }
    const { file, header, footer, data, images = {}, styles = [] } = template;
    const all = {
      file_data: file,
      header_data: header,
      footer_data: footer,
      ...Object.fromEntries(Object.entries(images).map(([name, image]) => [`img_${name}`, image])),
      ...Object.fromEntries(styles.map((style, index) => [`css_${index + 1}`, style])),
      ...files,
    };
    const sent = { ...fields, template_data: data } as FieldsOf<'renderNow'>;
    return this.call(operations.sent, { params: { format }, fields: sent, files: all, ...options });
  }

  /** Turns an image into a PDF. @param image a file, or the id of a stored image as `{ id }` */
  image(
    image: FileInput | { id: string },
    options?: FieldsOf<'renderImage'>['render_options'],
    more: CallOptions = {},
  ): Work {
    const fields = { render_options: options };
    if (typeof image === 'object' && 'id' in image) {
      return this.call('renderStoredImageByPost', { params: { id: image.id }, fields, ...more });
    }
    return this.call('renderImage', { fields, files: { image }, ...more });
  }

  /** Turns data into a barcode in a PDF. */
  barcode(
    data: NonNullable<FieldsOf<'renderBarcode'>['data']>,
    options?: FieldsOf<'renderBarcode'>['render_options'],
    more: CallOptions = {},
  ): Work {
    return this.call('renderBarcode', { fields: { data, render_options: options }, ...more });
  }

  /** Prints a web page. */
  url(url: string, options?: RenderOptions, more: CallOptions = {}): Work {
    return this.call('renderUrl', { fields: { url, render_options: options }, ...more });
  }

  /** Uploads a file that requests can refer to for a day. Calls upload large files by themselves. */
  async upload(
    file: Exclude<FileInput, UploadedFile>,
    { signal }: Pick<CallOptions, 'signal'> = {},
  ): Promise<UploadedFile> {
    return { upload: await upload(this.#transport, await sentFile(file), signal) };
  }

  /** Returns the tenant, scopes and expiry of the token. */
  async token(options: CallOptions = {}): Promise<Token> {
    return await this.call('getToken', options);
  }

  /** Returns the secret for verifying calls to `callback_url`: see `verifyWebhook`. */
  async webhookSecret(options: CallOptions = {}): Promise<string> {
    return (await this.call('getWebhook', options)).secret;
  }

  /** Calls any operation of the OpenAPI document by its name, including those without a method here. */
  call<O extends OperationName>(operation: O, sent: Call<O> = {}): AnswerOf<O> {
    return call(this.#transport, operation, sent);
  }

  /**
   * Builds a form for `request`; files that are too large for a request are uploaded first.
   *
   * @param fields texts are sent unchanged, other values as JSON, and undefined ones are left out
   * @throws PlatenError when a file cannot be uploaded
   */
  async form(
    fields: Readonly<Record<string, unknown>>,
    files: Readonly<Record<string, FileInput | undefined>> = {},
    { signal }: Pick<CallOptions, 'signal'> = {},
  ): Promise<PreparedForm> {
    return await formOf(this.#transport, fields, files, signal);
  }

  /** Returns the elements of any list, by its path below `/v1`, page by page. */
  list<T>(path: string, options: ListOptions = {}): AsyncGenerator<T> {
    return pagesOf<T>(this.#transport, path, options);
  }

  /** Sends any request, by method and path below `/v1`. @returns a successful response @throws PlatenError */
  async request(
    method: string,
    path: string,
    outgoing: Parameters<Transport['send']>[2] = {},
  ): Promise<Response> {
    return await this.#transport.send(method, path, outgoing);
  }
}

/** The jobs of the tenant. */
class Jobs {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Returns the handle of a job by its id, for example in another program. Sends no request. */
  open(id: string): JobHandle {
    return new JobHandle(this.#transport, id);
  }

  /** Returns all jobs, newest first. @param options.limit page size */
  list(options: CallOptions & { limit?: number } = {}): AsyncGenerator<Job> {
    return pagesOf<Job>(this.#transport, '/jobs', options);
  }
}

export type { Jobs };

function isList(records: Records): records is Exclude<Records, FileInput> {
  return Array.isArray(records);
}
