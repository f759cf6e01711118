import { createWriteStream, openAsBlob } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { Client } from './client.ts';
import { UsageError } from './command.ts';
import { sendForm } from './storage.ts';

/** Files on their way to the service and back. Large ones are not held in memory. */

/** A file to send. */
export interface LocalFile {
  field: string;
  name: string;
  content: Blob;
}

/**
 * What the files of one request may have together to be sent with it: of the gateway's 10 MB, Lambda leaves about 4.5.
 */
const INLINE_BYTES = 4 * 1024 * 1024;

/** @param file `-`: standard input. @throws UsageError when there is no such file */
export async function localFile(field: string, file: string, nameOfInput = 'input'): Promise<LocalFile> {
  if (file === '-') return { field, name: nameOfInput, content: new Blob([await buffer(process.stdin)]) };
  if (!(await isFile(file))) throw new UsageError(`There is no file ${file}.`);
  return { field, name: path.basename(file), content: await openAsBlob(file) };
}

export async function isFile(file: string): Promise<boolean> {
  try {
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}

/** Uploads a file to refer to. @returns `upload:<id>` */
export async function upload(client: Client, { name, content }: LocalFile): Promise<string> {
  const wanted = new FormData();
  wanted.append('size', String(content.size));
  wanted.append('name', name);
  const { url, fields, reference } = await client.json<{
    url: string;
    fields: Record<string, string>;
    reference: string;
  }>('POST', '/uploads', { body: wanted });
  await sendForm(url, fields, { name, content });
  return reference;
}

/** A form, and whether files in it were so large that they went to the storage first. */
export interface Form {
  body: FormData;
  isLarge: boolean;
}

/**
 * A form of text fields and files. The largest files are uploaded first, until the rest fits into a request.
 *
 * @param fields those that are undefined are left out
 */
export async function formOf(
  client: Client,
  fields: Readonly<Record<string, string | undefined>>,
  files: readonly LocalFile[],
): Promise<Form> {
  const uploaded = new Set<LocalFile>();
  let inline = files.reduce((sum, { content }) => sum + content.size, 0);
  for (const file of files.toSorted((a, b) => b.content.size - a.content.size)) {
    if (inline <= INLINE_BYTES) break;
    uploaded.add(file);
    inline -= file.content.size;
  }
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) body.append(name, value);
  for (const file of files) {
    if (uploaded.has(file)) body.append(file.field, await upload(client, file));
    else body.append(file.field, file.content, file.name);
  }
  return { body, isLarge: uploaded.size > 0 };
}

/**
 * Writes an answer to a file, which is there when it is complete and not before.
 *
 * @param output `-`: standard output; when absent, the name that the service gives
 * @param say told where it is now
 */
export async function save(
  response: Response,
  output: string | undefined,
  say: (text: string) => void,
): Promise<void> {
  const body = response.body ? Readable.fromWeb(response.body) : Readable.from([]);
  if (output === '-') {
    await pipeline(body, process.stdout, { end: false });
    return;
  }
  const file = output ?? nameOf(response);
  const partial = `${file}.${process.pid}.part`;
  try {
    await pipeline(body, createWriteStream(partial));
    await rename(partial, file);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
  say(`Saved ${file}`);
}

/** The name in Content-Disposition (RFC 6266), as a name in this directory. */
function nameOf(response: Response): string {
  const header = response.headers.get('content-disposition') ?? '';
  const [, extended] = /filename\*=UTF-8''([^;\s]+)/i.exec(header) ?? [];
  const [, quoted, plain] = /filename=(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(header) ?? [];
  const name =
    extended === undefined ? (quoted?.replace(/\\(.)/g, '$1') ?? plain) : decodeURIComponent(extended);
  const base = path.basename((name ?? '').replaceAll('\\', '/'));
  return base === '' || base.startsWith('.') ? 'document' : base;
}
