import { document, json, noContent, type Operations, type Reply } from '../shared/http/index.ts';
import { checkedCursor, LONG_PAGE, page, pageOfAll } from '../shared/http/page.ts';
import { nameOfEntry, placeNamed } from '../shared/store/templates/history.ts';
import type { TemplateRecord } from '../shared/store/templates/record.ts';
import { expectedVersion, versionNamed, versionTag } from '../shared/template-files/version.ts';
import { templateFields } from './fields.ts';
import { historyJson, sampleJson, templateJson, versionJson } from './json.ts';
import { checkSample, sampleName } from './samples.ts';
import { idOf } from './file-operations.ts';
import type { TemplateStore } from '../shared/store/templates.ts';

/** Operations on versions of templates, their fields and their samples. */

/** The operations on versions and fields (I-37, I-38). */
export function versionOperations(
  templates: TemplateStore,
): Pick<Operations<'templates'>, 'listVersions' | 'listHistory' | 'publishVersion' | 'getFields'> {
  return {
    listVersions: async ({ tenant, params, query, basePath }) => {
      const id = idOf(params);
      const all = (await templates.listVersions(tenant, id)).map((facts) => ({
        ...facts,
        id: String(facts.version),
      }));
      const address = `${basePath}/v1/template/${id}/versions`;
      return pageOfAll(all, query, address, versionJson, (version, after) => Number(version) < Number(after));
    },

    listHistory: async ({ tenant, params, query, basePath }) => {
      const id = idOf(params);
      const { limit = LONG_PAGE, cursor } = query;
      const name = checkedCursor(cursor, (text) => placeNamed(text) !== null);
      const after = name === null ? null : placeNamed(name);
      // One more than the page shows, to know whether the list continues.
      const found = await templates.listHistory(tenant, id, { limit: limit + 1, after });
      const named = found.map((entry) => ({ ...entry, id: nameOfEntry(entry) }));
      return page(named, limit, `${basePath}/v1/template/${id}/history`, historyJson);
    },

    publishVersion: async ({ tenant, params, form, header, caller }) => {
      const version = versionNamed(form.version) ?? 'latest';
      const how = { expects: expectedVersion(header('if-match')), by: caller.name };
      return answer(await templates.publish(tenant, idOf(params), version, how));
    },

    getFields: async ({ tenant, params, query }) => {
      const template = await templates.get(tenant, idOf(params), versionNamed(query.version));
      return json(await templateFields(templates, tenant, template));
    },
  };
}

/** The operations on samples (I-38). */
export function sampleOperations(
  templates: TemplateStore,
): Pick<Operations<'templates'>, 'putSample' | 'getSample' | 'deleteSample'> {
  return {
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
  };
}

/** Returns a template with its version as the entity tag. */
export function answer(template: TemplateRecord): Reply {
  const reply = json(templateJson(template));
  reply.headers['etag'] = versionTag(template.version);
  return reply;
}
