import { PassThrough } from 'node:stream';
import type { ZipFile } from '@platen/core/archive';
import { isPlatenError } from '@platen/core/errors';
import { baseName, sameFileKey, pathFault, quoted } from '@platen/core/file-name';
import { log } from '../../shared/log.ts';
import type { TemplateRecord } from '../../shared/store/templates/record.ts';
import type { TemplateStore } from '../../shared/store/templates.ts';
import type { VersionName } from '../../shared/store/templates/versions.ts';
import type { TenantFile, TenantFiles } from '../../shared/store/tenant-files.ts';
import type { TranslationStore } from '../../shared/store/translations.ts';
import {
  FONTS,
  folderOf,
  free,
  MANIFEST,
  ORIGIN,
  type Origin,
  PARTIALS,
  SAMPLES,
  TEMPLATES,
  TRANSLATIONS,
} from './layout.ts';

/** Exports templates of a tenant, with all their files, as a ZIP. */

export interface ArchiveStores {
  templates: TemplateStore;
  partials: TenantFiles;
  fonts: TenantFiles;
  translations: TranslationStore;
}

/** Entries that are compressed already. */
const PACKED = /\.(?:docx|xlsx|pptx|odt|ods|odp|pdf|png|jpe?g|webp|gif|heic|woff2?)$/i;

/**
 * Writes templates into a ZIP while it is read, so that memory use does not grow with them.
 *
 * @param ids the templates to export; null for all of them, with partials, fonts and translations
 * @param version of each template; the published one if null
 * @param warnings sentences for the caller are added here: the files that are left out, because whoever unpacks the
 *   ZIP must not get files of such names
 * @throws PlatenError `not_found`, before the first byte
 */
export async function exportTemplates(
  stores: ArchiveStores,
  tenant: string,
  ids: readonly string[] | null,
  version: VersionName | null,
  warnings: string[],
): Promise<PassThrough> {
  const { templates } = stores;
  const wanted =
    ids === null
      ? (await templates.list(tenant, null)).toReversed()
      : await Promise.all(ids.map((id) => templates.get(tenant, id, version)));
  if (ids === null) await warnOfLeftOut(stores, tenant, warnings);
  const { ZipFile } = await import('@platen/core/archive');
  const body = new PassThrough();
  const zip = new ZipFile(body);
  // A reader that stops ends the work, and an error during the work ends the body, so that a partial ZIP is invalid.
  body.once('close', () => zip.abort());
  const write = async (): Promise<void> => {
    const inVersion = async (listed: TemplateRecord): Promise<TemplateRecord> =>
      ids !== null || version === null ? listed : await templates.get(tenant, listed.id, version);
    await addTemplates(zip, templates, tenant, wanted, inVersion);
    if (ids === null) await addTenantFiles(zip, stores, tenant);
    await zip.finish();
  };
  body.on('error', (error) => log.error('an export broke off', { error }));
  void write().catch((error: unknown) => body.destroy(error as Error));
  return body;
}

async function addTemplates(
  zip: ZipFile,
  store: TemplateStore,
  tenant: string,
  wanted: readonly TemplateRecord[],
  inVersion: (listed: TemplateRecord) => Promise<TemplateRecord>,
): Promise<void> {
  const taken = new Set<string>();
  const origins: Record<string, Origin> = {};
  for (const listed of wanted) {
    // A template that has been deleted since it was listed is left out.
    const template = await foundOrNull(() => inVersion(listed));
    if (template === null) continue;
    const name = free('', baseName(template.name), taken);
    taken.add(sameFileKey(name));
    const folder = `${TEMPLATES}${name}/`;
    const { manifest, files } = folderOf(template);
    await zip.add(folder + MANIFEST, json(manifest), false);
    for (const [path, file] of files)
      await zip.addStream(folder + path, await store.openFile(tenant, file), PACKED.test(path));
    for (const sample of Object.keys(template.samples)) {
      const text = await store.samples.get(tenant, template.id, sample);
      await zip.add(`${folder}${SAMPLES}${sample}.json`, Buffer.from(text), false);
    }
    const ids = Object.fromEntries(Array.from(files, ([path, { id }]) => [path, id]));
    origins[name] = { id: template.id, version: template.version, files: ids };
  }
  await zip.add(ORIGIN, json({ templates: origins }), false);
}

async function warnOfLeftOut(stores: ArchiveStores, tenant: string, warnings: string[]): Promise<void> {
  for (const { path, fault } of await tenantFiles(stores, tenant))
    if (fault !== null) warnings.push(`${quoted(path)} is not in the ZIP, because ${fault}.`);
}

/** Returns the partials and fonts with their paths in the ZIP, and why a path must not be used for a file. */
async function tenantFiles(
  { partials, fonts }: ArchiveStores,
  tenant: string,
): Promise<{ path: string; fault: string | null; files: TenantFiles; file: TenantFile }[]> {
  const listed = async (files: TenantFiles, folder: string) =>
    (await files.list(tenant)).map((file) => {
      return { path: folder + file.name, fault: pathFault(file.name), files, file };
    });
  return [...(await listed(partials, PARTIALS)), ...(await listed(fonts, FONTS))];
}

async function addTenantFiles(zip: ZipFile, stores: ArchiveStores, tenant: string): Promise<void> {
  for (const { path, fault, files, file } of await tenantFiles(stores, tenant))
    if (fault === null) await zip.add(path, await files.read(tenant, file), PACKED.test(path));
  for (const { locale } of await stores.translations.list(tenant))
    await zip.add(`${TRANSLATIONS}${locale}.po`, await stores.translations.file(tenant, locale), false);
}

/** @returns null if `find` throws `not_found` */
export async function foundOrNull<T>(find: () => Promise<T>): Promise<T | null> {
  try {
    return await find();
  } catch (error) {
    if (isPlatenError(error) && error.code === 'not_found') return null;
    throw error;
  }
}

function json(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
}
