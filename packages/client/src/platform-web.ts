import type { SentFile } from './files.ts';
import { storageRefusal, type StorageForm } from './storage.ts';
import { unreachable } from './transport.ts';

/**
 * File access on browsers and other platforms without files. `platform-node.ts` replaces this module on Node.
 */

/** @throws TypeError: this platform has no paths */
export async function openFile(path: string, _inline: number): Promise<SentFile> {
  throw new TypeError(
    `${path}: files are read by their paths on Node, Deno and Bun only. Give a Blob or bytes.`,
  );
}

/** @throws TypeError: this platform has no files */
export async function saveFile(_body: ReadableStream<Uint8Array>, path: string): Promise<string> {
  throw new TypeError(`${path}: files are written on Node, Deno and Bun only. Take .blob() or .stream().`);
}

/**
 * Uploads a file to the storage with the form that the service has signed. The storage is not the service and
 * receives no token.
 *
 * @throws PlatenError
 */
export async function sendForm({ url, fields, content, fetch, signal }: StorageForm): Promise<void> {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  body.append('file', content, 'file');
  const response = await fetch(url, { method: 'POST', body, ...(signal ? { signal } : {}) }).catch(
    (error: unknown) => {
      if (signal?.aborted === true) throw error;
      throw unreachable(url, error);
    },
  );
  const text = await response.text();
  if (!response.ok) throw storageRefusal(response.status, response.statusText, text);
}
