import { basename, extname } from 'node:path';
import type { UploadedFile } from '../shared/http/index.ts';

/** Returns the name of an upload without its extension. */
export function nameOf({ filename }: UploadedFile): string {
  const name = basename((filename ?? '').replaceAll('\\', '/'));
  const stem = name.slice(0, name.length - extname(name).length).trim();
  return stem === '' ? 'document' : stem;
}
