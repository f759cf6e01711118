import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod';
import {
  PAGE_DEFAULTS,
  TEMPLATE_FORMATS,
  TEMPLATING_ENGINES,
  templateFieldsSchema,
} from '@platen/contract/options';
import { PlatenError } from '@platen/core/errors';
import type { FontFace } from '@platen/print/fonts';
import { IMAGE_FORMATS } from '@platen/imaging/image-type';
import {
  type AttachedFile,
  CorruptRecordError,
  type ImageFile,
  type PageOptions,
  type StoredFile,
  type StyleFile,
  type TemplateContent,
  type TemplateRecord,
  type VersionFacts,
} from './record.ts';
import type { HistoryPlace } from './history.ts';
import { fontDetails } from '../tenant-files/fonts.ts';
import type { Item } from '../storage/items.ts';

/**
 * Templates as items of DynamoDB. A template's own item holds its published version, in the form of releases before
 * versions, and the list of its versions; every other version is an item of its own.
 */

/** A template's own item: its published version, and the attributes that reveal a change of it. */
export interface TemplateHead {
  template: TemplateRecord;
  /** The mark of each version's item, by the version's number. An item with another mark belongs to a failed write. */
  versions: ReadonlyMap<number, string>;
  /** A new value for every change; null if a release without versions wrote the item. */
  revision: string | null;
  /** The last entry of its history; null if every change was made by releases without histories. */
  history: HistoryPlace | null;
  /** Only releases without versions change this attribute. */
  nextPosition: number;
}

/** A version's item. */
export interface StoredVersion {
  content: TemplateContent;
  facts: VersionFacts;
  mark: string;
}

/** The mark of the only version of a template that a release before versions wrote. */
const FIRST_MARK = 'first';

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
const partialItem = fileItem.extend({ hash: z.string() });
const fontItem = partialItem.extend(fontDetails.shape);
const sampleItem = fileItem.extend({ added: z.iso.datetime() });

const optionsItem = templateFieldsSchema
  .pick({ ...mapToTrue(PAGE_DEFAULTS) })
  .partial()
  // Values are validated on input, not when they are read: an older template is not a damaged one.
  .extend({
    page_range: z.string().optional(),
    date_locale: z.string().optional(),
    locale: z.string().optional(),
  })
  .strip();

/**
 * The format of items; absent in items of releases before there were numbers. A release reads every format up to this
 * one. Additional attributes are optional and need no new number; a change that earlier releases would misread raises
 * it, one release after the code that reads it (docs/runbook.md#change-the-form-of-items).
 */
const ITEM_SCHEMA = 1;

