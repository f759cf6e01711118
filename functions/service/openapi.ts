import type * as z from 'zod';
import { ERRORS, type ErrorCode } from '@platen/contract/errors';
import { jobSchema, problemSchema, RESPONSES } from '@platen/contract/resources';
import { canBeJob, type FileField, type Route, scopesOf } from '@platen/contract/route';
import { ROUTES } from '@platen/contract/routes';
import { VERSION } from '../shared/version.ts';
import { bodyOf, commandOf, fieldsOf, parameterOf } from './examples.ts';
import { JOB_PARAMETERS, type Json, RATE_HEADERS } from './headers.ts';
import { Schemas } from './schemas.ts';

/** The OpenAPI 3.1 description of the service, generated from the route table. */

/** Errors that any route may answer with, besides its own. */
const COMMON_ERRORS: readonly ErrorCode[] = [
  'malformed_request',
  'invalid_field',
  'too_many_requests',
  'internal_error',
  'bad_gateway',
  'service_busy',
  'storage_unavailable',
  'deadline_exceeded',
];
const TOKEN_ERRORS: readonly ErrorCode[] = ['unauthorized', 'token_expired'];
const BODY_ERRORS: readonly ErrorCode[] = [
  'malformed_json',
  'malformed_multipart',
  'missing_field',
  'request_too_large',
  'unsupported_media_type',
];
/** Errors of a file, which may have been uploaded before. */
const FILE_ERRORS: readonly ErrorCode[] = ['file_too_large', 'upload_not_found'];

const JOB_ERRORS: readonly ErrorCode[] = [
  'answer_too_large',
  'idempotency_key_reused',
  'request_in_progress',
];

const TAGS: Readonly<Record<Route['group'], string>> = {
  service: 'Token and OpenAPI document',
  templates: 'Templates with their style and image files',
  render: 'Rendering templates',
  images: 'Images and barcodes to PDF',
  pdf: 'PDF transformation',
  jobs: 'Uploads and asynchronous work',
  tokens: 'Tokens of the tenant',
};

let made: Json | undefined;

/**
 * @param base the prefix before `/v1` in the caller's address
 * @returns the document; all but its server is generated once and cached
 */
export function openApiDocument(base = ''): Json {
  const { openapi, info, ...rest } = (made ??= makeDocument());
  return { openapi, info, servers: [{ url: base === '' ? '/' : base }], ...rest };
}

function makeDocument(): Json {
  const schemas = new Schemas();
  const paths: Record<string, Json> = {};
  for (const route of ROUTES) {
    const path = (paths[route.path.replace('+}', '}')] ??= pathItem(route));
    path[route.method.toLowerCase()] = operation(route, schemas);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Platen',
      version: VERSION,
      summary: 'A service that renders templates to documents.',
      description:
        'Stores templates and renders them with data to PDF and office formats, converts images ' +
        'to PDF, and transforms PDFs. Lengths are centimetres. Errors are problem documents (RFC 9457).',
      license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
    },
    security: [{ token: [] }, { bearer: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        token: { type: 'apiKey', in: 'header', name: 'Authorization', description: 'The token.' },
        bearer: { type: 'http', scheme: 'bearer', description: 'The token after `Bearer `.' },
      },
      responses: sharedResponses(schemas),
      headers: RATE_HEADERS,
      schemas: schemas.named(),
    },
  };
}

function pathItem(route: Route): Json {
  const names = Array.from(route.path.matchAll(/\{(\w+)\+?\}/g), (match) => match[1] ?? '');
  if (names.length === 0) return {};
  return {
    parameters: names.map((name) => ({
      name,
      in: 'path',
      required: true,
      description: route.params?.[name] ?? (name === 'id' ? 'Id.' : `The ${name}.`),
      schema: { type: 'string' },
      ...withExample(parameterOf(route, name)),
    })),
  };
}

function operation(route: Route, schemas: Schemas): Json {
  return {
    operationId: route.operation,
    summary: route.summary,
    tags: [route.group],
    ...(route.access === 'open' ? { security: [] } : {}),
    ...scopeDescription(route),
    ...parameters(route, schemas),
    ...(route.form || route.files ? { requestBody: requestBody(route, schemas) } : {}),
    ...(route.body === 'json' ? { requestBody: jsonBody(route) } : {}),
    'x-codeSamples': [{ lang: 'Shell', label: 'curl', source: commandOf(route) }],
    responses: {
      [route.success.status]: success(route, schemas),
      ...(canBeJob(route) ? { 202: { $ref: '#/components/responses/Accepted' } } : {}),
      ...(route.operation === 'getJobResult' ? { 303: REDIRECT } : {}),
      ...errorResponses(route, schemas),
    },
  };
}

function scopeDescription(route: Route): { description?: string } {
  const scopes = scopesOf(route).map((scope) => `\`${scope}\``);
  return scopes.length === 0 ? {} : { description: `Requires the scope ${scopes.join(' or ')}.` };
}

function parameters(route: Route, schemas: Schemas): { parameters?: Json[] } {
  const all = [
    ...(route.query ? queryParameters(route.query, schemas) : []),
    ...(canBeJob(route) ? JOB_PARAMETERS : []),
  ];
  return all.length > 0 ? { parameters: all } : {};
}

function jsonBody(route: Route): Json {
  return {
    required: true,
    content: { 'application/json': { schema: {}, ...withExample(bodyOf(route)) } },
  };
}

function withExample(example: unknown): Json {
  return example === undefined ? {} : { example };
}

const REDIRECT: Json = {
  description: 'The result is available at another address for some minutes.',
  headers: {
    Location: {
      description: 'Address to download the result from, without a token.',
      schema: { type: 'string' },
    },
  },
};

