import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod';
import {
  PAGE_DEFAULTS,
  TEMPLATE_FORMATS,
  TEMPLATING_ENGINES,
  templateFieldsSchema,
  type TemplateData,
  type TemplateFormat,
  type TemplatingEngine,
} from '../contract/options.ts';
import { IMAGE_FORMATS, type ImageFormat } from '@platen/imaging/image-type';

/** A template as the service knows it, and as the one DynamoDB item that holds it. */

/** The options a template may register; the names are the wire's, since a rendering's options go on top of them. */
export type PageOptions = { [K in keyof typeof PAGE_DEFAULTS]?: Exclude<TemplateData[K], undefined> };

/** One stored file. What an id stands for never changes. */
export interface StoredFile {
  id: string;
  /** With its ending; null when it was sent without one. */
  filename: string | null;
  contentType: string;
  /** Size in bytes. */
  size: number;
}

/** A file that was added to a template after the template itself. */
export interface AttachedFile extends StoredFile {
  description: string | null;
  /** ISO 8601, UTC. */
  added: string;
}

export interface StyleFile extends AttachedFile {
  format: 'css';
}

export interface ImageFile extends AttachedFile {
  format: ImageFormat;
  /** Name of the template variable that stands for the image; dots make nested names. */
  uri: string;
}

export interface TemplateRecord {
  id: string;
  name: string;
  format: TemplateFormat;
  description: string | null;
  templatingEngine: TemplatingEngine;
  /** Those that were given with the template. */
  options: PageOptions;
  templateFile: StoredFile;
  headerFile: StoredFile | null;
  footerFile: StoredFile | null;
  /** In the order in which they were added, as are the images. */
  styleFiles: readonly StyleFile[];
  imageFiles: readonly ImageFile[];
  /** ISO 8601, UTC. */
  created: string;
}

/** The stored record does not say what it should: a fault of ours, never "no such template". */
export class CorruptRecordError extends Error {
  override readonly name = 'CorruptRecordError';
}

export type Item = Record<string, AttributeValue>;

export function templateKey(tenant: string, id: string): Item {
  return { pk: { S: `TENANT#${tenant}` }, sk: { S: `TEMPLATE#${id}` } };
}

const fileItem = z.object({
  id: z.string(),
  filename: z.string().optional(),
  content_type: z.string(),
  size: z.number().int().min(0),
});
const attachedItem = fileItem.omit({ id: true }).extend({
  description: z.string().optional(),
  added: z.iso.datetime(),
});
const styleItem = attachedItem.extend({ format: z.literal('css') });
const imageItem = attachedItem.extend({ format: z.enum(IMAGE_FORMATS), uri: z.string() });

const optionsItem = templateFieldsSchema
  .pick({ ...mapToTrue(PAGE_DEFAULTS) })
  .partial()
  // What is checked when it comes in is not checked once more: an older template is no damaged one.
  .extend({ page_range: z.string().optional(), date_locale: z.string().optional() })
  .strip();

const templateItem = z.object({
  sk: z.string().regex(/^TEMPLATE#/),
  name: z.string(),
  format: z.enum(TEMPLATE_FORMATS),
  description: z.string().optional(),
  templating_engine: z.enum(TEMPLATING_ENGINES),
  options: optionsItem,
  template_file: fileItem,
  header_file: fileItem.optional(),
  footer_file: fileItem.optional(),
  style_files: z.record(z.string(), styleItem),
  image_files: z.record(z.string(), imageItem),
  // The order of files is that of the updates that added them, whatever the clocks of those who sent them said.
  file_order: z.record(z.string(), z.number()),
  next_position: z.number(),
  created: z.iso.datetime(),
});

function mapToTrue<K extends string>(keys: Readonly<Record<K, unknown>>): Record<K, true> {
  return Object.fromEntries(Object.keys(keys).map((key) => [key, true])) as Record<K, true>;
}

/** The item of a template that has no style and image files yet. */
export function toItem(tenant: string, template: TemplateRecord): Item {
  const fields: Omit<z.input<typeof templateItem>, 'sk'> = {
    name: template.name,
    format: template.format,
    description: template.description ?? undefined,
    templating_engine: template.templatingEngine,
    options: template.options,
    template_file: toFileItem(template.templateFile),
    header_file: template.headerFile ? toFileItem(template.headerFile) : undefined,
    footer_file: template.footerFile ? toFileItem(template.footerFile) : undefined,
    style_files: {},
    image_files: {},
    file_order: {},
    next_position: 0,
    created: template.created,
  };
  return { ...templateKey(tenant, template.id), ...marshall(fields, { removeUndefinedValues: true }) };
}

function toFileItem(file: StoredFile): z.input<typeof fileItem> {
  return {
    id: file.id,
    filename: file.filename ?? undefined,
    content_type: file.contentType,
    size: file.size,
  };
}

/** The value of an attached file in its template's map; its key is the file's id. */
export function toAttachedValue(file: StyleFile | ImageFile): AttributeValue {
  const { id: _key, contentType, ...fields } = file;
  const value = { ...nullsLeftOut(fields), content_type: contentType };
  return { M: marshall(value, { removeUndefinedValues: true }) };
}

function nullsLeftOut(fields: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

/** @throws CorruptRecordError */
export function fromItem(item: Item): TemplateRecord {
  const parsed = templateItem.safeParse(unmarshall(item));
  if (!parsed.success) {
    const faults = z.prettifyError(parsed.error);
    throw new CorruptRecordError(`The stored template ${item['sk']?.S ?? '(no key)'} is damaged: ${faults}`);
  }
  const { data } = parsed;
  return {
    id: data.sk.slice('TEMPLATE#'.length),
    name: data.name,
    format: data.format,
    description: data.description ?? null,
    templatingEngine: data.templating_engine,
    // Absent options are absent, never undefined: DynamoDB has no such value.
    options: data.options as PageOptions,
    templateFile: fromFileItem(data.template_file),
    headerFile: data.header_file ? fromFileItem(data.header_file) : null,
    footerFile: data.footer_file ? fromFileItem(data.footer_file) : null,
    styleFiles: inOrder(data.style_files, data.file_order).map(([id, style]) => ({
      ...fromAttachedItem(id, style),
      format: style.format,
    })),
    imageFiles: inOrder(data.image_files, data.file_order).map(([id, image]) => ({
      ...fromAttachedItem(id, image),
      format: image.format,
      uri: image.uri,
    })),
    created: data.created,
  };
}

function inOrder<T>(files: Record<string, T>, order: Record<string, number>): [string, T][] {
  return Object.entries(files).sort(([a], [b]) => (order[a] ?? 0) - (order[b] ?? 0));
}

function fromFileItem(file: z.output<typeof fileItem>): StoredFile {
  return { id: file.id, filename: file.filename ?? null, contentType: file.content_type, size: file.size };
}

function fromAttachedItem(id: string, file: z.output<typeof attachedItem>): AttachedFile {
  return {
    id,
    filename: file.filename ?? null,
    contentType: file.content_type,
    size: file.size,
    description: file.description ?? null,
    added: file.added,
  };
}

/** Every file id the template refers to. */
export function fileIds(template: TemplateRecord): string[] {
  const { templateFile, headerFile, footerFile, styleFiles, imageFiles } = template;
  return [templateFile, headerFile, footerFile, ...styleFiles, ...imageFiles].flatMap((file) =>
    file ? [file.id] : [],
  );
}
