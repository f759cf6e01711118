import type { LoadedFont } from '../shared/store/rendering.ts';
import type { TenantFiles } from '../shared/store/tenant-files.ts';
import { currentFonts, type TenantFont } from '../shared/tenant-fonts.ts';

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
  const fonts = currentFonts(tenant, files);
  fonts.catch(() => undefined);
  return fonts;
}
