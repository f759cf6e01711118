import type { IncomingMessage, ServerResponse } from 'node:http';

/** Refuses a request whose body may still be on its way. */

/** Most bytes of a refused body that are read and discarded: as many as the largest upload has. */
const DRAIN_BYTES = 512 * 1024 * 1024;
/** Time for them, and the longest silence in between. */
const DRAIN_MS = 30_000;
const SILENT_MS = 5_000;

/**
 * Sends a complete response. If the body of the request has not been read to its end, the connection cannot be
 * reused; closing it at once would make the system discard the response, with everything that the client is still
 * sending. So this direction is closed, and the other one read for a while (RFC 9112, 9.6).
 */
export function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: { status: number; headers: Record<string, string>; body: string },
): void {
  const head = { ...headers, 'content-length': Buffer.byteLength(body) };
  if (request.complete || !hasBody(request)) {
    response.writeHead(status, head).end(body);
    return;
  }
  response.writeHead(status, { ...head, connection: 'close' });
  if (response.socket === null) {
    // The response to an earlier request on the connection has not ended: this one follows it.
    response.end(body);
    return;
  }
  // A response to HEAD has no body whose first bytes would send the head.
  response.flushHeaders();
  response.write(body);
  // `response.end` would close both directions.
  request.socket.end();
  drain(request, () => response.destroy());
}

/** A request without a body counts as read only when its end has been parsed, which is a moment later. */
function hasBody({ headers }: IncomingMessage): boolean {
  return (headers['content-length'] ?? '0') !== '0' || headers['transfer-encoding'] !== undefined;
}

/** Reads and discards the rest of a body within the limits above, then calls `done`. */
function drain(request: IncomingMessage, done: () => void): void {
  let left = DRAIN_BYTES;
  const timer = setTimeout(done, DRAIN_MS);
  const silence = setTimeout(done, SILENT_MS);
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    silence.refresh();
    if (left < 0) done();
  });
  // The client has closed the connection, as it should.
  request.on('error', () => {});
  request.on('end', done);
  request.on('close', () => {
    clearTimeout(timer);
    clearTimeout(silence);
    done();
  });
  request.resume();
}
