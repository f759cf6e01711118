import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { inGroups } from '../storage/in-groups.ts';
import { storageCall } from '../storage/dynamodb.ts';
import type { StoredRequest } from './record.ts';
import { copySource, ObjectStore, s3Client } from '../storage/objects.ts';
import type { Sealer } from '../storage/sealing.ts';

/**
 * The files of jobs in S3: the request, the parts of a batch, the result. All but the result and its report are
 * encrypted, and deleted when the job has ended. The bucket deletes by age what remains.
 */

/** Files of a request, which may hold passwords. */
const REQUEST_FILES = ['request', 'body'] as const;

/** Prefix of all jobs: S3 deletes by age for fixed prefixes only. */
const JOBS_PREFIX = 'jobs/';

/** Bytes of one piece of an upload: S3 allows 10,000 pieces, and two are in memory. */
const PIECE_BYTES = 8 * 1024 * 1024;
const PIECES_AT_ONCE = 2;

/** Most files of which one can be made: S3 allows 10,000 pieces, and each of them is at most 5 GB. */
export const MAX_JOINED = 10_000;
/** Fewest bytes of each of those files but the last. */
export const MIN_JOINED_BYTES = 5 * 1024 * 1024;
/** Copies at a time: S3 makes them, and the function waits. */
const COPIES_AT_ONCE = 16;

/** Every method throws PlatenError `storage_unavailable` when S3 fails. */
export class JobFiles {
  readonly #objects: ObjectStore;
  readonly #bucket: string;
  readonly #sealer: Sealer | null;

  /** @param sealer of encrypted files; null if the caller neither writes nor reads them */
  constructor(bucket: string, sealer: Sealer | null) {
    this.#bucket = bucket;
    this.#sealer = sealer;
    this.#objects = new ObjectStore(bucket);
  }

  key(tenant: string, id: string, name: string): string {
    return `${JOBS_PREFIX}${encodeURIComponent(tenant)}/${id}/${name}`;
  }

  async putRequest(id: string, request: StoredRequest, body: Uint8Array): Promise<void> {
    const contents = { request: Buffer.from(JSON.stringify(request)), body };
    await Promise.all(REQUEST_FILES.map((name) => this.putSealed(request.tenant, id, name, contents[name])));
  }

  /** null when it has been deleted, or was not stored completely. */
  async request(tenant: string, id: string): Promise<{ request: StoredRequest; body: Buffer } | null> {
    const [request, body] = await Promise.all(REQUEST_FILES.map((name) => this.readSealed(tenant, id, name)));
    if (!request || !body) return null;
    return { request: JSON.parse(request.toString('utf8')) as StoredRequest, body };
  }

  /** Deletes the request of a job that has ended; a missing one is no error. */
  async deleteRequest(tenant: string, id: string): Promise<void> {
    await this.#objects.delete(REQUEST_FILES.map((name) => this.key(tenant, id, name)));
  }

  async putSealed(tenant: string, id: string, name: string, bytes: Uint8Array): Promise<void> {
    await this.put(tenant, id, name, await this.seal(tenant, id, name, bytes));
  }

  /** null when there is no such file. */
  async readSealed(tenant: string, id: string, name: string): Promise<Buffer | null> {
    const sealed = await this.read(tenant, id, name);
    return sealed && (await this.unseal(tenant, id, name, sealed));
  }

  /** @param place a file of the job, or a place in it: the bytes cannot be decrypted anywhere else */
  async seal(tenant: string, id: string, place: string, bytes: Uint8Array): Promise<Buffer> {
    return await this.#jobSealer().seal(this.key(tenant, id, place), bytes);
  }

  async unseal(tenant: string, id: string, place: string, sealed: Buffer): Promise<Buffer> {
    return await this.#jobSealer().open(this.key(tenant, id, place), sealed);
  }

  async put(tenant: string, id: string, name: string, bytes: Uint8Array): Promise<void> {
    await this.#objects.put(this.key(tenant, id, name), bytes, 'application/octet-stream');
  }

