import { PlatenError } from './errors.ts';

/** What the storage is sent and says: the form of an upload, and errors in S3's XML. */

export interface StorageForm {
  url: string;
  fields: Readonly<Record<string, string>>;
  content: Blob;
  fetch: typeof fetch;
  signal: AbortSignal | undefined;
}

/** @param body of an answer that is no success */
export function storageRefusal(status: number, statusText: string, body: string): PlatenError {
  const [, message = statusText] = /<Message>([^<]{0,1000})<\/Message>/.exec(body) ?? [];
  return new PlatenError(status, 'upload_refused', `The storage refuses the file: ${message}`);
}
