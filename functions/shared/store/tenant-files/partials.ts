import { isPlatenError } from '@platen/core/errors';
import type { TenantFile, TenantFiles } from '../tenant-files.ts';
import type { PartialLibrary, UsedPartial } from '@platen/templating/partials';

/** Returns the tenant's current partials. Each is looked up once. */
export function tenantPartials(files: TenantFiles, tenant: string): PartialLibrary {
  let listed: Promise<ReadonlyMap<string, TenantFile>> | undefined;
  const list = async (): Promise<ReadonlyMap<string, TenantFile>> =>
    new Map((await files.current(tenant)).map((file) => [file.name, file]));
  const found = async (name: string): Promise<TenantFile | undefined> =>
    listed === undefined ? await files.get(tenant, name) : (await listed).get(name);
  return {
    names: async () => [...(await (listed ??= list())).keys()],
    find: async (name) => {
      if (!isPartialName(name)) return null;
      try {
        const file = await found(name);
        if (file === undefined) return null;
        const { hash, contentType } = file;
        return { name, hash, contentType, bytes: await files.read(tenant, file) };
      } catch (error) {
        if (isPlatenError(error) && error.code === 'not_found') return null;
        throw error;
      }
    },
  };
}

/** Returns a library that falls back to the stored partials of a version. */
export function withKept(
  library: PartialLibrary,
  kept: ReadonlyMap<string, () => Promise<UsedPartial>>,
): PartialLibrary {
  return {
    names: async () => [...new Set([...(await library.names()), ...kept.keys()])],
    find: async (name) => (await library.find(name)) ?? (await kept.get(name)?.()) ?? null,
  };
}

/** Most bytes of a name in UTF-8, as it is part of an S3 key. */
const MAX_NAME = 250;

/**
 * Returns whether a partial may have this name: a path without empty, `.` and `..` segments. New partials have to keep
 * a stricter rule (`pathFault`); stored ones stay readable.
 */
export function isPartialName(name: string): boolean {
  return (
    name.isWellFormed() &&
    Buffer.byteLength(name) <= MAX_NAME &&
    // oxlint-disable-next-line eslint/no-control-regex -- control characters are what is refused
    !/[\u0000-\u001f\u007f-\u009f\\\ufdd0-\ufdef]/.test(name) &&
    name.trim() === name &&
    name.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..')
  );
}
