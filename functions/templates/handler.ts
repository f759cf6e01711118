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
import { imageEnding } from '@platen/imaging/image-type';
import { setLogLevel } from '../shared/log.ts';
import type { StoredFile, TemplateRecord } from '../shared/store/template-record.ts';
import { TemplateStore } from '../shared/store/templates.ts';
import { UploadStore } from '../shared/store/uploads.ts';
import { addImage } from './add-image.ts';
import { addStylesheet } from './add-stylesheet.ts';
import { addTemplate } from './add-template.ts';
import { config } from './config.ts';
import { imageJson, styleJson, templateJson } from './json.ts';

setLogLevel(config.logLevel);
const store = new TemplateStore(config);
const uploads = new UploadStore(config);

type Download = Pick<PlatenRequest, 'tenant' | 'params' | 'header'>;

const operations: Operations<'templates'> = {
  listTemplates: async ({ tenant, query }) =>
    json((await store.list(tenant, query.limit ?? null)).map(templateJson)),

  addTemplate: async ({ tenant, form, file, optionalFile }) =>
    json(
      templateJson(
        await addTemplate(store, tenant, form.template_data, {
          file: file('file_data'),
          header: optionalFile('header_data'),
          footer: optionalFile('footer_data'),
        }),
      ),
    ),

  getTemplate: async ({ tenant, params }) => json(templateJson(await store.get(tenant, idOf(params)))),

  deleteTemplate: async ({ tenant, params }) => {
    await store.remove(tenant, idOf(params));
    return noContent();
  },

  addStylesheet: async ({ tenant, params, form, file }) => {
    const id = idOf(params);
    const style = await addStylesheet(store, tenant, id, form.template_data, file('file_data'));
    return json(styleJson(id, style));
  },

  deleteStylesheet: async ({ tenant, params }) => {
    await store.removeFile(tenant, 'style', idOf(params));
    return noContent();
  },

  addImage: async ({ tenant, params, form, file, warnings }) => {
    const id = idOf(params);
    const image = await addImage(store, tenant, id, form.template_data, file('file_data'), warnings);
    return json(imageJson(id, image));
  },

  deleteImage: async ({ tenant, params }) => {
    await store.removeFile(tenant, 'image', idOf(params));
    return noContent();
  },

  getTemplateFile: async (request) => {
    const { template, file } = await store.findFile(request.tenant, 'template', idOf(request.params));
    return await download(request, file, nameOfTemplateFile(template, file));
  },

  getStylesheetFile: downloadStylesheet,
  getStylesheetFileAsCalled: downloadStylesheet,

  getImageFile: async (request) => {
    const { file } = await store.findFile(request.tenant, 'image', idOf(request.params));
    return await download(request, file, `${file.uri}.${imageEnding(file.format)}`);
  },
};

export const serve = createGroup('templates', operations, { uploads });

export const handler = streaming(serve);

async function downloadStylesheet(request: Download): Promise<Reply> {
  const { file } = await store.findFile(request.tenant, 'style', idOf(request.params));
  return await download(request, file, 'style.css');
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
