import type * as z from 'zod';
import type { Route } from '@platen/contract/route';
import { OPTION_ALIASES, renderOptionsSchema } from '@platen/contract/options';
import { isPlatenError, PlatenError } from '@platen/core/errors';
import { parseJsonShape } from '@platen/core/json-text';
import { decodePlain } from '@platen/core/text';
import { bodyBytes, type Caller, type GatewayEvent, header } from './event.ts';
import {
  referredFile,
  type Scratch,
  sentFile,
  type UploadedFile,
  uploadReference,
  type UploadSource,
} from './files.ts';
import type { Part } from './part.ts';
import { bodyParts, partText } from './parts.ts';
import { warnOfUnknown, readFields } from '@platen/contract/reading';

type FieldsOf<S> = S extends z.ZodObject ? z.output<S> : Record<string, never>;

/** A request, read and validated against its route: the input of a function group's operations. */
export interface PlatenRequest<R extends Route = Route> {
  route: R;
  params: Record<string, string>;
  query: FieldsOf<R['query']>;
  form: FieldsOf<R['form']>;
  /** The JSON text of a route that takes the body as a whole; else empty. */
  json: string;
  /** The files in the order sent. */
  files: readonly UploadedFile[];
  /** Returns the file of that name; throws `missing_field` when there is none or it is empty. */
  file: (name: string) => UploadedFile;
  /** Returns the file of that name, or null when there is none or it is empty. */
  optionalFile: (name: string) => UploadedFile | null;
  /** Returns a request header's value, or null. */
  header: (name: string) => string | null;
  /** The prefix before `/v1` in the addresses of this caller. */
  basePath: string;
  caller: Caller;
  tenant: string;
  requestId: string;
  /** Milliseconds since the epoch at which an answer must have begun. */
  deadline: number;
  /** Aborted at the deadline, or when the function is about to be stopped. */
  signal: AbortSignal;
  /** Sentences for the `Warning` header. */
  warnings: string[];
  /** Whether it becomes a job, or is the work of one, and so has a job's limits. */
  isJob: boolean;
  /**
   * The values that a job pins: its operation sets them when the request is accepted, and they are restored
   * for its work.
   */
  pins: Record<string, string>;
  /** Returns a directory for this request alone; it is removed after the answer has been sent. */
  scratch: () => Promise<string>;
}

/** The content of the body and the query of an event, by the route that takes it. */
export interface RequestContent {
  query: Record<string, unknown>;
  form: Record<string, unknown>;
  json: string;
  files: UploadedFile[];
  warnings: string[];
}

/** The source of a request's files, and their destination. */
export interface FilePlaces {
  tenant: string;
  /** null if the function has no right to uploads. */
  uploads: UploadSource | null;
  scratch: Scratch;
}

/**
 * Reads an event's query and body as its route describes them (I-6). It finds the uploads of `upload:<id>`
 * references; their content is loaded only when needed (I-35).
 *
 * @throws PlatenError 400, 415 and 422 kinds; `upload_not_found`, `storage_unavailable`
 */
export async function readContent(
  route: Route,
  event: GatewayEvent,
  places: FilePlaces,
): Promise<RequestContent> {
  const warnings: string[] = [];
  const queryFields = singleValues(event.multiValueQueryStringParameters ?? {});
  const parts = await readParts(route, event, warnings);
  const files = await Promise.all(
    parts.filter((part) => isFile(route, part)).map((part) => uploadedFile(part, places)),
  );
  const textFields = new Map<string, string>();
  const read = new Set([...namesOf(route.form?.shape), ...namesOf(route.query?.shape), ...FLAT_OPTIONS]);
  for (const part of parts) {
    if (isFile(route, part)) continue;
    // A field that nothing reads may be anything: it is named in a warning and not validated.
    textFields.set(part.name, read.has(part.name) ? partText(part) : '');
  }
  warnOfUnread(route, textFields, queryFields, warnings);

  // A GET may carry its options as a form body or as query parameters (I-6).
  const query = route.query
    ? readFields(route.query, withFlatOptions(route, new Map([...textFields, ...queryFields])), warnings)
    : {};
  const form = route.form ? readFields(route.form, textFields, warnings) : {};
  return { query, form, json: route.body === 'json' ? wholeBody(event) : '', files, warnings };
}

