import { PlatenError } from './errors.ts';
import type { SentFile } from './files.ts';
import { storageRefusal, type StorageForm } from './storage.ts';
import { unreachable } from './transport.ts';

/** Reads and writes files by path on platforms that have them. Node's modules are loaded on first use. */

/**
 * Opens a file to send. A file that can be part of a form is read at once: `fetch` reads a form where no caller can
 * catch an error, so a file that changes before it is sent would end the process.
 *
 * @param inline the bytes that a form takes at most
 * @throws the file system's error; Error for a folder, a device or a pipe
 */
export async function openFile(path: string, inline: number): Promise<SentFile> {
  const [{ openAsBlob }, { readFile, stat }, { basename }] = await Promise.all([
    import('node:fs'),
    import('node:fs/promises'),
    import('node:path'),
  ]);
  const found = await stat(path);
  if (!found.isFile()) throw new Error(`${path} is not a file.`);
  const content = found.size > inline ? await openAsBlob(path) : new Blob([await readFile(path)]);
  return { content, name: basename(path) };
}

/**
 * Writes a document to a file, which appears only when it is complete.
 *
 * @returns the path
 * @throws the error of the file system or the connection
 */
export async function saveFile(body: ReadableStream<Uint8Array>, path: string): Promise<string> {
  const [{ createWriteStream }, { rename, rm }, { dirname, join }, { Readable }, { pipeline }] =
    await Promise.all([
      import('node:fs'),
      import('node:fs/promises'),
      import('node:path'),
      import('node:stream'),
      import('node:stream/promises'),
    ]);
  // Not the name with a suffix, which could be longer than file systems allow.
  const partial = join(dirname(path), `platen-${crypto.randomUUID()}.part`);
  // A new temporary file ensures that neither an existing file nor the target of a link is overwritten.
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
 * Uploads a file to the storage with the form that the service has signed. The storage is not the service and
 * receives no token.
 *
 * The body is written in pieces: `fetch` would read the whole file ahead of the network, and S3 requires the
 * length of a body.
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
    // A failure here also fails the request. The storage may respond before it has read everything; its
    // response counts.
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
