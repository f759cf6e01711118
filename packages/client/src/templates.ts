import type { AnswerOf, Call, OperationName } from './call.ts';
import type { PlatenDocument } from './document.ts';
import type { FileInput } from './files.ts';
import type { ListOptions } from './lists.ts';
import { type CallOptions, segment } from './transport.ts';
import type {
  DataSchema,
  DeletedTemplate,
  ImageFile,
  StyleFile,
  Template,
  TemplateChange,
  TemplateData,
  TemplateEvent,
  TemplateVersion,
} from './wire.ts';

/** Stored templates with their versions, files and samples. */

/** Calls an operation, as the client does. */
export type Caller = <O extends OperationName>(operation: O, sent?: Call<O>) => AnswerOf<O>;

/** The files of a template. */
export interface TemplateFiles {
  file?: FileInput;
  header?: FileInput;
  footer?: FileInput;
}

/** The version: its number, or `latest`; the published one when absent. */
export interface VersionOptions extends CallOptions {
  version?: number | 'latest';
}

export interface PublishOptions extends CallOptions {
  /** `false`: a draft, which renderings do not use. */
  publish?: boolean;
}

const filesOf = ({ file, header, footer }: TemplateFiles) => ({
  file_data: file,
  header_data: header,
  footer_data: footer,
});

export class Templates {
  readonly #call: Caller;
  readonly #pages: <T>(path: string, options: ListOptions) => AsyncGenerator<T>;

  constructor(call: Caller, pages: <T>(path: string, options: ListOptions) => AsyncGenerator<T>) {
    this.#call = call;
    this.#pages = pages;
  }

  /**
   * Returns all templates, newest first.
   *
   * @param options.limit page size
   * @param options.name only those whose name contains this text
   * @param options.tag only those with this tag
   */
  list(options: ListOptions = {}): AsyncGenerator<Template> {
    return this.#pages<Template>('/template', options);
  }

  async get(id: string, { version, ...options }: VersionOptions = {}): Promise<Template> {
    return await this.#call('getTemplate', { params: { id }, query: { version }, ...options });
  }

  /** @param data `name` and `format`, and default options for its renderings */
  async add(
    data: TemplateData,
    files: TemplateFiles & { file: FileInput },
    options: CallOptions = {},
  ): Promise<Template> {
    return await this.#call('addTemplate', {
      fields: { template_data: data },
      files: filesOf(files),
      ...options,
    });
  }

  /** Writes the next version; parts that are left out stay unchanged. */
  async change(
    id: string,
    { data, ...files }: TemplateFiles & { data?: TemplateChange },
    { publish, ...options }: PublishOptions = {},
  ): Promise<Template> {
    const fields = { template_data: data, publish };
    return await this.#call('changeTemplate', { params: { id }, fields, files: filesOf(files), ...options });
  }

  /** Deletes a template with all its versions and files. @param options.permanent it cannot be restored */
  async delete(
    id: string,
    { permanent, ...options }: CallOptions & { permanent?: boolean } = {},
  ): Promise<void> {
    await this.#call('deleteTemplate', { params: { id }, query: { permanent }, ...options });
  }

  /** Returns the deleted templates that can be restored. @param options.limit page size */
  deleted(options: Pick<ListOptions, 'limit' | 'signal'> = {}): AsyncGenerator<DeletedTemplate> {
    return this.#pages<DeletedTemplate>('/template/deleted', options);
  }

  /** Restores a deleted template with its versions and files. */
  async restore(id: string, options: CallOptions = {}): Promise<Template> {
    return await this.#call('restoreTemplate', { params: { id }, ...options });
  }

  async versions(id: string, options: CallOptions = {}): Promise<TemplateVersion[]> {
    return await this.#call('listVersions', { params: { id }, ...options });
  }

  /** Returns what happened to a template, newest first. @param options.limit page size */
  history(id: string, options: Pick<ListOptions, 'limit' | 'signal'> = {}): AsyncGenerator<TemplateEvent> {
    return this.#pages<TemplateEvent>(`/template/${segment(id)}/history`, options);
  }

  /** Makes renderings use a version from now on, which may be an older one. */
  async publish(id: string, version: number, options: CallOptions = {}): Promise<Template> {
    return await this.#call('publishVersion', {
      params: { id },
      fields: { version: String(version) },
      ...options,
    });
  }

  /** Returns the JSON Schema of the data that a template uses. */
  async fields(id: string, { version, ...options }: VersionOptions = {}): Promise<DataSchema> {
    return await this.#call('getFields', { params: { id }, query: { version }, ...options });
  }

  /** Returns the file of a template as it was uploaded. */
  async file(id: string, { version, ...options }: VersionOptions = {}): Promise<PlatenDocument> {
    return await this.#call('getTemplateFile', { params: { id }, query: { version }, ...options });
  }

  /** Adds a style sheet and thereby writes the next version. */
  async addStyle(
    id: string,
    file: FileInput,
    data: { filename?: string; description?: string } = {},
    { publish, ...options }: PublishOptions = {},
  ): Promise<StyleFile> {
    const fields = { template_data: { format: 'css' as const, ...data }, publish };
    return await this.#call('addStylesheet', {
      params: { id },
      fields,
      files: { file_data: file },
      ...options,
    });
  }

  /**
   * Adds an image and thereby writes the next version. @param data `uri` is the variable that shows the image
   */
  async addImage(
    id: string,
    file: FileInput,
    data: { format: string; uri?: string; filename?: string; description?: string },
    { publish, ...options }: PublishOptions = {},
  ): Promise<ImageFile> {
    const fields = { template_data: data, publish };
    return await this.#call('addImage', { params: { id }, fields, files: { file_data: file }, ...options });
  }

  /** Stores sample data for a template. */
  async putSample(id: string, name: string, data: unknown, options: CallOptions = {}): Promise<void> {
    await this.#call('putSample', { params: { id, name }, body: JSON.stringify(data), ...options });
  }

  async getSample(id: string, name: string, options: CallOptions = {}): Promise<unknown> {
    const document = await this.#call('getSample', { params: { id, name }, ...options });
    return JSON.parse(await document.text()) as unknown;
  }

  async deleteSample(id: string, name: string, options: CallOptions = {}): Promise<void> {
    await this.#call('deleteSample', { params: { id, name }, ...options });
  }
}
