import { type FieldFault, isPlatenError, PlatenError } from '@platen/core/errors';
import { MAX_FILE_BYTES, type FurnitureEntries, refuseTwice } from '@platen/contract/templates';
import type { UploadedFile } from '../shared/http/index.ts';
import { checkName } from './names.ts';

/** An uploaded file in memory. */
export interface Upload {
  /** null if it was sent without a name. */
  filename: string | null;
  bytes: Buffer;
}

/** Most bytes of files. They are held in memory once while they are checked and stored. */
export const MAX_BYTES = {
  office: 32 * 1024 * 1024,
  html: 8 * 1024 * 1024,
  /** Header or footer. */
  furniture: 1024 * 1024,
  font: 16 * 1024 * 1024,
  /** The size of a docx depends on its pictures. */
  partial: 8 * 1024 * 1024,
  ...MAX_FILE_BYTES,
} as const;

/** Loads a file of at most the size that its kind allows. @throws PlatenError `file_too_large` */
export async function loaded(file: UploadedFile, kind: keyof typeof MAX_BYTES): Promise<Upload> {
  return { filename: file.filename, bytes: await file.bytes(MAX_BYTES[kind]) };
}

/**
 * Loads a file that is stored with the name that it was sent with.
 *
 * @param given a name in the fields of the request, which takes precedence
 * @throws PlatenError `file_too_large`; `invalid_field` for a name that must not be used for a file
 */
export async function loadedNamed(
  file: UploadedFile,
  kind: keyof typeof MAX_BYTES,
  given?: string,
): Promise<Upload> {
  const { bytes } = await loaded(file, kind);
  const stated = keptFilename(given);
  const filename = stated ?? keptFilename(file.filename);
  checkFilename(filename, stated === null ? file.field : 'template_data.filename');
  return { filename, bytes };
}

/** Validates a name as `keptFilename` returns it. @throws PlatenError `invalid_field` */
export function checkFilename(name: string | null, field: string): void {
  // A longer one is that of a system that allows more, and is shortened wherever a file is made of it.
  if (name !== null && Buffer.byteLength(name) <= MAX_FILENAME) checkName(name, field);
}

/**
 * Returns a header or footer that is sent as a file, or as an object in `template_data`, which is stored as JSON.
 *
 * @throws PlatenError `file_too_large`; `invalid_field` if both are given
 */
export async function furnitureUpload(
  name: 'header' | 'footer',
  file: UploadedFile | null,
  entries: FurnitureEntries | undefined,
): Promise<Upload | null> {
  refuseTwice(name, file, entries);
  if (entries === undefined) return file && (await loadedNamed(file, 'furniture'));
  return { filename: null, bytes: Buffer.from(JSON.stringify(entries)) };
}

/**
 * Runs a check that knows nothing of fields, and adds the field to its error.
 *
 * @param place e.g. `{ field: 'header_data', file: 'header' }`
 */
export async function naming<T>(
  place: Pick<FieldFault, 'field' | 'file'>,
  check: () => T | Promise<T>,
): Promise<T> {
  try {
    return await check();
  } catch (error) {
    if (!isPlatenError(error)) throw error;
    const { code, message, faults } = error;
    const named = faults.map((fault) => ({ ...fault, field: place.field }));
    throw new PlatenError(code, message, {
      faults: named.length > 0 ? named : [{ ...place, message }],
      cause: error,
    });
  }
}

/** S3 and DynamoDB accept any name; this limits the size of a download's header and of the item. */
const MAX_FILENAME = 255;

/**
 * Returns the file name to store: the first given one, without folders and control characters; null if none
 * is left. Windows clients send whole paths.
 */
export function keptFilename(...names: readonly (string | null | undefined)[]): string | null {
  for (const name of names) {
    const base = (name ?? '').split(/[/\\]/).at(-1) ?? '';
    const clean = base
      .replace(/\p{Cc}/gu, '')
      .trim()
      .toWellFormed();
    if (clean === '' || clean === '.' || clean === '..') continue;
    return clean.length <= MAX_FILENAME ? clean : shortened(clean);
  }
  return null;
}

/** Cut in the middle, because the extension states the file type. */
function shortened(name: string): string {
  const dot = name.lastIndexOf('.');
  const ending = dot > 0 && name.length - dot <= 16 ? name.slice(dot) : '';
  return name.slice(0, MAX_FILENAME - ending.length).toWellFormed() + ending;
}
