import type { FontFace } from '@platen/print/fonts/font-file';

/** Which fonts of a tenant an office document names (I-40). For html: `namesFamily` of `@platen/print`. */

/** What LibreOffice and the engine of drawings set text in; fonts of the web they do not read. */
const OFFICE_FORMATS: ReadonlySet<string> = new Set(['ttf', 'otf', 'ttc']);

/** True for a font file that is no font of the web. */
export function isDesktopFont({ format }: { format: string }): boolean {
  return OFFICE_FORMATS.has(format);
}

/**
 * Whether names of families, as an office document has them, mean one of a file's. A document may name one style of a
 * family as a family: `Inter Light`.
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

/** A text in any encoding, as far as names are concerned: what is of two bytes for each character is read so, too. */
export function textOf(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return buffer.includes(0) ? buffer.toString('utf8').replaceAll('\0', '') : buffer.toString('utf8');
}
