import { PlatenError } from '@platen/core/errors';
import { document, json, type Operations } from '../../shared/http/index.ts';
import { versionNamed, writeOf } from '../../shared/template-files/version.ts';
import { type ArchiveStores, exportTemplates } from './export.ts';
import { importArchive } from './import.ts';
import { MAX_ARCHIVE_BYTES, readArchive } from './read.ts';

/** The operations of the export and import routes. */
export function archiveOperations(
  stores: ArchiveStores,
): Pick<Operations<'templates'>, 'exportTemplates' | 'importTemplates'> {
  return {
    exportTemplates: async ({ tenant, query, warnings }) => {
      const ids = query.template === undefined ? null : [...new Set(query.template.split(','))];
      const version = versionNamed(query.version);
      if (ids?.length !== 1 && typeof version === 'number') {
        const message =
          'version is the number of one template, so template has to name one; latest is of all';
        throw new PlatenError('invalid_field', `${message}.`, { faults: [{ field: 'version', message }] });
      }
      const body = await exportTemplates(stores, tenant, ids, version, warnings);
      const reply = document({ body, contentType: 'application/zip', filename: 'templates.zip' });
      // Closes the source of the body even if the answer was never sent.
      return { ...reply, close: async () => void body.destroy() };
    },

    importTemplates: async (request) => {
      const { tenant, form, file, warnings } = request;
      const archive = await readArchive(await file('file_data').bytes(MAX_ARCHIVE_BYTES), warnings);
      return json(await importArchive(stores, tenant, archive, writeOf(request, form.publish, form.note)));
    },
  };
}
