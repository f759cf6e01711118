import { createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { PlatenError } from '@platen/core/errors';
import { storageCall } from './dynamodb.ts';
import { timeOfUploadId } from './ids.ts';
import { ObjectStore } from './objects.ts';

/**
 * Files that were uploaded to be referred to (I-35). There is nothing but the object in S3, which its sender put
 * there: its key names the tenant, its id says when it was asked for, its metadata what the file is called.
 */

/** Of all uploads. The bucket deletes what is below it by its age, which it can only do for one fixed prefix. */
const UPLOADS_PREFIX = 'uploads/';

/** How long after it was asked for an upload can be referred to. The bucket deletes it some time later. */
export const UPLOAD_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** Name of the object's metadata that holds the file's name, percent-encoded: metadata is ASCII. */
export const FILENAME_METADATA = 'filename';

/** What somebody uploaded: found, but not read yet. */
export interface Upload {
  filename: string | null;
  contentType: string | null;
  /** Bytes. */
  size: number;
  /** @throws PlatenError `storage_unavailable`, `upload_not_found` when it has expired meanwhile */
  read(): Promise<Buffer>;
  /** Writes it to a new file, a piece at a time. @throws PlatenError as `read` does */
  save(path: string): Promise<void>;
}

/** Where the file of an upload is. */
export function uploadKey(tenant: string, id: string): string {
  return `${UPLOADS_PREFIX}${encodeURIComponent(tenant)}/${id}/file`;
}

/** The uploads of one bucket, for those who read them. */
export class UploadStore {
  private readonly objects: ObjectStore;

  constructor({ bucket }: { bucket: string }) {
    this.objects = new ObjectStore(bucket);
  }

  /**
   * @throws PlatenError `upload_not_found` for one that was never made, is another tenant's, has not arrived or has
   *   expired; `storage_unavailable`
   */
  async find(tenant: string, id: string, now: number = Date.now()): Promise<Upload> {
    const made = timeOfUploadId(id);
    if (made === null) throw missing(id);
    if (now > made + UPLOAD_LIFETIME_MS) throw expired(id);
    const key = uploadKey(tenant, id);
    const head = await this.objects.head(key);
    if (!head) throw missing(id);
    const open = async (): Promise<Readable> => {
      // What was looked at is what is read: whoever still has the form may have sent another file meanwhile.
      const stream = await this.objects.open(key, head.etag);
      if (!stream) throw uploadExpired(id);
      return stream;
    };
    return {
      filename: decodedName(head.metadata[FILENAME_METADATA]),
      contentType: head.contentType,
      size: head.size,
      read: async () => {
        const stream = await open();
        return await storageCall(async () => Buffer.concat(await stream.toArray()));
      },
      save: async (path) => {
        const stream = await open();
        await storageCall(() => pipeline(stream, createWriteStream(path, { flags: 'wx', mode: 0o600 })));
      },
    };
  }
}

/** Anybody can send an object anything as its metadata, where the form left it open. */
function decodedName(encoded: string | undefined): string | null {
  if (encoded === undefined || encoded === '') return null;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

function missing(id: string): PlatenError {
  return new PlatenError(
    'upload_not_found',
    `There is no upload ${id}, or its file has not arrived. Create an upload with POST /v1/uploads, send the file to ` +
      'the address in the response, and refer to it after that.',
  );
}

function uploadExpired(id: string): PlatenError {
  return new PlatenError(
    'upload_not_found',
    `The file of the upload ${id} expired or was sent again during the request. Send the request again.`,
  );
}

function expired(id: string): PlatenError {
  return new PlatenError(
    'upload_not_found',
    `The upload ${id} has expired: a file is kept for ${UPLOAD_LIFETIME_MS / 3_600_000} hours. Upload it again.`,
  );
}
