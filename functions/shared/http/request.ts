import type * as z from 'zod';
import type { Route } from '../contract/route.ts';
import { renderOptionsSchema } from '../contract/options.ts';
import { isPlatenError, PlatenError } from '../errors.ts';
import { bodyBytes, type Caller, type GatewayEvent, header } from './event.ts';
import {
  referredFile,
  type Scratch,
  sentFile,
  type UploadedFile,
  uploadReference,
  type UploadSource,
} from './files.ts';
import { bodyParts, type Part } from './parts.ts';
import { readFields } from './wire.ts';

type FieldsOf<S> = S extends z.ZodObject ? z.output<S> : Record<string, never>;

/** A request, read and validated against its route: what a function group's operations are given. */
export interface PlatenRequest<R extends Route = Route> {
  route: R;
  params: Record<string, string>;
  query: FieldsOf<R['query']>;
  form: FieldsOf<R['form']>;
  /** The files in the order sent. */
  files: readonly UploadedFile[];
  /** The file sent under that name; throws `missing_field` when there is none or it is empty. */
  file: (name: string) => UploadedFile;
  /** The file sent under that name, or null when there is none or it is empty. */
  optionalFile: (name: string) => UploadedFile | null;
  /** A request header's value, or null. */
  header: (name: string) => string | null;
  caller: Caller;
  tenant: string;
  requestId: string;
  /** Milliseconds since the epoch at which an answer must have begun. */
  deadline: number;
  /** Aborted at the deadline, or when the function is about to be stopped. */
  signal: AbortSignal;
  /** Sentences for the `Warning` header. */
  warnings: string[];
  /** A directory for this request alone; it is removed after the answer has been sent. */
  scratch: () => Promise<string>;
}

/** What the body and the query of an event hold, by the route that takes it. */
export interface RequestContent {
  query: Record<string, unknown>;
  form: Record<string, unknown>;
  files: UploadedFile[];
  warnings: string[];
}

/** Where the files of a request come from and go to. */
export interface FilePlaces {
  tenant: string;
  /** Null where the function has no right to uploads. */
  uploads: UploadSource | null;
  scratch: Scratch;
}

/**
 * Reads an event's query and body as its route describes them (decision 6). What `upload:<id>` refers to is found
 * here, and loaded by who wants its content (decision 35).
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
  const takesForm = route.form !== undefined || route.files !== undefined;
  const parts =
    route.method === 'POST' || route.query !== undefined
      ? await bodyParts(
          bodyBytes(event),
          header(event, 'content-type'),
          route.method !== 'POST' || !takesForm,
        )
      : [];

  const files = await Promise.all(
    parts.filter((part) => isFile(route, part)).map((part) => uploadedFile(part, places)),
  );
  const textFields = new Map<string, string>();
  for (const part of parts) if (!isFile(route, part)) textFields.set(part.name, part.bytes.toString('utf8'));

  // A GET may carry its options as a form body or as query parameters (decision 6).
  const query = route.query
    ? readFields(route.query, withFlatOptions(route, new Map([...textFields, ...queryFields])), warnings)
    : {};
  const form = route.form ? readFields(route.form, textFields, warnings) : {};
  return { query, form, files, warnings };
}

/**
 * A part is a file where the route wants a file, unless the name is a text field's as well and it came as text other
 * than the reference of an upload.
 */
function isFile(route: Route, part: Part): boolean {
  const files = route.files ?? {};
  const isTextField = route.form !== undefined && Object.hasOwn(route.form.shape, part.name);
  if (Object.hasOwn(files, part.name)) {
    return part.filename !== null || !isTextField || uploadReference(part) !== null;
  }
  return !isTextField && Object.values(files).some((field) => field.many === true);
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

/** Options given one by one (`?paper_format=A5`) instead of as `render_options`. */
function withFlatOptions(route: Route, fields: Map<string, string>): Map<string, string> {
  const takesOptions = route.query !== undefined && Object.hasOwn(route.query.shape, 'render_options');
  if (!takesOptions || fields.has('render_options')) return fields;
  const known = new Set([...Object.keys(renderOptionsSchema.shape), 'background', 'width', 'height']);
  const options = [...fields]
    .filter(([name]) => known.has(name))
    .map(([name, value]) => [name, flatValue(value)]);
  if (options.length > 0) fields.set('render_options', JSON.stringify(Object.fromEntries(options)));
  return fields;
}

function flatValue(value: string): unknown {
  if (!value.startsWith('[')) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

function singleValues(multi: Record<string, string[] | undefined>): Map<string, string> {
  const single = new Map<string, string>();
  for (const [name, values] of Object.entries(multi)) {
    const last = values?.at(-1);
    if (last !== undefined) single.set(name, last);
  }
  return single;
}

/** The accessors of `PlatenRequest` for files. */
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
