import {
  createGroup,
  document,
  json,
  noContent,
  type Operations,
  type PlatenRequest,
  type Reply,
  streaming,
} from '../shared/http/index.ts';
import { checkedCursor, page, pageOfAll } from '../shared/http/page.ts';
import { imageEnding } from '@platen/imaging/image-type';
import { setLogLevel } from '../shared/log.ts';
import { isTemplateId } from '../shared/store/ids.ts';
import type { StoredFile, TemplateRecord } from '../shared/store/template-record.ts';
import { type FileKind, TemplateStore } from '../shared/store/templates.ts';
import { TenantFiles } from '../shared/store/tenant-files.ts';
import { TranslationStore } from '../shared/store/translations.ts';
import { UploadStore } from '../shared/store/uploads.ts';
import { servingServices } from '../shared/http/serving.ts';
import { expectedVersion, versionNamed, versionTag, writeOf } from '../shared/template-files/version.ts';
import { addImage } from './add-image.ts';
import { addStylesheet } from './add-stylesheet.ts';
import { addTemplate } from './add-template.ts';
import { archiveOperations } from './archive/operations.ts';
import { changeTemplate } from './change-template.ts';
import { config } from './config.ts';
import { tenantPartials } from '../shared/store/tenant-partials.ts';
import { fontsToKeep } from './fonts-to-keep.ts';
import { templateFields } from './fields.ts';
import { imageJson, sampleJson, styleJson, templateJson, versionJson } from './json.ts';
import { partialsOfVersion } from './partials.ts';
import { checkSample, sampleName } from './samples.ts';
import { tenantOperations } from './tenant-operations.ts';
import { translationOperations } from './translations.ts';

setLogLevel(config.logLevel);
const partials = new TenantFiles('partials', config);
const fonts = new TenantFiles('fonts', config);
const store: TemplateStore = new TemplateStore({
  ...config,
  findPartials: async (tenant, template) =>
    await partialsOfVersion(
      template,
      tenantPartials(partials, tenant),
      async (file) => await store.readFile(tenant, file),
    ),
  findFonts: async (tenant, content, read) => await fontsToKeep(fonts, tenant, content, read),
});
const uploads = new UploadStore(config);

type Download = Pick<PlatenRequest, 'tenant' | 'params' | 'header'> & {
  query: { version?: string | undefined };
};

const translations = new TranslationStore(config);

