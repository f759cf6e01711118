import { PlatenError } from './errors.ts';
import type { SentFile } from './files.ts';
import { storageRefusal, type StorageForm } from './storage.ts';
import { unreachable } from './transport.ts';

/** Files by their paths, where there are some. Node's modules are loaded when they are needed. */

/** @throws what the file system says */
export async function openFile(path: string): Promise<SentFile> {
  const [{ openAsBlob }, { stat }, { basename }] = await Promise.all([
    import('node:fs'),
    import('node:fs/promises'),
    import('node:path'),
  ]);
  await stat(path);
  return { content: await openAsBlob(path), name: basename(path) };
}

/**
 * Writes a document to a file, which is there when it is complete and not before.
 *
 * @returns the path
 * @throws what the file system or the connection says
 */
export async function saveFile(body: ReadableStream<Uint8Array>, path: string): Promise<string> {
  const [{ createWriteStream }, { rename, rm }, { Readable }, { pipeline }] = await Promise.all([
    import('node:fs'),
    import('node:fs/promises'),
    import('node:stream'),
    import('node:stream/promises'),
  ]);
  const partial = `${path}.${crypto.randomUUID()}.part`;
  // A file of its own: nothing that is there, nor what a link that is there leads to, is written over.
  const file = createWriteStream(partial, { flags: 'wx' });
  try {
    await pipeline(Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]), file);
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
  return path;
}

/**
 * Sends a file to the storage by the form that the service has signed. It is not the service: it gets no token.
 *
 * Written to the wire piece by piece: `fetch` would read all of a file ahead of the network, and S3 takes no body whose
 * length it is not told.
 *
 * @throws PlatenError
 */
export async function sendForm({ url, fields, content, signal }: StorageForm): Promise<void> {
  const [http, https, { Readable }, { text }, { pipeline }] = await Promise.all([
    import('node:http'),
    import('node:https'),
    import('node:stream'),
    import('node:stream/consumers'),
    import('node:stream/promises'),
  ]);
  const boundary = `platen-${crypto.randomUUID()}`;
  const part = (name: string, more = ''): string =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`;
  const texts = Object.entries(fields).map(([name, value]) => `${part(name)}${value}\r\n`);
  const head = Buffer.from(texts.join('') + part('file', '; filename="file"'));
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  const request = (url.startsWith('https:') ? https : http).request(url, {
    method: 'POST',
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': head.length + content.size + tail.length,
    },
    ...(signal === undefined ? {} : { signal }),
  });
  const answer = new Promise<InstanceType<typeof http.IncomingMessage>>((resolve, reject) => {
    request.once('response', resolve);
    request.once('error', reject);
  });
  async function* body(): AsyncGenerator<Uint8Array> {
    yield head;
    yield* Readable.fromWeb(content.stream());
    yield tail;
  }
  try {
    // Its failure is the request's too. The storage may answer before it has read all: what counts is what it says.
    pipeline(body(), request).catch(() => undefined);
    const response = await answer;
    const said = await text(response);
    const { statusCode = 0, statusMessage = '' } = response;
    if (statusCode < 200 || statusCode >= 300) throw storageRefusal(statusCode, statusMessage, said);
  } catch (error) {
    if (error instanceof PlatenError || signal?.aborted === true) throw error;
    throw unreachable(url, error);
  }
}
