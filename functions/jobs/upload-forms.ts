import { createPresignedPost } from '@aws-sdk/s3-presigned-post';
import { storageCall } from '../shared/store/dynamodb.ts';
import { newUploadId } from '../shared/store/ids.ts';
import { s3Client } from '../shared/store/objects.ts';
import { FILENAME_METADATA, UPLOAD_LIFETIME_MS, uploadKey } from '../shared/store/uploads.ts';

/** Forms with which callers put files into S3 themselves, past the gateway's limits (I-35). */

/** S3 takes 2 KB of metadata in all. */
const MAX_ENCODED_FILENAME = 1_024;

export interface WantedUpload {
  /** What the storage takes at most, bytes. */
  maxBytes: number;
  contentType: string | null;
  filename: string | null;
  /** How long the file may be sent with the form, ms. */
  formLifetime: number;
}

export interface UploadForm {
  id: string;
  /** Where to post the form. */
  url: string;
  /** The form's fields, which go before the field `file`. */
  fields: Record<string, string>;
  /** Until when the form is taken, ms since the epoch. */
  expiresAt: number;
  /** Until when the file can be referred to, ms since the epoch. */
  usableUntil: number;
}

/**
 * Signs a form for one file. Nothing is stored before the file comes: S3 itself holds it to the key, the size, the
 * content type and the time that were signed.
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

/** Percent-encoded, as metadata is ASCII; too long a name loses characters before its ending. */
function encodedName(filename: string): string {
  const dot = filename.lastIndexOf('.');
  const ending = dot > 0 && filename.length - dot <= 16 ? filename.slice(dot) : '';
  const stem = Array.from(filename.slice(0, filename.length - ending.length).toWellFormed());
  const encode = (): string => encodeURIComponent(stem.join('') + ending.toWellFormed());
  while (encode().length > MAX_ENCODED_FILENAME) stem.pop();
  return encode();
}
