import { createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { PlatenError } from '@platen/core/errors';
import { storageCall } from './storage/dynamodb.ts';
import { timeOfUploadId } from './storage/ids.ts';
import { ObjectStore } from './storage/objects.ts';

/**
 * Files that are uploaded for later requests (I-35). There is only the object in S3, which the client
 * uploaded: its key names the tenant, its id contains the creation time, and its metadata the file name.
 */

/** Prefix of all uploads. The bucket deletes by age, which is possible only for fixed prefixes. */
const UPLOADS_PREFIX = 'uploads/';

/** How long an upload can be referred to after its creation. The bucket deletes it some time later. */
export const UPLOAD_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** Name of the metadata with the file's name, percent-encoded because metadata is ASCII. */
export const FILENAME_METADATA = 'filename';

/** An upload that was found, but not read yet. */
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

/** Returns the key of an upload's file. */
export function uploadKey(tenant: string, id: string): string {
  return `${UPLOADS_PREFIX}${encodeURIComponent(tenant)}/${id}/file`;
}

/** The uploads of one bucket, for functions that read them. */
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
      // Read by its checked etag: the form may have been used to send another file meanwhile.
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

/** A client can send any metadata that the form does not fix. */
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
