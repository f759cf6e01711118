import { PlatenError } from '@platen/core/errors';
import { json, type Operation } from '../shared/http/index.ts';
import { createUploadForm } from './upload-forms.ts';

/**
 * `POST /v1/uploads`: files larger than the gateway's limit are uploaded to S3 first, and requests refer to
 * them (I-35).
 */

export interface UploadConfig {
  /** Name of the S3 bucket for files. */
  filesBucket: string;
  /** Most bytes of one file. */
  maxUpload: number;
  /** How long a form is valid, ms. */
  uploadFormLifetime: number;
}

/**
 * Returns the operation that answers with a form for one file of the tenant. @throws PlatenError
 * `file_too_large`, `storage_unavailable`
 */
export function createUpload(config: UploadConfig): Operation<'createUpload'> {
  return async ({ tenant, form }) => {
    const maxBytes = form.size ?? config.maxUpload;
    if (maxBytes > config.maxUpload) throw tooLarge(maxBytes, config.maxUpload);
    const upload = await createUploadForm(config.filesBucket, tenant, {
      maxBytes,
      contentType: form.content_type ?? null,
      filename: form.name ?? null,
      formLifetime: config.uploadFormLifetime,
    });
    return json({
      id: upload.id,
      reference: `upload:${upload.id}`,
      url: upload.url,
      fields: upload.fields,
      max_bytes: maxBytes,
      expires_at: new Date(upload.expiresAt).toISOString(),
      usable_until: new Date(upload.usableUntil).toISOString(),
    });
  };
}

function tooLarge(size: number, most: number): PlatenError {
  const message = `size is ${size} bytes; at most ${most} (${most / 1024 / 1024} MB) can be uploaded`;
  return new PlatenError('file_too_large', `${message}.`, {
    faults: [{ field: 'size', message, value: size, allowed: most }],
  });
}