const contentShape = {
  schema: z.number().int().min(1).optional(),
  name: z.string(),
  format: z.enum(TEMPLATE_FORMATS),
  description: z.string().optional(),
  tags: z.array(z.string()).optional(),
  templating_engine: z.enum(TEMPLATING_ENGINES),
  options: optionsItem,
  data_schema: z.string().optional(),
  template_file: fileItem,
  header_file: fileItem.optional(),
  footer_file: fileItem.optional(),
  style_files: z.record(z.string(), styleItem),
  image_files: z.record(z.string(), imageItem),
  // Files are in the order of the updates that added them, regardless of the clocks of the writers.
  file_order: z.record(z.string(), z.number()),
  partials: z.record(z.string(), partialItem).optional(),
  fonts: z.record(z.string(), fontItem).optional(),
};
const factsShape = {
  version: z.number().int().min(1),
  note: z.string().optional(),
  changes: z.array(z.string()),
  written: z.iso.datetime(),
  by: z.string().optional(),
  draft: z.literal(true).optional(),
};
const versionItem = z.object({ ...contentShape, ...factsShape, mark: z.string() });
const headItem = z.object({
  sk: z.string().regex(/^TEMPLATE#/),
  ...contentShape,
  ...z.object(factsShape).partial().shape,
  next_position: z.number(),
  created: z.iso.datetime(),
  latest: z.number().int().optional(),
  versions: z.record(z.string(), z.string()).optional(),
  revision: z.string().optional(),
  samples: z.record(z.string(), sampleItem).optional(),
  history: z.object({ number: z.number().int(), mark: z.string() }).optional(),
});
type ContentItem = z.output<z.ZodObject<typeof contentShape>>;

/** Attributes of a template's item that may be absent. */
const OPTIONAL = [
  'description',
  'tags',
  'data_schema',
  'header_file',
  'footer_file',
  'partials',
  'fonts',
  'note',
  'by',
  'draft',
] as const satisfies (keyof z.input<typeof headItem>)[];

function mapToTrue<K extends string>(keys: Readonly<Record<K, unknown>>): Record<K, true> {
  return Object.fromEntries(Object.keys(keys).map((key) => [key, true])) as Record<K, true>;
}

/** Returns the state of a template that has just been added. */
export function firstHead(
  template: TemplateRecord,
  mark: string,
  history: HistoryPlace | null,
): TemplateHead {
  const versions = new Map([[template.version, mark]]);
  return { template, versions, revision: mark, history, nextPosition: 0 };
}

/**
 * Returns the attributes of a template's item, without its key and its samples, which are written separately.
 *
 * @returns `absent`: names of attributes to remove
 */
export function headAttributes({ template, versions, revision, history, nextPosition }: TemplateHead): {
  attributes: Item;
  absent: string[];
} {
  const fields: Omit<z.input<typeof headItem>, 'sk' | 'samples'> = {
    ...contentFields(template),
    ...factsFields(template),
    next_position: Math.max(nextPosition, template.styleFiles.length + template.imageFiles.length),
    created: template.created,
    latest: template.latest,
    versions: Object.fromEntries(Array.from(versions, ([number, mark]) => [String(number), mark])),
    revision: revision ?? undefined,
    history: history ?? undefined,
  };
  const attributes = marshall(fields, { removeUndefinedValues: true });
  return { attributes, absent: OPTIONAL.filter((name) => attributes[name] === undefined) };
}

/** Returns the attributes of a version's item, without its key. */
export function versionAttributes({ content, facts, mark }: StoredVersion): Item {
  const fields: z.input<typeof versionItem> = { ...contentFields(content), ...factsFields(facts), mark };
  return marshall(fields, { removeUndefinedValues: true });
}

function contentFields(content: TemplateContent): z.input<z.ZodObject<typeof contentShape>> {
  const { styleFiles, imageFiles, headerFile, footerFile } = content;
  const order = [...styleFiles, ...imageFiles].map(({ id }, index) => [id, index] as const);
  return {
    schema: ITEM_SCHEMA,
    name: content.name,
    format: content.format,
    description: content.description ?? undefined,
    tags: content.tags.length === 0 ? undefined : [...content.tags],
    templating_engine: content.templatingEngine,
    options: content.options,
    data_schema: content.dataSchema ?? undefined,
    template_file: toFileItem(content.templateFile),
    header_file: headerFile ? toFileItem(headerFile) : undefined,
    footer_file: footerFile ? toFileItem(footerFile) : undefined,
    style_files: Object.fromEntries(styleFiles.map((file) => [file.id, toAttachedItem(file)])),
    image_files: Object.fromEntries(imageFiles.map((file) => [file.id, toAttachedItem(file)])),
    file_order: Object.fromEntries(order),
    partials: keptFields(content.partials, (file) => ({ ...toFileItem(file), hash: file.hash })),
    fonts: keptFields(content.fonts, (file) => {
      const { hash, format, faces } = file;
      return { ...toFileItem(file), hash, format, faces: faces.map(faceItem) };
    }),
  };
}

/** Returns a map; undefined if it would be empty. */
function keptFields<F, I>(
  files: Readonly<Record<string, F>>,
  item: (file: F) => I,
): Record<string, I> | undefined {
  const items = Object.entries(files).map(([name, file]) => [name, item(file)] as const);
  return items.length === 0 ? undefined : Object.fromEntries(items);
}

function faceItem({
  family,
  style,
  weight,
  italic,
  scripts,
}: FontFace): z.input<typeof fontItem>['faces'][number] {
  const [from, to] = weight;
  return { family, style, weight: [from, to], italic, scripts: [...scripts] };
}

function factsFields(facts: VersionFacts): z.input<z.ZodObject<typeof factsShape>> {
  const { version, note, changes, written, by, isDraft } = facts;
  const draft = isDraft ? true : undefined;
  return {
    version,
    note: note ?? undefined,
    changes: [...changes],
    written,
    by: by ?? undefined,
    draft,
  };
}

function toFileItem(file: StoredFile): z.input<typeof fileItem> {
  return {
    id: file.id,
    filename: file.filename ?? undefined,
    content_type: file.contentType,
    size: file.size,
  };
}

/** An attached file in its map; its key there is the file's id. */
function toAttachedItem<F extends StyleFile | ImageFile>(
  file: F,
): Omit<F, 'id' | 'contentType' | 'filename' | 'description'> & z.input<typeof attachedItem> {
  const { id: _key, contentType, filename, description, ...fields } = file;
  return {
    ...fields,
    filename: filename ?? undefined,
    description: description ?? undefined,
    content_type: contentType,
  };
}

/** A sample in the map of samples of its template's item. */
export function sampleValue(sample: StoredFile & { added: string }): AttributeValue {
  const fields: z.input<typeof sampleItem> = { ...toFileItem(sample), added: sample.added };
  return { M: marshall(fields, { removeUndefinedValues: true }) };
}

/** @throws CorruptRecordError; PlatenError `storage_unavailable` for an item of a later release */
export function readHead(item: Item): TemplateHead {
  const data = parsed(headItem, item);
  const { version = 1 } = data;
  const latest = data.latest ?? version;
  const versions = new Map(
    Object.entries(data.versions ?? { [version]: FIRST_MARK }).map(([number, mark]) => [
      Number(number),
      mark,
    ]),
  );
  const template: TemplateRecord = {
    ...readContent(data),
    id: data.sk.slice('TEMPLATE#'.length),
    version,
    note: data.note ?? null,
    changes: data.changes ?? [],
    written: data.written ?? data.created,
    by: data.by ?? null,
    isDraft: false,
    published: version,
    latest,
    samples: Object.fromEntries(
      Object.entries(data.samples ?? {}).map(([name, sample]) => [
        name,
        { ...fromFileItem(sample), added: sample.added },
      ]),
    ),
    created: data.created,
  };
  const { revision = null, history = null, next_position: nextPosition } = data;
  return { template, versions, revision, history, nextPosition };
}

/** @throws as `readHead` */
export function readVersion(item: Item): StoredVersion {
  const data = parsed(versionItem, item);
  const { version, note = null, changes, written, by = null, draft: isDraft = false, mark } = data;
  return { content: readContent(data), facts: { version, note, changes, written, by, isDraft }, mark };
}

function parsed<S extends z.ZodObject>(schema: S, item: Item): z.output<S> {
  const written = Number(item['schema']?.N ?? 0);
  if (written > ITEM_SCHEMA) {
    // Another function of the deployment has been updated already, and this one will be in a moment.
    throw new PlatenError(
      'storage_unavailable',
      `The template was written by a newer release, in form ${written}; this one reads up to ${ITEM_SCHEMA}. Please try again.`,
    );
  }
  const result = schema.safeParse(unmarshall(item));
  if (result.success) return result.data;
  const faults = z.prettifyError(result.error);
  throw new CorruptRecordError(`The stored template ${item['sk']?.S ?? '(no key)'} is damaged: ${faults}`);
}

function readContent(data: ContentItem): TemplateContent {
  return {
    name: data.name,
    format: data.format,
    description: data.description ?? null,
    tags: data.tags ?? [],
    templatingEngine: data.templating_engine,
    // Absent options are left out and never undefined: DynamoDB has no such value.
    options: data.options as PageOptions,
    dataSchema: data.data_schema ?? null,
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
    partials: Object.fromEntries(
      Object.entries(data.partials ?? {}).map(([name, file]) => [
        name,
        { ...fromFileItem(file), hash: file.hash },
      ]),
    ),
    fonts: Object.fromEntries(
      Object.entries(data.fonts ?? {}).map(([name, file]) => {
        const { hash, format, faces } = file;
        return [name, { ...fromFileItem(file), hash, format, faces }];
      }),
    ),
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
