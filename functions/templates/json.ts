import { PAGE_DEFAULTS } from '@platen/contract/options';
import type {
  DeletedTemplateJson,
  FontJson,
  ImageFileJson,
  PartialJson,
  SampleJson,
  StyleFileJson,
  TemplateJson,
  TemplateEventJson,
  TemplateVersionJson,
} from '@platen/contract/resources';
import { isDocument } from '@platen/templating/partials';
import { fontDetailsOf } from '../shared/store/tenant-files/fonts.ts';
import type { TenantFile } from '../shared/store/tenant-files.ts';
import type { DeletedTemplate } from '../shared/store/templates/deleted.ts';
import type { HistoryEntry } from '../shared/store/templates/history.ts';
import type {
  AttachedFile,
  ImageFile,
  Sample,
  StoredFile,
  StyleFile,
  TemplateRecord,
  VersionFacts,
} from '../shared/store/templates/record.ts';

/** Templates and their files as JSON of the API (I-9): with every default, and never with data. */

export function templateJson(template: TemplateRecord): TemplateJson {
  const { templateFile, headerFile, footerFile, styleFiles, imageFiles } = template;
  return {
    id: template.id,
    name: template.name,
    format: template.format,
    description: template.description,
    tags: [...template.tags],
    templating_engine: template.templatingEngine,
    ...PAGE_DEFAULTS,
    ...template.options,
    template_file: reference(templateFile),
    header_file: headerFile && reference(headerFile),
    footer_file: footerFile && reference(footerFile),
    style_files: styleFiles.map((style) => styleJson(template.id, style)),
    image_files: imageFiles.map((image) => imageJson(template.id, image)),
    partials: Object.keys(template.partials).sort(),
    fonts: Object.keys(template.fonts).sort(),
    samples: Object.entries(template.samples).map(([name, sample]) => sampleJson(name, sample)),
    version: template.version,
    published_version: template.published,
    latest_version: template.latest,
    note: template.note,
    data_schema:
      template.dataSchema === null ? null : (JSON.parse(template.dataSchema) as Record<string, unknown>),
    timestamp: template.created,
  };
}

export function sampleJson(name: string, { size, added }: Sample): SampleJson {
  return { name, bytes: size, timestamp: added };
}

export function partialJson(file: TenantFile): PartialJson {
  const { name, size, hash, written } = file;
  return { name, format: isDocument(file) ? 'docx' : 'text', bytes: size, hash, timestamp: written };
}

export function fontJson(file: TenantFile): FontJson {
  const { format, faces } = fontDetailsOf(file);
  return {
    filename: file.name,
    format,
    bytes: file.size,
    faces: faces.map((face) => ({ ...face, weight: [...face.weight] })),
    timestamp: file.written,
  };
}

export function versionJson(facts: VersionFacts & { published: boolean }): TemplateVersionJson {
  const { version, written, by, note, published, changes } = facts;
  return { version, timestamp: written, by, note, published, changes: [...changes] };
}

export function deletedJson({ id, template, at, by, expires }: DeletedTemplate): DeletedTemplateJson {
  const { name, format, tags, created } = template;
  return { id, name, format, tags: [...tags], timestamp: created, deleted: at, by, expires };
}

export function historyJson({ action, version, by, at }: HistoryEntry): TemplateEventJson {
  return { action, version, by, timestamp: at };
}

export function styleJson(templateId: string, style: StyleFile): StyleFileJson {
  return attachedJson(templateId, style, style.format);
}

export function imageJson(templateId: string, image: ImageFile): ImageFileJson {
  return { ...attachedJson(templateId, image, image.format), uri: image.uri };
}

function attachedJson(templateId: string, file: AttachedFile, format: string): StyleFileJson {
  return {
    id: file.id,
    template_id: templateId,
    format,
    filename: file.filename,
    description: file.description,
    timestamp: file.added,
  };
}

function reference({ id }: StoredFile): { id: string } {
  return { id };
}
