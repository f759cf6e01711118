import { isDict, isString, type PdfValue, textOf } from '../model/values.ts';
import type { PdfFile } from '../model/file.ts';

/** Names of deeper fields are not complete. */
const MAX_LEVELS = 64;

/** The full name of a field (ISO 32000-1, 12.7.3.2); empty for an object that is no named field. */
export function fullName(file: Pick<PdfFile, 'resolve'>, field: PdfValue): string {
  const names: string[] = [];
  let dict = file.resolve(field);
  for (let level = 0; isDict(dict) && level < MAX_LEVELS; level++) {
    const name = file.resolve(dict['/T']);
    if (isString(name)) names.unshift(textOf(name));
    dict = file.resolve(dict['/Parent']);
  }
  return names.join('.');
}