  /**
   * Writes the content of a stream of any length; only a few pieces of it are in memory.
   *
   * @param headers headers for its download
   * @returns bytes written
   */
  async putStream(
    tenant: string,
    id: string,
    name: string,
    body: Readable,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<number> {
    return await putStream(this.#bucket, this.key(tenant, id, name), body, headers);
  }

  /**
   * Makes one file of others, in their order, within the storage.
   *
   * @param names of the files: at most `MAX_JOINED`, all but the last with at least `MIN_JOINED_BYTES`
   * @param headers headers for its download
   */
  async join(
    tenant: string,
    id: string,
    names: readonly string[],
    into: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<void> {
    const target = { Bucket: this.#bucket, Key: this.key(tenant, id, into) };
    const created = await storageCall(() =>
      s3Client().send(new CreateMultipartUploadCommand({ ...target, ...headersOf(headers) })),
    );
    const upload = { ...target, UploadId: created.UploadId };
    try {
      const Parts = await inGroups(names, COPIES_AT_ONCE, async (name, index) => {
        const CopySource = copySource(this.#bucket, this.key(tenant, id, name));
        const PartNumber = index + 1;
        const command = new UploadPartCopyCommand({ ...upload, PartNumber, CopySource });
        const { CopyPartResult } = await storageCall(() => s3Client().send(command));
        return { PartNumber, ETag: CopyPartResult?.ETag };
      });
      const command = new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } });
      await storageCall(() => s3Client().send(command));
    } catch (error) {
      // A lifecycle rule of the bucket removes it if this fails too.
      await s3Client()
        .send(new AbortMultipartUploadCommand(upload))
        .catch(() => undefined);
      throw error;
    }
  }

  /** null when there is no such file. */
  async read(tenant: string, id: string, name: string): Promise<Buffer | null> {
    return await this.#objects.read(this.key(tenant, id, name));
  }

  /** Returns the file as a stream, which must be read or destroyed; null when there is no such file. */
  async open(tenant: string, id: string, name: string): Promise<Readable | null> {
    return await this.#objects.open(this.key(tenant, id, name));
  }

  /** Returns a temporary address for downloading the file without credentials, with the headers it was written with. */
  async downloadUrl(tenant: string, id: string, name: string, seconds: number): Promise<string> {
    const command = new GetObjectCommand({ Bucket: this.#bucket, Key: this.key(tenant, id, name) });
    return await storageCall(() => getSignedUrl(s3Client(), command, { expiresIn: seconds }));
  }

  #jobSealer(): Sealer {
    if (this.#sealer === null) throw new Error('encrypted files of jobs are not for this function');
    return this.#sealer;
  }

  /** Deletes the files of a job. @param kept names of files that stay */
  async deleteAll(tenant: string, id: string, kept: readonly string[] = []): Promise<void> {
    const keptKeys = new Set(kept.map((name) => this.key(tenant, id, name)));
    for await (const page of this.#objects.list(this.key(tenant, id, ''))) {
      await this.#objects.delete(page.flatMap(({ key }) => (keptKeys.has(key) ? [] : [key])));
    }
  }
}

/** Returns the headers with which S3 sends an object. */
function headersOf(headers: Readonly<Record<string, string>>) {
  return {
    ContentType: headers['content-type'] ?? 'application/octet-stream',
    ContentDisposition: headers['content-disposition'],
  };
}

/**
 * Writes an object of any length from a stream.
 *
 * @returns bytes written
 * @throws PlatenError `storage_unavailable`; the error of the stream
 */
export async function putStream(
  bucket: string,
  key: string,
  body: Readable,
  headers: Readonly<Record<string, string>> = {},
): Promise<number> {
  let size = 0;
  let failure: unknown;
  async function* counted(): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of body as AsyncIterable<Buffer>) {
        size += chunk.length;
        yield chunk;
      }
    } catch (error) {
      // A failed upload stops reading, which is no error of the stream.
      if ((error as NodeJS.ErrnoException).code !== 'ABORT_ERR') failure = error;
      throw error;
    }
  }
  const upload = new Upload({
    client: s3Client(),
    params: {
      Bucket: bucket,
      Key: key,
      Body: Readable.from(counted(), { objectMode: false }),
      ...headersOf(headers),
    },
    partSize: PIECE_BYTES,
    queueSize: PIECES_AT_ONCE,
  });
  try {
    await storageCall(() => upload.done());
  } catch (error) {
    // The error of the stream says more than the failure to store it.
    throw failure ?? error;
  }
  return size;
}
