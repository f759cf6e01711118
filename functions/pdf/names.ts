import { basename, extname } from 'node:path';
import { safeName } from '@platen/core/file-name';
import type { UploadedFile } from '../shared/http/index.ts';

/** Returns the name of an upload without its extension, as results and the entries of ZIPs are named after it. */
export function nameOf({ filename }: UploadedFile): string {
  const name = basename((filename ?? '').replaceAll('\\', '/'));
  const stem = name.slice(0, name.length - extname(name).length).trim();
  return stem === '' ? 'document' : safeName(stem);
}