function queryParameters(query: z.ZodObject, schemas: Schemas): Json[] {
  return Object.entries(query.shape).map(([name, member]) => {
    const { description, ...schema } = schemas.describe(member as z.ZodType);
    const parameter = { name, in: 'query', required: false, ...(description ? { description } : {}) };
    // An object in a query string is JSON text (I-6).
    return '$ref' in schema || schema['type'] === 'object'
      ? { ...parameter, content: { 'application/json': { schema } } }
      : { ...parameter, schema };
  });
}

function requestBody(route: Route, schemas: Schemas): Json {
  const form = route.form ? schemas.describe(route.form) : { type: 'object', properties: {} };
  const files = route.files ?? {};
  const needsFile = Object.values(files).some((file) => file.required);
  const multipart = withFiles(form, files);
  const example = fieldsOf(route);
  const withoutFiles = Object.keys(example).some((name) => name in files) ? {} : { example };
  return {
    required: needsFile || (Array.isArray(form['required']) && form['required'].length > 0),
    content: {
      'multipart/form-data': { schema: multipart, example },
      ...(needsFile
        ? {}
        : {
            'application/x-www-form-urlencoded': { schema: form, ...withoutFiles },
            'application/json': { schema: form, ...withoutFiles },
          }),
    },
  };
}

function withFiles(form: Json, files: Readonly<Record<string, FileField>>): Json {
  const properties = { ...(form['properties'] as Json) };
  const patterns: Json = {};
  const required = [...((form['required'] as string[] | undefined) ?? [])];
  for (const [name, file] of Object.entries(files)) {
    const description = `${file.description} Or the text \`upload:<id>\`; see \`POST /v1/uploads\`.`;
    const binary = { type: 'string', format: 'binary', description };
    if (file.many) {
      for (const n of [1, 2]) properties[`${name}${n}`] = binary;
      if (file.required) required.push(`${name}1`, `${name}2`);
      continue;
    }
    if (file.prefix) {
      patterns[`^${name}`] = binary;
      continue;
    }
    const text = properties[name] as Json | undefined;
    properties[name] = text
      ? { ...text, description: `${String(text['description'])} Or: ${description}` }
      : binary;
    if (file.required) required.push(name);
  }
  const open = Object.values(files).some((file) => file.many);
  return {
    ...form,
    properties,
    ...(Object.keys(patterns).length > 0 ? { patternProperties: patterns } : {}),
    ...(required.length > 0 ? { required } : {}),
    ...(open ? { additionalProperties: { type: 'string', format: 'binary' } } : {}),
  };
}

function success({ operation, success: result }: Route, schemas: Schemas): Json {
  const { description } = result;
  const schema = RESPONSES[operation];
  if (schema !== undefined)
    return { description, content: { 'application/json': { schema: schemas.describe(schema) } } };
  if (!('document' in result)) return { description };
  const binary = { schema: { type: 'string', format: 'binary' } };
  return { description, content: Object.fromEntries(result.document.map((type) => [type, binary])) };
}

/** Errors that have the same codes on almost every route, by status: their responses are described once. */
const SHARED_ERRORS: ReadonlyMap<number, readonly ErrorCode[]> = Map.groupBy(
  [...COMMON_ERRORS, ...TOKEN_ERRORS, 'quota_exceeded', 'insufficient_scope'] as const,
  (code) => ERRORS[code].status,
);

function sharedResponses(schemas: Schemas): Json {
  const errors = Array.from(SHARED_ERRORS, ([status, codes]) => [
    errorName(status),
    errorResponse(status, codes, schemas),
  ]);
  const accepted = {
    description: 'Accepted: the job, which has been started.',
    headers: {
      Location: { description: 'Address of the job.', schema: { type: 'string' } },
      'Preference-Applied': { description: '`respond-async`', schema: { type: 'string' } },
    },
    content: { 'application/json': { schema: schemas.describe(jobSchema) } },
  };
  return { Accepted: accepted, ...Object.fromEntries(errors) };
}

function errorName(status: number): string {
  return `Error${status}`;
}

function errorResponses(route: Route, schemas: Schemas): Json {
  const codes = new Set<ErrorCode>([
    ...route.errors,
    ...COMMON_ERRORS,
    ...(route.access === 'open' ? [] : TOKEN_ERRORS),
    // Requests to the service group are not counted.
    ...(route.group === 'service' ? [] : (['quota_exceeded'] as const)),
    ...(scopesOf(route).length === 0 ? [] : (['insufficient_scope'] as const)),
    ...(route.form || route.files ? BODY_ERRORS : []),
    ...(route.files ? FILE_ERRORS : []),
    ...(canBeJob(route) ? JOB_ERRORS : []),
  ]);
  const byStatus = Map.groupBy(codes, (code) => ERRORS[code].status);
  return Object.fromEntries(
    [...byStatus]
      .toSorted(([a], [b]) => a - b)
      .map(([status, ofStatus]) => [
        status,
        ofStatus.join() === SHARED_ERRORS.get(status)?.join()
          ? { $ref: `#/components/responses/${errorName(status)}` }
          : errorResponse(status, ofStatus, schemas),
      ]),
  );
}

function errorResponse(status: number, codes: readonly ErrorCode[], schemas: Schemas): Json {
  const limits = Object.keys(RATE_HEADERS).map((name) => [name, { $ref: `#/components/headers/${name}` }]);
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].title}.`).join(' '),
    content: { 'application/problem+json': { schema: schemas.describe(problemSchema) } },
    ...(status === 429 ? { headers: Object.fromEntries(limits) } : {}),
  };
}
