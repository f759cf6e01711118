import { PlatenError } from '@platen/core/errors';
import { type FontFile, readFontFile, FontFault } from '@platen/print/fonts';
import { checkDistinct, checkName } from './names.ts';
import type { TenantFile, TenantFiles } from '../shared/store/tenant-files.ts';

/** Fonts of tenants. Each is validated before any other code reads it (I-40). */

/** Most font files of one tenant. */
const MAX_FONTS = 200;

/**
 * Stores a font file.
 *
 * @throws PlatenError `invalid_field` for an invalid name, `font_invalid`, `too_many_files`
 */
export async function putFont(
  files: TenantFiles,
  tenant: string,
  name: string,
  bytes: Buffer,
): Promise<TenantFile> {
  const { format, faces } = checkFont(name, bytes);
  const known = await files.list(tenant);
  if (known.length >= MAX_FONTS && !known.some((file) => file.name === name)) {
    throw new PlatenError('too_many_files', `There are ${MAX_FONTS} fonts already, which is the limit.`);
  }
  checkDistinct(
    name,
    known.map((file) => file.name),
    'filename',
  );
  const contentType = format === 'ttc' ? 'font/collection' : `font/${format}`;
  return await files.put(tenant, name, { bytes, contentType, details: { format, faces } });
}

/** Returns the content of a font file. @throws PlatenError `invalid_field`, `font_invalid` */
export function checkFont(name: string, bytes: Buffer): FontFile {
  checkFontName(name);
  return checked(bytes);
}

const NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._()+,[\]-]{0,99}$/u;

function checkFontName(name: string): void {
  checkName(name, 'filename', `fonts/${name}`);
  if (NAME.test(name) && name.isWellFormed() && Buffer.byteLength(name) <= 250) return;
  const message =
    'the name of a font file has letters, digits, spaces and . _ - ( ) + , [ ], and at most 100 characters';
  throw new PlatenError('invalid_field', `${message}.`, { faults: [{ field: 'filename', message }] });
}

function checked(bytes: Buffer): FontFile {
  try {
    return readFontFile(bytes);
  } catch (error) {
    if (!(error instanceof FontFault)) throw error;
    const message = `The file ${error.message}`;
    throw new PlatenError('font_invalid', `${message}.`, { faults: [{ field: 'file_data', message }] });
  }
}
