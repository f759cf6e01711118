import { document, json, noContent, type Operations } from '../shared/http/index.ts';
import { page } from '../shared/http/page.ts';
import type { TenantFile, TenantFiles } from '../shared/store/tenant-files.ts';
import { putFont } from './fonts.ts';
import { fontJson, partialJson } from './json.ts';
import { putPartial } from './partials.ts';
import { loaded } from './upload.ts';

/** The operations on files that belong to a tenant, not to a template. */

type TenantOperation =
  'listPartials' | 'putPartial' | 'getPartial' | 'deletePartial' | 'listFonts' | 'putFont' | 'deleteFont';

export function tenantOperations(
  partials: TenantFiles,
  fonts: TenantFiles,
): Pick<Operations<'templates'>, TenantOperation> {
  return {
    listPartials: async ({ tenant, query, basePath }) => {
      const { limit, cursor = null } = query;
      const found = await partials.list(tenant, limit === undefined ? null : limit + 1, cursor);
      return page(withIds(found), limit, `${basePath}/v1/partials`, partialJson);
    },

    putPartial: async ({ tenant, params, file }) => {
      const name = params['name'] ?? '';
      const { bytes } = await loaded(file('file_data'), 'partial');
      return json(partialJson(await putPartial(partials, tenant, name, bytes)));
    },

    getPartial: async ({ tenant, params }) => {
      const file = await partials.get(tenant, params['name'] ?? '');
      const { contentType, name } = file;
      const body = await partials.read(tenant, file);
      return document({ body, contentType, filename: name.split('/').at(-1) ?? name });
    },

    deletePartial: async ({ tenant, params }) => {
      await partials.remove(tenant, params['name'] ?? '');
      return noContent();
    },

    listFonts: async ({ tenant, query, basePath }) => {
      const { limit, cursor = null } = query;
      const found = await fonts.list(tenant, limit === undefined ? null : limit + 1, cursor);
      return page(withIds(found), limit, `${basePath}/v1/fonts`, fontJson);
    },

    putFont: async ({ tenant, params, file }) => {
      const name = params['filename'] ?? '';
      const { bytes } = await loaded(file('file_data'), 'font');
      return json(fontJson(await putFont(fonts, tenant, name, bytes)));
    },

    deleteFont: async ({ tenant, params }) => {
      await fonts.remove(tenant, params['filename'] ?? '');
      return noContent();
    },
  };
}

/** In lists the name of a file is its id. */
function withIds(files: readonly TenantFile[]): (TenantFile & { id: string })[] {
  return files.map((file) => ({ ...file, id: file.name }));
}
