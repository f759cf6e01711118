import type { Readable } from 'node:stream';
import {
  CopyObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { isNamed, storageCall } from './dynamodb.ts';
import { traced } from '../../spans.ts';

/** Files in S3, by key. Objects are written once and never changed. */

const CONNECTION_TIMEOUT_MS = 2_000;
/** Milliseconds of one attempt until the answer begins, which includes sending the largest file. */
const REQUEST_TIMEOUT_MS = 30_000;
/** S3's limit of keys in one DeleteObjects. */
const DELETE_BATCH = 1_000;

let client: S3Client | undefined;

/** Created on first use. The environment configures its address (`AWS_REGION`, `AWS_ENDPOINT_URL_S3`). */
export function s3Client(): S3Client {
  return (client ??= traced(
    new S3Client({
      requestHandler: {
        connectionTimeout: CONNECTION_TIMEOUT_MS,
        requestTimeout: REQUEST_TIMEOUT_MS,
        throwOnRequestTimeout: true,
        socketTimeout: REQUEST_TIMEOUT_MS,
      },
    }),
  ));
}

/** Names of errors for a missing object, or one with other content than the expected. */
const GONE = ['NoSuchKey', 'PreconditionFailed'];

/** An object as listed. */
export interface ListedObject {
  key: string;
  modified: Date;
}

/** The properties of an object, which are known without reading it. */
export interface ObjectHead {
  size: number;
  contentType: string | null;
  /** Identifies its content. */
  etag: string | null;
  /** By names in lower case, without `x-amz-meta-`. */
  metadata: Readonly<Record<string, string>>;
}

/** Returns an object as the source of a copy. */
export function copySource(bucket: string, key: string): string {
  return `${bucket}/${key}`.split('/').map(encodeURIComponent).join('/');
}

/** The objects of one bucket. Every method throws PlatenError `storage_unavailable` when S3 fails. */
export class ObjectStore {
  private readonly bucket: string;

  constructor(bucket: string) {
    this.bucket = bucket;
  }

  async put(key: string, bytes: Uint8Array, contentType: string): Promise<void> {
    const command = new PutObjectCommand({
      Bucket: this.bucket,
      Key: key,
      Body: bytes,
      ContentType: contentType,
    });
    await storageCall(() => s3Client().send(command));
  }

  /** Copies an object within the storage. @returns false when there is none to be copied */
  async copy(from: string, to: string): Promise<boolean> {
    try {
      const CopySource = copySource(this.bucket, from);
      const command = new CopyObjectCommand({ Bucket: this.bucket, Key: to, CopySource });
      await storageCall(() => s3Client().send(command), GONE);
      return true;
    } catch (error) {
      if (GONE.some((name) => isNamed(error, name))) return false;
      throw error;
    }
  }

  /**
   * Returns the object's bytes as a stream, which must be read or destroyed; null when there is no such object.
   *
   * @param etag of the expected content: an object that was overwritten since counts as missing
   */
  async open(key: string, etag: string | null = null): Promise<Readable | null> {
    try {
      const command = new GetObjectCommand({
        Bucket: this.bucket,
        Key: key,
        ...(etag === null ? {} : { IfMatch: etag }),
      });
      const { Body } = await storageCall(() => s3Client().send(command), GONE);
      // In Node the SDK's body is always a Readable.
      return (Body as Readable | undefined) ?? null;
    } catch (error) {
      if (GONE.some((name) => isNamed(error, name))) return null;
      throw error;
    }
  }

  /** Returns the object's bytes; null when there is no such object. */
  async read(key: string): Promise<Buffer | null> {
    const stream = await this.open(key);
    if (!stream) return null;
    return await storageCall(async () => Buffer.concat(await stream.toArray()));
  }

  /** Returns the object's properties; null when there is none. */
  async head(key: string): Promise<ObjectHead | null> {
    try {
      const command = new HeadObjectCommand({ Bucket: this.bucket, Key: key });
      const { ContentLength, ContentType, ETag, Metadata } = await storageCall(
        () => s3Client().send(command),
        ['NotFound'],
      );
      return {
        size: ContentLength ?? 0,
        contentType: ContentType ?? null,
        etag: ETag ?? null,
        metadata: Metadata ?? {},
      };
    } catch (error) {
      if (isNamed(error, 'NotFound')) return null;
      throw error;
    }
  }

  async exists(key: string): Promise<boolean> {
    for await (const page of this.list(key)) return page.some((object) => object.key === key);
    return false;
  }

  /** Deletes objects; a missing one is no error. */
  async delete(keys: readonly string[]): Promise<void> {
    for (let start = 0; start < keys.length; start += DELETE_BATCH) {
      const Objects = keys.slice(start, start + DELETE_BATCH).map((Key) => ({ Key }));
      const command = new DeleteObjectsCommand({ Bucket: this.bucket, Delete: { Objects, Quiet: true } });
      await storageCall(async () => {
        const { Errors = [] } = await s3Client().send(command);
        if (Errors.length > 0) {
          throw new Error(`${Errors.length} objects not deleted; ${Errors[0]?.Key}: ${Errors[0]?.Message}`);
        }
      });
    }
  }

  /** Yields objects whose key begins with `prefix`, in the order of their keys, a page (up to 1000) at a time. */
  async *list(prefix: string, startAfter?: string): AsyncGenerator<ListedObject[]> {
    let token: string | undefined;
    do {
      const command = new ListObjectsV2Command({
        Bucket: this.bucket,
        Prefix: prefix,
        ...(token === undefined ? {} : { ContinuationToken: token }),
        ...(token === undefined && startAfter !== undefined ? { StartAfter: startAfter } : {}),
      });
      const page = await storageCall(() => s3Client().send(command));
      yield (page.Contents ?? []).flatMap(({ Key, LastModified }) =>
        Key !== undefined && LastModified !== undefined ? [{ key: Key, modified: LastModified }] : [],
      );
      token = page.NextContinuationToken;
    } while (token !== undefined);
  }
}
