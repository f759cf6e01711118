import { createPresignedPost } from '@aws-sdk/s3-presigned-post';
import { storageCall } from '../shared/store/storage/dynamodb.ts';
import { newUploadId } from '../shared/store/storage/ids.ts';
import { s3Client } from '../shared/store/storage/objects.ts';
import { FILENAME_METADATA, UPLOAD_LIFETIME_MS, uploadKey } from '../shared/store/uploads.ts';

/** Forms with which callers upload files directly to S3, past the gateway's limits (I-35). */

/** S3 allows 2 KB of metadata in total. */
const MAX_ENCODED_FILENAME = 1_024;

export interface WantedUpload {
  /** Most bytes of a file. */
  maxBytes: number;
  contentType: string | null;
  filename: string | null;
  /** How long the form is valid, ms. */
  formLifetime: number;
}

export interface UploadForm {
  id: string;
  /** The URL to post the form to. */
  url: string;
  /** The form's fields, which go before the field `file`. */
  fields: Record<string, string>;
  /** When the form expires, ms since the epoch. */
  expiresAt: number;
  /** When references to the file expire, ms since the epoch. */
  usableUntil: number;
}

/**
 * Signs a form for one file. Nothing is stored before the file arrives: S3 itself enforces the signed key,
 * size, content type and time.
 *
 * @throws PlatenError `storage_unavailable`
 */
export async function createUploadForm(
  bucket: string,
  tenant: string,
  { maxBytes, contentType, filename, formLifetime }: WantedUpload,
  now: number = Date.now(),
): Promise<UploadForm> {
  const id = newUploadId(now);
  const { url, fields } = await storageCall(() =>
    createPresignedPost(s3Client(), {
      Bucket: bucket,
      Key: uploadKey(tenant, id),
      Conditions: [['content-length-range', 1, maxBytes]],
      Fields: {
        'Content-Type': contentType ?? 'application/octet-stream',
        ...(filename === null ? {} : { [`x-amz-meta-${FILENAME_METADATA}`]: encodedName(filename) }),
      },
      Expires: Math.round(formLifetime / 1000),
    }),
  );
  return { id, url, fields, expiresAt: now + formLifetime, usableUntil: now + UPLOAD_LIFETIME_MS };
}

/**
 * Returns the name percent-encoded, as metadata is ASCII; a name that is too long loses characters before its
 * extension.
 */
function encodedName(filename: string): string {
  const dot = filename.lastIndexOf('.');
  const ending = dot > 0 && filename.length - dot <= 16 ? filename.slice(dot) : '';
  const stem = Array.from(filename.slice(0, filename.length - ending.length).toWellFormed());
  const encode = (): string => encodeURIComponent(stem.join('') + ending.toWellFormed());
  while (encode().length > MAX_ENCODED_FILENAME) stem.pop();
  return encode();
}
