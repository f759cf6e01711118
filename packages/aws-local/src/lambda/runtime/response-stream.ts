import type { ClientRequest } from 'node:http';
import { describe, type RuntimeClient } from './client.ts';

/**
 * The stream that a streaming handler writes to: the body of a request to the Runtime API, with two more
 * methods.
 */
interface ResponseStream extends ClientRequest {
  setContentType(type: string): void;
  _onBeforeFirstWrite?: (write: (chunk: string | Uint8Array) => void) => void;
}

const HTTP_INTEGRATION = 'application/vnd.awslambda.http-integration-response';
const ERROR_TYPE = 'Lambda-Runtime-Function-Error-Type';
const ERROR_BODY = 'Lambda-Runtime-Function-Error-Body';

/** Bytes of the delimiter between the head of an HTTP response and its body. */
const DELIMITER_LENGTH = 8;

export const HttpResponseStream = {
  /** Makes `stream` the body of an HTTP response. As on Lambda, the head is sent with the first write. */
  from(stream: ResponseStream, head: object): ResponseStream {
    stream.setContentType(HTTP_INTEGRATION);
    stream._onBeforeFirstWrite = (write) => {
      write(JSON.stringify(head));
      write(new Uint8Array(DELIMITER_LENGTH));
    };
    return stream;
  },
};

/**
 * Returns a stream for one invocation.
 *
 * @returns `done` settles when the Runtime API has received the whole result; `fail` ends the result with an
 *   error
 */
export function responseStream(
  client: RuntimeClient,
  requestId: string,
): { stream: ResponseStream; done: Promise<void>; fail: (error: unknown) => void } {
  const stream = client.openResponse(requestId, {
    'Lambda-Runtime-Function-Response-Mode': 'streaming',
    'Content-Type': 'application/octet-stream',
    'Transfer-Encoding': 'chunked',
    Trailer: [ERROR_TYPE, ERROR_BODY],
  }) as ResponseStream;
  const done = new Promise<void>((resolve, reject) => {
    stream.on('error', reject);
    stream.on('response', (incoming) => incoming.on('error', reject).on('end', resolve).resume());
  });
  // The rejection may occur before anything waits for it.
  done.catch(() => {});

  let written = false;
  const write = stream.write.bind(stream) as (chunk: unknown, ...rest: unknown[]) => boolean;
  stream.write = ((chunk: unknown, ...rest: unknown[]): boolean => {
    if (!written) {
      written = true;
      stream._onBeforeFirstWrite?.((part) => write(part));
    }
    const bytes = typeof chunk === 'string' || chunk instanceof Uint8Array ? chunk : JSON.stringify(chunk);
    return write(bytes, ...rest);
  }) as typeof stream.write;
  stream.setContentType = (type) => {
    stream.setHeader('Content-Type', type);
  };

  return {
    stream,
    done,
    fail: (error) => {
      const { errorType, errorMessage, stackTrace } = describe(error);
      if (stream.writableEnded || stream.destroyed) return;
      stream.addTrailers({
        [ERROR_TYPE]: errorType,
        [ERROR_BODY]: Buffer.from(JSON.stringify({ errorType, errorMessage, stackTrace })).toString('base64'),
      });
      stream.end();
    },
  };
}
