import { openFile, sendForm } from '#platform';
import { PlatenError } from './errors.ts';
import { sleep, type Transport } from './transport.ts';
import type { Upload } from './wire.ts';

/**
 * Prepares files for requests. Large files are uploaded to the service's storage first and sent as
 * references.
 */

/** The content of a file. A stream is read completely before it is sent; paths work on Node, Deno and Bun. */
export type FileContent =
  | Blob
  | Uint8Array<ArrayBuffer>
  | string
  | ReadableStream<Uint8Array<ArrayBuffer>>
  | { readonly path: string };

/**
 * A file to send: its content, with a name if required; or `upload:<id>`, a file that was uploaded earlier.
 */
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

/** Maximum bytes of all files in one request: of API Gateway's 10 MB, Lambda leaves about 4.5. */
const INLINE_BYTES = 4 * 1024 * 1024;

/** Attempts to upload a file to the storage. */
const ATTEMPTS = 3;

/** @throws TypeError on platforms without paths; the file system's error for a file that cannot be read */
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
  return await openFile(file.path, INLINE_BYTES);
}

function isNamed(file: FileInput): file is NamedFile {
  return typeof file === 'object' && 'content' in file;
}

function isUploaded(file: FileInput): file is UploadedFile {
  return typeof file === 'object' && 'upload' in file;
}

/** Returns the value of a text field: texts unchanged, other values as JSON. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A form ready to be sent. */
export interface PreparedForm {
  body: FormData;
  /**
   * True when part of the form was so large that it was uploaded first: processing may take longer than a
   * request may.
   */
  isLarge: boolean;
}

/**
 * Builds a form of fields and files. The largest files, and texts of that size, are uploaded first until the
 * rest fits into a request.
 *
 * @param fields undefined ones are left out
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
 * Uploads a file that requests can refer to for a day.
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

/** Prepares a single file for `upload`. @throws as `opened` */
export async function sentFile(file: Exclude<FileInput, UploadedFile>): Promise<SentFile> {
  return await opened(file, 'file');
}
