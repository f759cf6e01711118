import { document, json, noContent, type Operations, type Reply } from '../shared/http/index.ts';
import { checkedCursor, page, pageOfAll } from '../shared/http/page.ts';
import { isTemplateId } from '../shared/store/ids.ts';
import type { TemplateRecord } from '../shared/store/template-record.ts';
import { expectedVersion, versionNamed, versionTag, writeOf } from '../shared/template-files/version.ts';
import { addImage } from './add-image.ts';
import { addStylesheet } from './add-stylesheet.ts';
import { addTemplate } from './add-template.ts';
import { archiveOperations } from './archive/operations.ts';
import { changeTemplate } from './change-template.ts';
import { tenantPartials } from '../shared/store/tenant-partials.ts';
import { templateFields } from './fields.ts';
import { imageJson, sampleJson, styleJson, templateJson, versionJson } from './json.ts';
import { checkSample, sampleName } from './samples.ts';
import { tenantOperations } from './tenant-operations.ts';
import { translationOperations } from './translations.ts';
import type { ArchiveStores } from './archive/export.ts';
import { fileOperations, idOf } from './file-operations.ts';

/** The operations of the templates group (I-7 to I-12, I-37 to I-40). */
export function templateOperations(stores: ArchiveStores): Operations<'templates'> {
  const { templates, partials, fonts, translations } = stores;
  return {
    ...translationOperations(translations),
    ...archiveOperations(stores),
    ...fileOperations(templates),

    listTemplates: async ({ tenant, query, basePath }) => {
      const { limit, cursor, name, tag } = query;
      const after = checkedCursor(cursor, isTemplateId);
      const text = name?.toLowerCase();
      const isWanted = (template: TemplateRecord): boolean =>
        (text === undefined || template.name.toLowerCase().includes(text)) &&
        (tag === undefined || template.tags.includes(tag));
      const filter = name === undefined && tag === undefined ? undefined : isWanted;
      // One more than is shown tells whether the list goes on.
      const found = await templates.list(tenant, limit === undefined ? null : limit + 1, after, filter);
      return page(found, limit, `${basePath}/v1/template`, templateJson, { name, tag });
    },

    addTemplate: async ({ tenant, form, file, optionalFile }) =>
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
        ),
      ),

    getTemplate: async ({ tenant, params, query }) =>
      answer(await templates.get(tenant, idOf(params), versionNamed(query.version))),

    changeTemplate: async ({ tenant, params, form, optionalFile, header }) => {
      const { template_data: data = {}, publish } = form;
      const uploads = {
        file: optionalFile('file_data'),
        header: optionalFile('header_data'),
        footer: optionalFile('footer_data'),
      };
      const how = writeOf(header, publish, data.note);
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

    deleteTemplate: async ({ tenant, params, header }) => {
      await templates.remove(tenant, idOf(params), expectedVersion(header('if-match')));
      return noContent();
    },

    listVersions: async ({ tenant, params, query, basePath }) => {
      const id = idOf(params);
      const all = (await templates.listVersions(tenant, id)).map((facts) => ({
        ...facts,
        id: String(facts.version),
      }));
      const address = `${basePath}/v1/template/${id}/versions`;
      return pageOfAll(all, query, address, versionJson, (version, after) => Number(version) < Number(after));
    },

    publishVersion: async ({ tenant, params, form, header }) => {
      const version = versionNamed(form.version) ?? 'latest';
      return answer(
        await templates.publish(tenant, idOf(params), version, expectedVersion(header('if-match'))),
      );
    },

    getFields: async ({ tenant, params, query }) => {
      const template = await templates.get(tenant, idOf(params), versionNamed(query.version));
      return json(await templateFields(templates, tenant, template));
    },

    putSample: async ({ tenant, params, json: text }) => {
      const name = sampleName(params['name'] ?? '');
      checkSample(text);
      return json(sampleJson(name, await templates.samples.put(tenant, idOf(params), name, text)));
    },

    getSample: async ({ tenant, params }) => {
      const name = params['name'] ?? '';
      const body = Buffer.from(await templates.samples.get(tenant, idOf(params), name));
      return document({ body, contentType: 'application/json', filename: `${name}.json` });
    },

    deleteSample: async ({ tenant, params }) => {
      await templates.samples.remove(tenant, idOf(params), params['name'] ?? '');
      return noContent();
    },

    addStylesheet: async ({ tenant, params, form, file, header }) => {
      const id = idOf(params);
      const { template_data: data, publish } = form;
      const how = writeOf(header, publish, data.note);
      return json(styleJson(id, await addStylesheet(templates, tenant, id, data, file('file_data'), how)));
    },

    deleteStylesheet: async ({ tenant, params, query, header }) => {
      await templates.removeFile(tenant, 'style', idOf(params), writeOf(header, query.publish));
      return noContent();
    },

    addImage: async ({ tenant, params, form, file, header, warnings }) => {
      const id = idOf(params);
      const { template_data: data, publish } = form;
      const how = writeOf(header, publish, data.note);
      const image = await addImage(templates, tenant, id, data, file('file_data'), how, warnings);
      return json(imageJson(id, image));
    },

    deleteImage: async ({ tenant, params, query, header }) => {
      await templates.removeFile(tenant, 'image', idOf(params), writeOf(header, query.publish));
      return noContent();
    },

    ...tenantOperations(partials, fonts),
  };
}

/** A template with its version as its tag. */
function answer(template: TemplateRecord): Reply {
  const reply = json(templateJson(template));
  reply.headers['etag'] = versionTag(template.version);
  return reply;
}
