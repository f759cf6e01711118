import { fontDetailsOf } from '../shared/store/fonts.ts';
import type { TenantFiles } from '../shared/store/tenant-files.ts';
import type { TenantFont } from './template.ts';

/** The fonts that a tenant has now; their bytes are read when a document names their families. */
export async function fontsOf(tenant: string, files: TenantFiles): Promise<TenantFont[]> {
  return (await files.list(tenant)).map((file) => ({
    faces: fontDetailsOf(file).faces,
    contentType: file.contentType,
    path: `fonts/${file.mark}`,
    bytes: async () => await files.read(tenant, file),
  }));
}
