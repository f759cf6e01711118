import { document, type Operations, type PlatenRequest, type Reply } from '../shared/http/index.ts';
import { imageEnding } from '@platen/imaging/image-type';
import type { StoredFile, TemplateRecord } from '../shared/store/templates/record.ts';
import type { FileKind, TemplateStore } from '../shared/store/templates.ts';
import { versionNamed } from '../shared/template-files/version.ts';

/** Downloads of template files, with validators for client caches. */

type FileOperation = 'getTemplateFile' | 'getStylesheetFile' | 'getStylesheetFileAsCalled' | 'getImageFile';

type Download = Pick<PlatenRequest, 'tenant' | 'params' | 'header'> & {
  query: { version?: string | undefined };
};

/** The operations that send a file of a template (I-10). */
export function fileOperations(templates: TemplateStore): Pick<Operations<'templates'>, FileOperation> {
  const found = async <K extends FileKind>(
    { tenant, params, query }: Download,
    kind: K,
  ): ReturnType<typeof templates.findFile<K>> =>
    await templates.findFile(tenant, kind, idOf(params), versionNamed(query.version));

  const stylesheet = async (request: Download): Promise<Reply> => {
    const { file } = await found(request, 'style');
    return await download(templates, request, file, 'style.css');
  };

  return {
    getTemplateFile: async (request) => {
      const { template, file } = await found(request, 'template');
      return await download(templates, request, file, nameOfTemplateFile(template, file));
    },
    getStylesheetFile: stylesheet,
    getStylesheetFileAsCalled: stylesheet,
    getImageFile: async (request) => {
      const { file } = await found(request, 'image');
      return await download(templates, request, file, `${file.uri}.${imageEnding(file.format)}`);
    },
  };
}

/** Returns the id in the path, a parameter that all routes of this group share. */
export function idOf(params: Record<string, string>): string {
  return params['id'] ?? '';
}

/** @param fallbackName for a file that was sent without a name */
async function download(
  templates: TemplateStore,
  { tenant, header }: Download,
  file: StoredFile,
  fallbackName: string,
): Promise<Reply> {
  // The content of an id never changes, so the id is the version.
  const etag = `"${file.id}"`;
  const caching = { etag, 'cache-control': 'private, no-cache' };
  if (isMatch(header('if-none-match'), etag)) return { status: 304, headers: caching, body: null };
  const body = await templates.openFile(tenant, file);
  const reply = document({
    body,
    contentType: file.contentType,
    filename: file.filename ?? fallbackName,
  });
  Object.assign(reply.headers, caching, { 'content-length': String(file.size) });
  // Releases the connection to S3 even if the answer was never sent.
  return { ...reply, close: async () => void body.destroy() };
}

/** RFC 9110, section 13.1.2: a list of tags, including weak ones, or `*`. */
function isMatch(ifNoneMatch: string | null, etag: string): boolean {
  const tags = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*');
}

function nameOfTemplateFile(template: TemplateRecord, file: StoredFile): string {
  if (file.id === template.headerFile?.id) return 'header.html';
  if (file.id === template.footerFile?.id) return 'footer.html';
  return `${template.name}.${template.format}`;
}
