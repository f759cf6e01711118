import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { ZipFile } from '@platen/core/archive';
import { readZip } from '@platen/core/zip';
import { PlatenError } from '@platen/client';
import type { Client } from '../client.ts';
import { byField } from '../files.ts';
import { hashOf, type LocalTemplate, type Tree } from './folders.ts';
import type { TemplateState } from './state.ts';

/** Reads and writes the templates of a service. */

export interface RemoteTemplate {
  id: string;
  name: string;
  version: number;
  published_version: number;
  latest_version: number;
  partials: string[];
  samples: { name: string; bytes: number; timestamp: string }[];
}

/** The outcome of an imported folder. */
interface Imported {
  id: string;
  version: number;
  result: 'added' | 'changed' | 'published' | 'unchanged';
  files: Record<string, string>;
}

export interface SendOptions {
  draft: boolean;
  note: string | undefined;
  /** The version that the service must have; null: any. */
  expects: number | null;
}

export class Service {
  readonly #client: Client;
  readonly #signal: AbortSignal;

  constructor(client: Client, signal: AbortSignal) {
    this.#client = client;
    this.#signal = signal;
  }

  /** Returns a name of the service and the tenant, for the lock file. */
  async name(): Promise<string> {
    const { tenant } = await this.#client.json<{ tenant: string }>('GET', '/token', { signal: this.#signal });
    return `${this.#client.url} ${tenant}`;
  }

  async templates(): Promise<Map<string, RemoteTemplate>> {
    const listed = await this.#list<RemoteTemplate>('/template');
    return new Map(listed.map((template) => [template.id, template]));
  }

  /** Returns the newest version of a template. */
  async latest(id: string): Promise<RemoteTemplate> {
    return await this.#client.json('GET', `/template/${encodeURIComponent(id)}?version=latest`, {
      signal: this.#signal,
    });
  }

  /** Returns the hashes of the partials, by name. */
  async partials(): Promise<Map<string, string>> {
    const listed = await this.#list<{ name: string; hash: string }>('/partials');
    return new Map(listed.map(({ name, hash }) => [name, hash]));
  }

  async partial(name: string): Promise<Buffer> {
    const answer = await this.#client.call('GET', `/partials/${encodeURIComponent(name)}`, {
      signal: this.#signal,
    });
    return Buffer.from(await answer.arrayBuffer());
  }

  async putPartial(name: string, bytes: Buffer): Promise<void> {
    const file = {
      field: 'file_data',
      name: name.split('/').at(-1) ?? name,
      content: new Blob([new Uint8Array(bytes)]),
    };
    const { body } = await this.#client.form({}, byField([file]));
    await this.#client.call('PUT', `/partials/${encodeURIComponent(name)}`, { body, signal: this.#signal });
  }

  async remove(kind: 'template' | 'partials', name: string): Promise<void> {
    await this.#client.call('DELETE', `/${kind}/${encodeURIComponent(name)}`, { signal: this.#signal });
  }

  /**
   * Returns the files of a template's version, and their ids.
   *
   * @param version a number, `latest` or `published`
   */
  async export(id: string, version: string): Promise<{ tree: Tree; ids: Record<string, string> }> {
    const query = new URLSearchParams({ template: id, ...(version === 'published' ? {} : { version }) });
    const answer = await this.#client.call('GET', `/export?${query.toString()}`, { signal: this.#signal });
    const { wanted } = await readZip(Buffer.from(await answer.arrayBuffer()), () => true);
    const tree: Tree = new Map();
    for (const [name, bytes] of wanted) {
      const [, file] = /^templates\/[^/]+\/(.+)$/s.exec(name) ?? [];
      if (file !== undefined) tree.set(file, bytes);
    }
    const origin = JSON.parse(wanted.get('export.json')?.toString() ?? '{}') as {
      templates?: Record<string, { files: Record<string, string> }>;
    };
    return { tree, ids: Object.values(origin.templates ?? {})[0]?.files ?? {} };
  }

  /** Sends a folder, without the files that the service already has. */
  async import(local: LocalTemplate, known: TemplateState | null, options: SendOptions): Promise<Imported> {
    const zip = await zipOf(local, known);
    const file = {
      field: 'file_data',
      name: `${local.folder}.zip`,
      content: new Blob([new Uint8Array(zip)]),
    };
    const { body } = await this.#client.form(
      { publish: String(!options.draft), note: options.note },
      byField([file]),
    );
    const headers = options.expects === null ? {} : { 'if-match': `"${options.expects}"` };
    const answer = await this.#client.json<{ templates: Imported[] }>('POST', '/import', {
      body,
      headers,
      signal: this.#signal,
    });
    const [imported] = answer.templates;
    if (imported === undefined)
      throw new PlatenError(
        0,
        'unknown',
        'The response of the service does not contain the imported template.',
      );
    return imported;
  }

  /** Renders a document with the newest version. */
  async render(id: string, data: Buffer): Promise<Buffer> {
    const file = { field: 'render_data', name: 'data.json', content: new Blob([new Uint8Array(data)]) };
    const { body } = await this.#client.form({}, byField([file]));
    const path = `/render/pdf/${encodeURIComponent(id)}?version=latest`;
    const answer = await this.#client.call('POST', path, { body, signal: this.#signal });
    return Buffer.from(await answer.arrayBuffer());
  }

  /** Returns the elements of all pages of a list. */
  async #list<T>(path: string): Promise<T[]> {
    const all: T[] = [];
    for await (const element of this.#client.list<T>(path, { limit: 200, signal: this.#signal }))
      all.push(element);
    return all;
  }
}

/** Returns a folder as a ZIP, which only names the files that the service already has. */
async function zipOf({ folder, tree }: LocalTemplate, known: TemplateState | null): Promise<Buffer> {
  const body = new PassThrough();
  const content = buffer(body);
  const zip = new ZipFile(body);
  const files: Record<string, string> = {};
  for (const [name, bytes] of tree) {
    const had = known?.files[name];
    if (had?.hash === hashOf(bytes)) files[name] = had.id;
    else await zip.add(`templates/${folder}/${name}`, bytes, false);
  }
  const origin = { templates: known === null ? {} : { [folder]: { id: known.id, files } } };
  await zip.add('export.json', Buffer.from(JSON.stringify(origin)), false);
  await zip.finish();
  return await content;
}
