import { json, noContent, type Operations, type PlatenRequest } from '../shared/http/index.ts';
import { checkedCursor, LONG_PAGE, page } from '../shared/http/page.ts';
import { isTemplateId } from '../shared/store/storage/ids.ts';
import type { TemplateRecord } from '../shared/store/templates/record.ts';
import { expectedVersion, versionNamed, writeOf } from '../shared/template-files/version.ts';
import { addTemplate } from './add-template.ts';
import { archiveOperations } from './archive/operations.ts';
import { type ChangedUploads, changeTemplate, fieldsAfterChange } from './change-template.ts';
import { tenantPartials } from '../shared/store/tenant-files/partials.ts';
import { deletedJson, templateJson } from './json.ts';
import { tenantOperations } from './tenant-operations.ts';
import { translationOperations } from './translations.ts';
import type { ArchiveStores } from './archive/export.ts';
import { fileOperations, idOf } from './file-operations.ts';
import { attachmentOperations } from './attachment-operations.ts';
import { answer, sampleOperations, versionOperations } from './version-operations.ts';

/** The operations of the templates group (I-7 to I-12, I-37 to I-40). */
export function templateOperations(stores: ArchiveStores): Operations<'templates'> {
  const { templates, partials, fonts, translations } = stores;
  return {
    ...translationOperations(translations),
    ...archiveOperations(stores),
    ...versionOperations(templates),
    ...sampleOperations(templates),
    ...fileOperations(templates),
    ...attachmentOperations(templates),

    listTemplates: async ({ tenant, query, basePath }) => {
      const { limit, cursor, name, tag } = query;
      const after = checkedCursor(cursor, isTemplateId);
      const text = name?.toLowerCase();
      const isWanted = (template: TemplateRecord): boolean =>
        (text === undefined || template.name.toLowerCase().includes(text)) &&
        (tag === undefined || template.tags.includes(tag));
      const filter = name === undefined && tag === undefined ? undefined : isWanted;
      // One more than the page shows, to know whether the list continues.
      const found = await templates.list(tenant, limit === undefined ? null : limit + 1, after, filter);
      return page(found, limit, `${basePath}/v1/template`, templateJson, { name, tag });
    },

    addTemplate: async ({ tenant, form, file, optionalFile, caller }) =>
      answer(
        await addTemplate(
          templates,
          tenant,
          form.template_data,
          {
            file: file('file_data'),
            header: optionalFile('header_data'),
            footer: optionalFile('footer_data'),
          },
          tenantPartials(partials, tenant),
          caller.name,
        ),
      ),

    getTemplate: async ({ tenant, params, query }) =>
      answer(await templates.get(tenant, idOf(params), versionNamed(query.version))),

    getChangedFields: async ({ tenant, params, form, optionalFile }) => {
      const { template_data: data = {} } = form;
      const library = tenantPartials(partials, tenant);
      const uploads = changedUploads(optionalFile);
      return json(await fieldsAfterChange(templates, tenant, idOf(params), data, uploads, library));
    },

    changeTemplate: async (request) => {
      const { tenant, params, form, optionalFile } = request;
      const { template_data: data = {}, publish } = form;
      const uploads = changedUploads(optionalFile);
      const how = writeOf(request, publish, data.note);
      return answer(
        await changeTemplate(
          templates,
          tenant,
          idOf(params),
          data,
          uploads,
          how,
          tenantPartials(partials, tenant),
        ),
      );
    },

    deleteTemplate: async ({ tenant, params, query, header, caller }) => {
      const expects = expectedVersion(header('if-match'));
      if (query.permanent === true) await templates.remove(tenant, idOf(params), expects);
      else await templates.delete(tenant, idOf(params), { expects, by: caller.name });
      return noContent();
    },

    listDeletedTemplates: async ({ tenant, query, basePath }) => {
      const { limit = LONG_PAGE, cursor } = query;
      // One more than the page shows, to know whether the list continues.
      const found = await templates.deleted.list(tenant, limit + 1, checkedCursor(cursor, isTemplateId));
      return page(found, limit, `${basePath}/v1/template/deleted`, deletedJson);
    },

    restoreTemplate: async ({ tenant, params, caller }) => {
      await templates.deleted.restore(tenant, idOf(params), caller.name);
      return answer(await templates.get(tenant, idOf(params)));
    },

    ...tenantOperations(partials, fonts),
  };
}

function changedUploads(optionalFile: PlatenRequest['optionalFile']): ChangedUploads {
  return {
    file: optionalFile('file_data'),
    header: optionalFile('header_data'),
    footer: optionalFile('footer_data'),
  };
}
