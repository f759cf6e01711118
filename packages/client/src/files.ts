import { openFile, sendForm } from '#platform';
import { PlatenError } from './errors.ts';
import { sleep, type Transport } from './transport.ts';
import type { Upload } from './wire.ts';

/** Files on their way to the service. Large ones go to its storage first, and are referred to. */

/** What a file is made of. A stream is read to its end before it is sent; a path is one of Node, Deno or Bun. */
export type FileContent =
  | Blob
  | Uint8Array<ArrayBuffer>
  | string
  | ReadableStream<Uint8Array<ArrayBuffer>>
  | { readonly path: string };

/** A file to send: its content, with a name if it matters; or `upload:<id>`, a file that has been uploaded before. */
export type FileInput = FileContent | NamedFile | UploadedFile;

export interface NamedFile {
  readonly content: FileContent;
  readonly name: string;
  readonly type?: string;
}

export interface UploadedFile {
  readonly upload: string;
}

/** A file ready to be sent. */
export interface SentFile {
  content: Blob;
  name: string;
}

/**
 * Together this much is sent with a request: of API Gateway's 10 MB, Lambda leaves about 4.5.
 */
const INLINE_BYTES = 4 * 1024 * 1024;

/** Attempts to hand a file to the storage. */
const ATTEMPTS = 3;

/** @throws TypeError where there are no paths; what the file system says of one that cannot be read */
async function opened(file: Exclude<FileInput, UploadedFile>, field: string): Promise<SentFile> {
  if (isNamed(file)) {
    const { content } = await opened(file.content, field);
    const typed = file.type === undefined ? content : content.slice(0, content.size, file.type);
    return { content: typed, name: file.name };
  }
  if (file instanceof Blob) return { content: file, name: (file as Partial<File>).name ?? field };
  if (file instanceof ReadableStream) return { content: await new Response(file).blob(), name: field };
  if (typeof file === 'string' || file instanceof Uint8Array)
    return { content: new Blob([file]), name: field };
  return await openFile(file.path);
}

function isNamed(file: FileInput): file is NamedFile {
  return typeof file === 'object' && 'content' in file;
}

function isUploaded(file: FileInput): file is UploadedFile {
  return typeof file === 'object' && 'upload' in file;
}

/** A value of a text field: text as it is, anything else as JSON. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A form ready to be sent. */
export interface PreparedForm {
  body: FormData;
  /** Something in it was so large that it was uploaded first: work on it may take longer than a request may. */
  isLarge: boolean;
}

/**
 * A form of fields and files. The largest files, and texts that are as large, are uploaded first, until the rest fits
 * into a request.
 *
 * @param fields those that are undefined are left out
 * @throws PlatenError when a file cannot be uploaded
 */
export async function formOf(
  transport: Transport,
  fields: Readonly<Record<string, unknown>>,
  files: Readonly<Record<string, FileInput | undefined>> = {},
  signal?: AbortSignal,
): Promise<PreparedForm> {
  const body = new FormData();
  const sent: (SentFile & { field: string })[] = [];
  for (const [field, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    const text = textOf(value);
    if (text.length < INLINE_BYTES / 4) body.append(field, text);
    else sent.push({ field, name: `${field}.json`, content: new Blob([text], { type: 'application/json' }) });
  }
  for (const [field, file] of Object.entries(files)) {
    if (file === undefined) continue;
    if (isUploaded(file)) body.append(field, referenceOf(file.upload));
    else sent.push({ field, ...(await opened(file, field)) });
  }
  const large = new Set<SentFile>();
  let inline = sent.reduce((sum, { content }) => sum + content.size, 0);
  for (const file of sent.toSorted((a, b) => b.content.size - a.content.size)) {
    if (inline <= INLINE_BYTES) break;
    large.add(file);
    inline -= file.content.size;
  }
  for (const file of sent) {
    if (large.has(file)) body.append(file.field, await upload(transport, file, signal));
    else body.append(file.field, file.content, file.name);
  }
  return { body, isLarge: large.size > 0 };
}

function referenceOf(text: string): string {
  return text.startsWith('upload:') ? text : `upload:${text}`;
}

/**
 * Puts a file where requests of the next day can refer to it.
 *
 * @returns `upload:<id>`
 * @throws PlatenError
 */
export async function upload(transport: Transport, file: SentFile, signal?: AbortSignal): Promise<string> {
  const wanted = new FormData();
  wanted.append('size', String(file.content.size));
  wanted.append('name', file.name);
  const form = await transport.json<Upload>('POST', '/uploads', {
    body: wanted,
    repeatable: true,
    ...(signal === undefined ? {} : { signal }),
  });
  for (let attempt = 1; ; attempt++) {
    try {
      await sendForm({
        url: form.url,
        fields: form.fields,
        content: file.content,
        fetch: transport.fetch,
        signal,
      });
      return form.reference;
    } catch (error) {
      const passes = error instanceof PlatenError && (error.status === 0 || error.status >= 500);
      if (!passes || attempt === ATTEMPTS) throw error;
      await sleep(1_000 * attempt, signal);
    }
  }
}

/** A file for `upload` by itself. @throws as `opened` */
export async function sentFile(file: Exclude<FileInput, UploadedFile>): Promise<SentFile> {
  return await opened(file, 'file');
}
