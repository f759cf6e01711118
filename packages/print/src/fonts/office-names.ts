import type { FontFace } from './font-file.ts';

/** Determines which fonts of a tenant an office document names (I-40). For html: `namesFamily`. */

/** Formats that LibreOffice and the drawing engine use; they do not read web fonts. */
const OFFICE_FORMATS: ReadonlySet<string> = new Set(['ttf', 'otf', 'ttc']);

/** Returns true for a font file that is not a web font. */
export function isDesktopFont({ format }: { format: string }): boolean {
  return OFFICE_FORMATS.has(format);
}

/**
 * Returns whether family names of an office document mean a file's font. A document may name one style as a
 * family: `Inter Light`.
 */
export function namesFace(names: readonly string[], faces: readonly Pick<FontFace, 'family'>[]): boolean {
  return faces.some(({ family }) => {
    const wanted = family.toLowerCase();
    return names.some((name) => {
      const named = name.toLowerCase();
      return named === wanted || named.startsWith(`${wanted} `);
    });
  });
}

/** Returns a text in any encoding, as far as names need it: bytes are also read as two-byte characters. */
export function textOf(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return buffer.includes(0) ? buffer.toString('utf8').replaceAll('\0', '') : buffer.toString('utf8');
}
