import { fontDetailsOf } from '../shared/store/fonts.ts';
import type { LoadedFont } from '../shared/store/rendering.ts';
import type { TenantFiles } from '../shared/store/tenant-files.ts';
import type { TenantFont } from './template.ts';

/** The fonts that a tenant has now; their bytes are read when a document names their families. */
async function fontsOf(tenant: string, files: TenantFiles): Promise<TenantFont[]> {
  return (await files.current(tenant)).map((file) => ({
    ...fontDetailsOf(file),
    contentType: file.contentType,
    path: `fonts/${file.mark}`,
    bytes: async () => await files.read(tenant, file),
  }));
}

/**
 * The fonts of a version: of the families that it keeps those that it keeps, of all others those that the tenant has now.
 */
export async function fontsOfVersion(
  kept: readonly LoadedFont[],
  current: Promise<TenantFont[]>,
): Promise<TenantFont[]> {
  const families = new Set(kept.flatMap(({ faces }) => faces.map(({ family }) => family.toLowerCase())));
  const others = (await current).filter(
    ({ faces }) => !faces.some(({ family }) => families.has(family.toLowerCase())),
  );
  return [...kept.map(({ id, ...font }) => ({ ...font, path: `fonts/${id}` })), ...others];
}

/** Begins to look for them while the template is read; whether that failed is seen by who awaits it. */
export function startFonts(tenant: string, files: TenantFiles): Promise<TenantFont[]> {
  const fonts = fontsOf(tenant, files);
  fonts.catch(() => undefined);
  return fonts;
}

/** Bytes of all fonts of one document. */
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * Reads fonts, one after the other.
 *
 * @param warn told of those that a document is left without, as it names too many
 */
export async function readFonts(
  fonts: readonly TenantFont[],
  warn: (text: string) => void,
): Promise<{ font: TenantFont; bytes: Uint8Array }[]> {
  const read: { font: TenantFont; bytes: Uint8Array }[] = [];
  let left = MOST_BYTES;
  for (const font of fonts) {
    const bytes = left > 0 ? await font.bytes() : null;
    left -= bytes?.length ?? 0;
    if (bytes !== null && left >= 0) read.push({ font, bytes });
    else
      warn(
        `The fonts of a document have at most 64 MB together: ${font.faces[0]?.family ?? 'one'} is left out.`,
      );
  }
  return read;
}