const operations: Operations<'templates'> = {
  ...translationOperations(translations),
  ...archiveOperations({ templates: store, partials, fonts, translations }),

  listTemplates: async ({ tenant, query, basePath }) => {
    const { limit, cursor, name, tag } = query;
    const after = checkedCursor(cursor, isTemplateId);
    const text = name?.toLowerCase();
    const isWanted = (template: TemplateRecord): boolean =>
      (text === undefined || template.name.toLowerCase().includes(text)) &&
      (tag === undefined || template.tags.includes(tag));
    const filter = name === undefined && tag === undefined ? undefined : isWanted;
    // One more than is shown tells whether the list goes on.
    const found = await store.list(tenant, limit === undefined ? null : limit + 1, after, filter);
    return page(found, limit, `${basePath}/v1/template`, templateJson, { name, tag });
  },

  addTemplate: async ({ tenant, form, file, optionalFile }) =>
    answer(
      await addTemplate(
        store,
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
    answer(await store.get(tenant, idOf(params), versionNamed(query.version))),

  changeTemplate: async ({ tenant, params, form, optionalFile, header }) => {
    const { template_data: data = {}, publish } = form;
    const uploads = {
      file: optionalFile('file_data'),
      header: optionalFile('header_data'),
      footer: optionalFile('footer_data'),
    };
    const how = writeOf(header, publish, data.note);
    return answer(
      await changeTemplate(store, tenant, idOf(params), data, uploads, how, tenantPartials(partials, tenant)),
    );
  },

  deleteTemplate: async ({ tenant, params, header }) => {
    await store.remove(tenant, idOf(params), expectedVersion(header('if-match')));
    return noContent();
  },

  listVersions: async ({ tenant, params, query, basePath }) => {
    const id = idOf(params);
    const all = (await store.listVersions(tenant, id)).map((facts) => ({
      ...facts,
      id: String(facts.version),
    }));
    const address = `${basePath}/v1/template/${id}/versions`;
    return pageOfAll(all, query, address, versionJson, (version, after) => Number(version) < Number(after));
  },

  publishVersion: async ({ tenant, params, form, header }) => {
    const version = versionNamed(form.version) ?? 'latest';
    return answer(await store.publish(tenant, idOf(params), version, expectedVersion(header('if-match'))));
  },

  getFields: async ({ tenant, params, query }) => {
    const template = await store.get(tenant, idOf(params), versionNamed(query.version));
    return json(await templateFields(store, tenant, template));
  },

  putSample: async ({ tenant, params, json: text }) => {
    const name = sampleName(params['name'] ?? '');
    checkSample(text);
    return json(sampleJson(name, await store.samples.put(tenant, idOf(params), name, text)));
  },

  getSample: async ({ tenant, params }) => {
    const name = params['name'] ?? '';
    const body = Buffer.from(await store.samples.get(tenant, idOf(params), name));
    return document({ body, contentType: 'application/json', filename: `${name}.json` });
  },

  deleteSample: async ({ tenant, params }) => {
    await store.samples.remove(tenant, idOf(params), params['name'] ?? '');
    return noContent();
  },

  addStylesheet: async ({ tenant, params, form, file, header }) => {
    const id = idOf(params);
    const { template_data: data, publish } = form;
    const how = writeOf(header, publish, data.note);
    return json(styleJson(id, await addStylesheet(store, tenant, id, data, file('file_data'), how)));
  },

  deleteStylesheet: async ({ tenant, params, query, header }) => {
    await store.removeFile(tenant, 'style', idOf(params), writeOf(header, query.publish));
    return noContent();
  },

  addImage: async ({ tenant, params, form, file, header, warnings }) => {
    const id = idOf(params);
    const { template_data: data, publish } = form;
    const how = writeOf(header, publish, data.note);
    const image = await addImage(store, tenant, id, data, file('file_data'), how, warnings);
    return json(imageJson(id, image));
  },

  deleteImage: async ({ tenant, params, query, header }) => {
    await store.removeFile(tenant, 'image', idOf(params), writeOf(header, query.publish));
    return noContent();
  },

  ...tenantOperations(partials, fonts),

  getTemplateFile: async (request) => {
    const { template, file } = await found(request, 'template');
    return await download(request, file, nameOfTemplateFile(template, file));
  },

  getStylesheetFile: downloadStylesheet,
  getStylesheetFileAsCalled: downloadStylesheet,

  getImageFile: async (request) => {
    const { file } = await found(request, 'image');
    return await download(request, file, `${file.uri}.${imageEnding(file.format)}`);
  },
};

export const serve = createGroup('templates', operations, {
  uploads,
  ...servingServices(config),
});

export const handler = streaming(serve);

async function downloadStylesheet(request: Download): Promise<Reply> {
  const { file } = await found(request, 'style');
  return await download(request, file, 'style.css');
}

/** A template with its version as its tag. */
function answer(template: TemplateRecord): Reply {
  const reply = json(templateJson(template));
  reply.headers['etag'] = versionTag(template.version);
  return reply;
}

async function found<K extends FileKind>(
  { tenant, params, query }: Download,
  kind: K,
): ReturnType<typeof store.findFile<K>> {
  return await store.findFile(tenant, kind, idOf(params), versionNamed(query.version));
}

/** @param fallbackName for a file that was sent without a name */
async function download(
  { tenant, header }: Download,
  file: StoredFile,
  fallbackName: string,
): Promise<Reply> {
  // What an id stands for never changes, so the id is the version.
  const etag = `"${file.id}"`;
  const caching = { etag, 'cache-control': 'private, no-cache' };
  if (isMatch(header('if-none-match'), etag)) return { status: 304, headers: caching, body: null };
  const body = await store.openFile(tenant, file);
  const reply = document({
    body,
    contentType: file.contentType,
    filename: file.filename ?? fallbackName,
  });
  Object.assign(reply.headers, caching, { 'content-length': String(file.size) });
  // The connection to S3 is given back even if the answer was never sent.
  return { ...reply, close: async () => void body.destroy() };
}

/** RFC 9110, section 13.1.2: a list of tags, weak ones counting too, or `*`. */
function isMatch(ifNoneMatch: string | null, etag: string): boolean {
  const tags = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*');
}

function nameOfTemplateFile(template: TemplateRecord, file: StoredFile): string {
  if (file.id === template.headerFile?.id) return 'header.html';
  if (file.id === template.footerFile?.id) return 'footer.html';
  return `${template.name}.${template.format}`;
}

/** All routes of this group with an id call it so. */
function idOf(params: Record<string, string>): string {
  return params['id'] ?? '';
}
