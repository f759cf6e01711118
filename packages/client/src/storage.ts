import { PlatenError } from './errors.ts';

/** The messages of the storage: the form of an upload, and errors in S3's XML. */

export interface StorageForm {
  url: string;
  fields: Readonly<Record<string, string>>;
  content: Blob;
  fetch: typeof fetch;
  signal: AbortSignal | undefined;
}

/** Returns the error of an unsuccessful response. @param body its body */
export function storageRefusal(status: number, statusText: string, body: string): PlatenError {
  const [, message = statusText] = /<Message>([^<]{0,1000})<\/Message>/.exec(body) ?? [];
  return new PlatenError(status, 'upload_refused', `The storage refuses the file: ${message}`);
}