/** Returns the text of a body that is JSON as a whole. @throws PlatenError `malformed_json`, `missing_field` */
function wholeBody(event: GatewayEvent): string {
  const decoded = decodePlain(bodyBytes(event));
  const refuse = (why: string): never => {
    throw new PlatenError('malformed_json', `The body is not valid JSON: ${why}.`);
  };
  if (!('text' in decoded)) return refuse(decoded.fault);
  try {
    parseJsonShape(decoded.text);
    return decoded.text;
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
}

/** Returns the parts of the body, if the route uses one; of several with one name, the last. */
async function readParts(route: Route, event: GatewayEvent, warnings: string[]): Promise<Part[]> {
  const takesForm = route.form !== undefined || route.files !== undefined;
  const isForm = (route.method === 'POST' || route.method === 'PUT') && takesForm;
  const body = bodyBytes(event);
  const parts =
    isForm || route.query !== undefined ? await bodyParts(body, header(event, 'content-type'), !isForm) : [];
  if (!isForm && route.body === undefined && parts.length === 0 && body.length > 0)
    warnings.push('the body was ignored');

  const last = new Map<string, Part>();
  for (const part of parts) {
    if (isOneOfMany(route, part)) continue;
    if (last.has(part.name)) warnings.push(`${part.name} was sent more than once; the last one counts`);
    last.set(part.name, part);
  }
  return parts.filter((part) => isOneOfMany(route, part) || last.get(part.name) === part);
}

/** Warns of every field of the body and of the query that nothing reads. */
function warnOfUnread(
  route: Route,
  textFields: ReadonlyMap<string, string>,
  queryFields: ReadonlyMap<string, string>,
  warnings: string[],
): void {
  const areFlat =
    takesFlatOptions(route) && ![textFields, queryFields].some((fields) => fields.has('render_options'));
  const inQuery = [...namesOf(route.query?.shape), ...(areFlat ? FLAT_OPTIONS : [])];
  const inBody = [...namesOf(route.form?.shape), ...namesOf(route.files), ...inQuery];
  for (const name of textFields.keys()) {
    if (!inBody.includes(name)) warnOfUnknown(warnings, { kind: 'field', path: name, name }, inBody);
  }
  for (const name of queryFields.keys()) {
    if (inQuery.includes(name)) continue;
    warnOfUnknown(warnings, { kind: 'query parameter', path: name, name }, inQuery);
  }
}

function namesOf(fields: object | undefined): string[] {
  return Object.keys(fields ?? {});
}

/**
 * Returns whether a part is a file: the route wants a file, unless the name is a text field's as well and the
 * part is text other than the reference of an upload.
 */
function isFile(route: Route, part: Part): boolean {
  if (Object.hasOwn(route.files ?? {}, part.name)) {
    return part.filename !== null || !isTextField(route, part.name) || uploadReference(part) !== null;
  }
  return isOneOfMany(route, part) || isPrefixed(route, part);
}

/** Returns whether the route takes any number of files with this name's prefix. */
function isPrefixed(route: Route, { name }: Part): boolean {
  const fields = Object.entries(route.files ?? {});
  return (
    !isTextField(route, name) &&
    fields.some(([prefix, field]) => field.prefix === true && name.startsWith(prefix))
  );
}

/** Returns whether the route takes any number of files, under any names. */
function isOneOfMany(route: Route, { name }: Part): boolean {
  return !isTextField(route, name) && Object.values(route.files ?? {}).some((field) => field.many === true);
}

function isTextField({ form }: Route, name: string): boolean {
  return form !== undefined && Object.hasOwn(form.shape, name);
}

async function uploadedFile(part: Part, { tenant, uploads, scratch }: FilePlaces): Promise<UploadedFile> {
  const id = uploadReference(part);
  if (id === null || uploads === null) return sentFile(part, scratch);
  try {
    return referredFile(part.name, await uploads.find(tenant, id), scratch);
  } catch (error) {
    if (!isPlatenError(error) || error.code !== 'upload_not_found') throw error;
    const faults = [{ field: part.name, message: error.message, value: `upload:${id}` }];
    throw new PlatenError(error.code, `${part.name}: ${error.message}`, { faults, cause: error });
  }
}

const FLAT_OPTIONS: readonly string[] = [
  ...Object.keys(renderOptionsSchema.shape),
  ...Object.keys(OPTION_ALIASES),
];

function takesFlatOptions({ query }: Route): boolean {
  return query !== undefined && Object.hasOwn(query.shape, 'render_options');
}

/** Reads options that are given one by one (`?paper_format=A5`) instead of as `render_options`. */
function withFlatOptions(route: Route, fields: Map<string, string>): Map<string, string> {
  if (!takesFlatOptions(route) || fields.has('render_options')) return fields;
  const options = [...fields].filter(([name]) => FLAT_OPTIONS.includes(name));
  if (options.length > 0) fields.set('render_options', JSON.stringify(Object.fromEntries(options)));
  return fields;
}

function singleValues(multi: Record<string, string[] | undefined>): Map<string, string> {
  const single = new Map<string, string>();
  for (const [name, values] of Object.entries(multi)) {
    const last = values?.at(-1);
    if (last !== undefined) single.set(name, last);
  }
  return single;
}

/** Returns the accessors of `PlatenRequest` for files. */
export function fileAccess(files: readonly UploadedFile[]): Pick<PlatenRequest, 'file' | 'optionalFile'> {
  const optionalFile = (name: string): UploadedFile | null =>
    files.find((file) => file.field === name && file.size > 0) ?? null;
  return {
    optionalFile,
    file(name) {
      const found = optionalFile(name);
      if (found) return found;
      const message = `${name} is missing or empty: send it as a file part of a multipart/form-data body`;
      throw new PlatenError('missing_field', `${message}.`, { faults: [{ field: name, message }] });
    },
  };
}
