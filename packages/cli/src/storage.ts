import { randomUUID } from 'node:crypto';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { ApiError, unreachable } from './client.ts';

/**
 * Sends a file to the storage by the form that the service has signed. It is not the service: it gets no token, and
 * tells errors in XML.
 *
 * Written to the wire piece by piece: `fetch` would read all of a file ahead of the network, and S3 takes no body whose
 * length it is not told.
 *
 * @throws ApiError
 */
export async function sendForm(
  url: string,
  fields: Readonly<Record<string, string>>,
  file: { name: string; content: Blob },
): Promise<void> {
  const boundary = `platen-${randomUUID()}`;
  const head = Buffer.from(
    Object.entries(fields)
      .map(
        ([name, value]) =>
          `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
      )
      .join('') + `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="file"\r\n\r\n`,
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  const request = (url.startsWith('https:') ? httpsRequest : httpRequest)(url, {
    method: 'POST',
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': head.length + file.content.size + tail.length,
    },
  });
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve);
    request.once('error', reject);
  });
  async function* body(): AsyncGenerator<Uint8Array> {
    yield head;
    yield* Readable.fromWeb(file.content.stream());
    yield tail;
  }
  try {
    // Its failure is the request's too. The storage may answer before it has read all: what counts is what it says.
    pipeline(body(), request).catch(() => undefined);
    await judge(await answer);
  } catch (error) {
    throw error instanceof ApiError ? error : unreachable(url, error);
  }
}

async function judge(response: IncomingMessage): Promise<void> {
  const { statusCode = 0, statusMessage = '' } = response;
  const xml = await text(response);
  if (statusCode >= 200 && statusCode < 300) return;
  const [, code = ''] = /<Code>(\w+)<\/Code>/.exec(xml) ?? [];
  const [, message = statusMessage] = /<Message>([^<]*)<\/Message>/.exec(xml) ?? [];
  throw new ApiError(statusCode, code, `The storage refuses the file: ${message}`);
}
