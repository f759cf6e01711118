import { baseName, fileName } from '../shared/file-name.ts';
import type { OutputFormat } from './output.ts';

/** The file name of a single document (decision 15). */
export function documentName(name: string, ending: OutputFormat | 'zip'): string {
  return fileName(name, ending);
}

/** The name of a ZIP's entry: `<name>-<n>.<ext>`, `n` zero-padded from 1 in the order of the records (decision 15). */
export function entryName(name: string, index: number, count: number, ending: OutputFormat): string {
  const digits = String(count).length;
  return `${baseName(name)}-${String(index + 1).padStart(digits, '0')}.${ending}`;
}
