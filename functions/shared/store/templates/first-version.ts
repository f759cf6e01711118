import type { Upload } from './files.ts';
import { attachedFiles } from './attached-files.ts';
import type { NewTemplate } from './drafts.ts';
import { NewFiles } from './new-files.ts';
import type { TemplateRecord } from './record.ts';
import type { VersionWrite } from './versions.ts';

/**
 * Returns a new template without the tenant's fonts, and its files to be stored.
 *
 * @returns `uploads`: files of the published version; `kept`: partials
 * @throws PlatenError `template_too_large`
 */
export function firstVersion(
  id: string,
  draft: NewTemplate,
  { note, by }: Pick<VersionWrite, 'note' | 'by'>,
): { template: TemplateRecord; uploads: readonly Upload[]; kept: readonly Upload[] } {
  const files = new NewFiles(id);
  const now = new Date().toISOString();
  const { partials: used = [], styleFiles = [], imageFiles = [], ...fields } = draft;
  const { partials, kept } = files.partials(used, {});
  const template: TemplateRecord = {
    ...fields,
    id,
    partials,
    fonts: {},
    isDraft: false,
    tags: draft.tags ?? [],
    dataSchema: draft.dataSchema ?? null,
    note,
    templateFile: files.stored(draft.templateFile),
    headerFile: draft.headerFile && files.stored(draft.headerFile),
    footerFile: draft.footerFile && files.stored(draft.footerFile),
    styleFiles: attachedFiles('style', styleFiles, files),
    imageFiles: attachedFiles('image', imageFiles, files),
    version: 1,
    published: 1,
    latest: 1,
    changes: [],
    samples: {},
    created: now,
    written: now,
    by,
  };
  return { template, uploads: files.uploads, kept };
}
