import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { FunctionError, type ReportedError, type StreamedAnswer } from '../lambda/index.ts';
import { Backlog } from './backlog.ts';
import type { Limits } from './limits.ts';

/** Converts a function's result to an HTTP response. */

interface Head {
  statusCode?: unknown;
  headers?: Record<string, unknown> | null;
  multiValueHeaders?: Record<string, unknown[]> | null;
  cookies?: string[] | null;
}

/** The delimiter between the head of a streamed response and its body. */
const DELIMITER = Buffer.alloc(8);
/** Bytes within which the head of a streamed response has to end. */
const MAX_HEAD = 16 * 1024;
/** Maximum bytes of names and values of a response's headers. */
const MAX_HEADERS = 10_240;

/** API Gateway cuts a stream that is idle for this time. */
const IDLE_MS = 5 * 60_000;

/** Headers that the gateway does not pass on. */
const DROPPED = new Set([
  'connection',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'via',
]);
/** Headers that reach the client under another name, because the gateway sets its own or none. */
const REMAPPED = new Set([
  'authorization',
  'content-md5',
  'date',
  'max-forwards',
  'server',
  'user-agent',
  'www-authenticate',
]);

/**
 * Sends the response of a function that does not stream.
 *
 * @throws FunctionError when it is not a proxy integration's response
 */
export function sendBuffered(response: ServerResponse, json: Buffer): void {
  const answer = parse(json) as Head & { body?: unknown; isBase64Encoded?: unknown };
  const { body = '', isBase64Encoded } = answer;
  if (body !== null && typeof body !== 'string') throw malformed('Its body is not a text.');
  const bytes = Buffer.from(body ?? '', isBase64Encoded === true ? 'base64' : 'utf8');
  writeHead(response, answer, { 'content-type': 'application/json', 'content-length': String(bytes.length) });
  response.end(bytes);
}

/**
 * Passes on a streamed response as it arrives. What the client does not take at once waits for it within bounds, so
 * that the function is free for the next event. When the client disconnects, the function may finish its work, as on
 * AWS.
 *
 * @param limits maximum bytes, beyond which the connection is cut, and the speed of transfer
 * @param folder folder for what has to wait
 * @throws FunctionError; once the head has been sent, the connection is cut, which signals the error to the
 *   client
 */
export async function sendStreamed(
  response: ServerResponse,
  answer: StreamedAnswer,
  limits: Pick<Limits, 'stream' | 'unpaced' | 'pace'>,
  folder: string,
): Promise<void> {
  const first = await readHead(response, answer);
  const backlog = new Backlog(folder);
  response.once('close', () => void backlog.close());
  // The function has gone silent.
  const filled = fill(backlog, first, answer, limits, () => response.destroy());
  try {
    for await (const piece of backlog) {
      if (response.destroyed) break;
      if (!response.write(piece)) await drained(response);
    }
    const fault = await filled;
    if (fault !== undefined) throw fault;
    response.end();
  } catch (error) {
    response.destroy();
    await filled;
    throw error;
  } finally {
    await backlog.close();
  }
}

/**
 * Receives the body from the function, to its end in any case.
 *
 * @param silent called when nothing has come for the longest time
 * @returns the fault of the function; undefined without one
 */
async function fill(
  backlog: Backlog,
  first: Buffer,
  { body, failure }: StreamedAnswer,
  limits: Pick<Limits, 'stream' | 'unpaced' | 'pace'>,
  silent: () => void,
): Promise<unknown> {
  const idle = setTimeout(silent, IDLE_MS);
  const paced = pacing(limits);
  let received = 0;
  const receive = async (chunk: Buffer): Promise<void> => {
    idle.refresh();
    received += chunk.length;
    if (received > limits.stream) backlog.end();
    else await backlog.add(chunk);
    // The function need not wait for a client that has disconnected.
    if (!backlog.isClosed) await paced(received);
  };
  try {
    if (first.length > 0) await receive(first);
    for await (const chunk of body as AsyncIterable<Buffer>) await receive(chunk);
    const reported = failure();
    if (reported) return functionError(reported);
    if (received > limits.stream) return malformed(`It is larger than ${limits.stream} bytes.`);
    return undefined;
  } catch (error) {
    return error;
  } finally {
    clearTimeout(idle);
    backlog.end();
  }
}

