import type { LoadedFont } from '../shared/store/templates/rendering.ts';
import type { TenantFiles } from '../shared/store/tenant-files.ts';
import { currentFonts, type TenantFont } from '../shared/tenant-fonts.ts';

/** Returns the fonts of a version: its stored ones, and the tenant's current ones for all other families. */
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

/** Starts listing the fonts while the template is read; whoever awaits it sees a failure. */
export function startFonts(tenant: string, files: TenantFiles): Promise<TenantFont[]> {
  const fonts = currentFonts(tenant, files);
  fonts.catch(() => undefined);
  return fonts;
}
