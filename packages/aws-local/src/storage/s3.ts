import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { DatabaseSync } from 'node:sqlite';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import busboy from 'busboy';
import fastify, { type FastifyError, type FastifyReply } from 'fastify';
import type { Access } from '../iam/access.ts';
import { rightsForForm, rightsForS3, rightsForMissing } from '../iam/s3.ts';
import { prepareDatabase, Shrinking } from './database.ts';
import { PersistenceManager, registerS3Routes, S3Store } from './fauxqs.ts';
import { DISK_FULL, hasRoomForObject, type StoredSizes } from './room.ts';
import { accessKeyOf, accessKeyOfForm, type KeyRing, policyFault, signatureFault } from './signature.ts';

/** Amazon S3 on this machine: fauxqs over SQLite, on loopback, for callers with keys. */

/**
 * Maximum bytes of a request that puts an object. S3's own limit is 5 GB; here the object has to fit into
 * memory, and SQLite limits a value to 1,000,000,000 bytes.
 */
const MAX_REQUEST = 900 * 1024 * 1024;

/** Maximum parts of one upload, which the emulator does not check. */
const MAX_PIECES = 10_000;

/** Milliseconds after a deletion until the log of SQLite is emptied, which otherwise still has what was deleted. */
const EMPTY_LOG_MS = 500;
/** Milliseconds after which an upload in pieces is discarded, as by the lifecycle rule of the stacks. */
const UNFINISHED_MS = 24 * 60 * 60_000;
const DISCARD_INTERVAL_MS = 60 * 60_000;

type ListOptions = NonNullable<Parameters<S3Store['listObjects']>[1]>;

/**
 * Sorts keys by bytes: fauxqs sorts them by locale, but continues a list by bytes, as S3 does, and would omit
 * some keys.
 */
class OrderedStore extends S3Store implements StoredSizes {
  override listObjects(bucket: string, options: ListOptions = {}): ReturnType<S3Store['listObjects']> {
    const { prefix = '', delimiter, maxKeys = 1000 } = options;
    const after = options.startAfter ?? options.marker ?? '';
    const all = super.listObjects(bucket, { prefix, maxKeys: Infinity }).objects;
    all.sort((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)));
    const objects: typeof all = [];
    const commonPrefixes = new Set<string>();
    for (const object of all) {
      const end = delimiter === undefined ? -1 : object.key.indexOf(delimiter, prefix.length);
      const group = end < 0 ? undefined : object.key.slice(0, end + (delimiter ?? '').length);
      if ((group ?? object.key) <= after || (group !== undefined && commonPrefixes.has(group))) continue;
      if (objects.length + commonPrefixes.size >= maxKeys) {
        return { objects, commonPrefixes: [...commonPrefixes], isTruncated: true };
      }
      if (group === undefined) objects.push(object);
      else commonPrefixes.add(group);
    }
    return { objects, commonPrefixes: [...commonPrefixes], isTruncated: false };
  }

  ofObject(path: string): number {
    const mark = path.indexOf('/');
    const [bucket, key] = [path.slice(0, mark), path.slice(mark + 1)];
    return this.holds(bucket, key) ? this.headObject(bucket, key).contentLength : 0;
  }

  ofUpload(id: string): number {
    // fauxqs has no method for it.
    const { multipartUploads } = this as unknown as {
      multipartUploads: Map<string, { parts: Map<number, { body: Buffer }> }>;
    };
    const parts = multipartUploads.get(id)?.parts.values() ?? [];
    return [...parts].reduce((sum, { body }) => sum + body.length, 0);
  }

  /** Discards uploads in pieces that began before a time and were neither completed nor aborted. */
  discardUnfinished(before: number): void {
    // The types of fauxqs hide the uploads, and it does not list them.
    const { multipartUploads } = this as unknown as { multipartUploads: Map<string, { initiated: Date }> };
    for (const [id, { initiated }] of multipartUploads) {
      if (initiated.getTime() < before) this.abortMultipartUpload(id);
    }
  }

  holds(bucket: string, key: string): boolean {
    try {
      this.headObject(bucket, key);
      return true;
    } catch {
      // The store throws for a missing bucket, which the next step reports.
      return false;
    }
  }
}

export interface S3Server {
  port: number;
  close(): Promise<void>;
}

/**
 * @param folder folder of the objects; created when it does not exist
 * @param port 0 for any free port
 * @throws the errors of SQLite, when the stored data cannot be read
 */