/** @returns a function that receives the bytes sent so far and waits until more may follow */
function pacing({ unpaced, pace }: Pick<Limits, 'unpaced' | 'pace'>): (sent: number) => Promise<void> {
  let since: number | undefined;
  return async (sent) => {
    if (sent <= unpaced) return;
    since ??= performance.now();
    const ahead = ((sent - unpaced) / pace) * 1000 - (performance.now() - since);
    if (ahead > 0) await sleep(ahead);
  };
}

async function drained(response: ServerResponse): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = (): void => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}

/** Reads up to the delimiter, sends the head, and returns the part of the body that has arrived. */
async function readHead(response: ServerResponse, { body, failure }: StreamedAnswer): Promise<Buffer> {
  let bytes: Buffer = Buffer.alloc(0);
  let tooLong = false;
  try {
    for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk]);
      const end = bytes.indexOf(DELIMITER);
      tooLong = (end < 0 ? bytes.length : end) + DELIMITER.length > MAX_HEAD;
      if (tooLong) break;
      if (end >= 0) {
        writeHead(response, parse(bytes.subarray(0, end)), {});
        return bytes.subarray(end + DELIMITER.length);
      }
    }
  } catch (error) {
    // The rest has to be read, or the function would wait forever.
    body.resume();
    throw error;
  }
  body.resume();
  const reported = failure();
  if (reported) throw functionError(reported);
  throw malformed(tooLong ? `Its head does not end within ${MAX_HEAD} bytes.` : 'It has no head.');
}

function parse(json: Buffer): Head {
  let value: unknown;
  try {
    value = JSON.parse(json.toString('utf8'));
  } catch {
    throw malformed('It is not JSON.');
  }
  if (typeof value !== 'object' || value === null) throw malformed('It is not an object.');
  return value;
}

function writeHead(response: ServerResponse, head: Head, defaults: Record<string, string>): void {
  const status = head.statusCode === undefined ? 200 : Number(head.statusCode);
  if (!Number.isInteger(status) || status < 200 || status > 599) {
    throw malformed(`Its status is ${String(head.statusCode)}.`);
  }
  const headers: Record<string, string | string[]> = { ...defaults };
  for (const [name, value] of Object.entries(head.headers ?? {})) headers[name.toLowerCase()] = String(value);
  for (const [name, values] of Object.entries(head.multiValueHeaders ?? {})) {
    headers[name.toLowerCase()] = values.map(String);
  }
  if (head.cookies && head.cookies.length > 0) headers['set-cookie'] = head.cookies;
  const size = Object.entries(headers).reduce(
    (all, [name, value]) => all + Buffer.byteLength(name) + Buffer.byteLength([value].flat().join('')),
    0,
  );
  if (size > MAX_HEADERS) throw malformed(`Its headers have ${size} bytes, more than ${MAX_HEADERS}.`);
  try {
    for (const [name, value] of Object.entries(headers)) {
      if (!DROPPED.has(name))
        response.setHeader(REMAPPED.has(name) ? `x-amzn-remapped-${name}` : name, value);
    }
  } catch (error) {
    // The name contains a character that headers do not allow.
    for (const name of Object.keys(headers)) response.removeHeader(name);
    throw malformed(`A header cannot be sent: ${(error as Error).message}.`);
  }
  response.writeHead(status);
}

function malformed(why: string): FunctionError {
  return new FunctionError(
    'Runtime.MalformedResponse',
    `The answer is not that of a proxy integration. ${why}`,
  );
}

function functionError({
  errorType = 'Error',
  errorMessage = '',
  stackTrace = [],
}: ReportedError): FunctionError {
  return new FunctionError(errorType, errorMessage, stackTrace);
}