export async function startS3(folder: string, port: number, access: Access): Promise<S3Server> {
  const ring: KeyRing = (id) => access.keys(id);
  await prepareDatabase(folder);
  const persistence = new PersistenceManager(folder);
  const shrinking = new Shrinking(persistence);
  const store = new OrderedStore();
  persistence.loadS3(store);
  store.persistence = persistence;
  const { emptyLogSoon, close: closeLog } = overwriteDeleted(persistence);
  const discard = (): void => {
    try {
      store.discardUnfinished(Date.now() - UNFINISHED_MS);
      emptyLogSoon();
    } catch {
      // The disk is full: they are discarded later.
    }
  };
  discard();
  const discarding = setInterval(discard, DISCARD_INTERVAL_MS);

  const app = fastify({ forceCloseConnections: true });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_REQUEST }, (_request, body, done) =>
    done(null, body),
  );
  // Browsers send uploads here, and are redirected here for results.
  app.addHook('onSend', async (_request, reply) => void reply.header('x-content-type-options', 'nosniff'));
  app.addHook('onRequest', async ({ raw, headers }, reply) => {
    const request = { method: raw.method ?? '', url: raw.url ?? '/', headers };
    // A form contains its own signature.
    if (isForm(request)) return;
    const fault = signatureFault(request, ring, Date.now());
    if (fault !== null) await refuse(reply, 403, 'AccessDenied', fault);
  });
  app.addHook('preHandler', async ({ headers, body, method, params, url }, reply) => {
    const { bucket = '', '*': key = '' } = params as Record<string, string>;
    const request = { method, url, headers };
    const sent = Buffer.isBuffer(body) ? body.length : 0;
    if (!(await hasRoomForObject(folder, { ...request, size: sent }, store))) {
      return refuse(reply, DISK_FULL.status, DISK_FULL.code, DISK_FULL.message);
    }
    if (isForm(request)) {
      if (!Buffer.isBuffer(body)) return refuse(reply, 400, 'MalformedPOSTRequest', 'The form is empty.');
      const { fields, size } = await readForm(headers, body);
      const fault = policyFault(fields, { bucket, size }, ring, Date.now());
      const needed = rightsForForm(bucket, fields.get('key') ?? '');
      if (fault?.startsWith('Entity') === true) {
        await refuse(reply, 400, fault, 'The file has not the size allowed.');
        return;
      }
      const refusal = fault ?? access.refusal(accessKeyOfForm(fields), needed);
      if (refusal !== null) await refuse(reply, 403, 'AccessDenied', refusal);
      return;
    }
    const id = accessKeyOf(request);
    const refusal = access.refusal(id, rightsForS3(request, Buffer.isBuffer(body) ? body : null));
    if (refusal !== null) return refuse(reply, 403, 'AccessDenied', refusal);
    const isRead = method === 'GET' || method === 'HEAD';
    if (isRead && key !== '' && !store.holds(bucket, key)) {
      const missing = access.refusal(id, rightsForMissing(bucket, key));
      if (missing !== null) return refuse(reply, 403, 'AccessDenied', missing);
    }
    if (Number(new URL(url, 'http://s3').searchParams.get('partNumber') ?? 1) > MAX_PIECES) {
      const message = `Part number must be an integer between 1 and ${MAX_PIECES}, inclusive`;
      return refuse(reply, 400, 'InvalidArgument', message);
    }
    if (method === 'PUT' && headers['if-none-match'] === '*') {
      if (store.holds(bucket, key)) {
        await refuse(reply, 412, 'PreconditionFailed', 'The object is there already.');
      }
    }
  });
  // A POST deletes several objects, or completes an upload; both remove what was stored before, as a PUT may.
  app.addHook('onResponse', async ({ method, url }) => {
    if (method === 'DELETE' || (method === 'POST' && /[?&]delete\b/.test(url))) await shrinking.run();
    if (method !== 'GET' && method !== 'HEAD') emptyLogSoon();
  });
  // S3's clients expect errors in XML.
  app.setErrorHandler((error: FastifyError, _request, reply) => {
    const tooLarge = error.statusCode === 413;
    return refuse(
      reply,
      error.statusCode ?? 500,
      tooLarge ? 'EntityTooLarge' : 'InternalError',
      error.message,
    );
  });
  registerS3Routes(app, store);
  await app.listen({ port, host: '127.0.0.1' });
  return {
    port: (app.server.address() as AddressInfo).port,
    close: async () => {
      await app.close();
      clearInterval(discarding);
      closeLog();
      persistence.close();
    },
  };
}

/**
 * Makes SQLite overwrite what is deleted or replaced, so that no file has it any more. @returns a function that
 * empties the log of SQLite soon, in which the deleted data is otherwise left
 */
function overwriteDeleted(persistence: PersistenceManager): { emptyLogSoon(): void; close(): void } {
  // fauxqs has no setting for it, and its types hide the database.
  const { db } = persistence as unknown as { db: DatabaseSync };
  db.exec('PRAGMA secure_delete = ON');
  let timer: NodeJS.Timeout | undefined;
  const emptyLog = (): void => {
    timer = undefined;
    try {
      const result = db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get();
      // A reader was in the way.
      if (result?.['busy'] !== 0) emptyLogSoon();
    } catch {
      // The disk is full: the log is emptied after a later request.
    }
  };
  const emptyLogSoon = (): void => {
    timer ??= setTimeout(emptyLog, EMPTY_LOG_MS);
  };
  return {
    emptyLogSoon,
    close: () => clearTimeout(timer),
  };
}

function refuse(reply: FastifyReply, status: number, code: string, message: string): FastifyReply {
  const xml = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${escapeXml(message)}</Message></Error>`;
  return reply.code(status).type('application/xml').send(xml);
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

/**
 * Returns whether a request is a form. Only a POST to a bucket can be one, so a form's signature must not be
 * valid for anything else.
 */
function isForm({
  method,
  url,
  headers,
}: {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
}): boolean {
  return (
    method === 'POST' &&
    /^\/[^/?]+\/?$/.test(url) &&
    headers['content-type']?.toLowerCase().startsWith('multipart/form-data') === true
  );
}

/** Returns the fields of a form posted to a bucket, by names in lower case, and the size of its file. */
async function readForm(
  headers: IncomingHttpHeaders,
  body: Buffer,
): Promise<{ fields: Map<string, string>; size: number }> {
  const form = busboy({ headers });
  const fields = new Map<string, string>();
  let size = 0;
  form.on('field', (name, value) => fields.set(name.toLowerCase(), value));
  form.on('file', (_name, file) => file.on('data', (chunk: Buffer) => (size += chunk.length)));
  await pipeline(Readable.from([body]), form);
  return { fields, size };
}
