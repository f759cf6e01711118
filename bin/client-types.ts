import { readFileSync } from 'node:fs';
import path from 'node:path';
import { compile, type JSONSchema } from 'json-schema-to-typescript';
import { openApiDocument } from '../functions/service/openapi.ts';
import { ERRORS } from '@platen/contract/errors';
import { ROOT } from './service.ts';

/** Generates the types of `@platen/client` from the OpenAPI document, so that they agree with the service. */

type Json = Readonly<Record<string, unknown>>;

const BANNER = `/**
 * The types of the wire, made from the OpenAPI document by \`npm run docs\`: not to be changed by hand.
 */
`;

/** Stands for the type of any document in a response. */
const DOCUMENT = "'document'";

interface Operation {
  name: string;
  method: string;
  path: string;
  fields: string | null;
  answer: string;
}

/** @returns the text of packages/client/src/name-fault.ts: the rule of `core`, since the client depends on no package */
export function clientNameFault(): string {
  const rule = readFileSync(path.join(ROOT, 'packages/core/src/name-fault.ts'), 'utf8');
  return `// Copied from packages/core/src/name-fault.ts by \`npm run docs\`: not to be changed by hand.\n\n${rule}`;
}

/** @returns the text of packages/client/src/wire.ts; formatted by Prettier when it is written */
export async function clientTypes(): Promise<string> {
  const document = openApiDocument() as { paths: Json; components: { schemas: Json } };
  const definitions: Record<string, unknown> = { ...document.components.schemas };
  const operations: Operation[] = [];
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, described] of Object.entries(item as Json)) {
      if (method === 'parameters') continue;
      const { operationId, ...rest } = described as { operationId: string };
      operations.push({
        name: operationId,
        method: method.toUpperCase(),
        path: path.replace(/^\/v1/, ''),
        fields: fieldsOf(operationId, rest, definitions),
        answer: answerOf(operationId, rest, definitions),
      });
    }
  }
  const types = await compile({ title: 'Wire', definitions: draft7(definitions) } as JSONSchema, 'Wire', {
    additionalProperties: false,
    bannerComment: '',
    format: false,
    ignoreMinAndMaxItems: true,
    unreachableDefinitions: true,
  });
  return [BANNER, withoutNotes(types), errorCodes(), ...operationTypes(operations)].join('\n');
}

/** Names the schema of the text fields of a body. Files have their own type in the client. */
function fieldsOf(name: string, operation: Json, definitions: Record<string, unknown>): string | null {
  const body = operation['requestBody'] as { content: Record<string, { schema: Json }> } | undefined;
  const schema = body?.content['multipart/form-data']?.schema;
  if (schema === undefined) return null;
  const isText = ([, member]: [string, unknown]): boolean => (member as Json)['format'] !== 'binary';
  const members = Object.entries(schema['properties'] as Json).filter(isText);
  const names = new Set(members.map(([member]) => member));
  const required = (schema['required'] as string[] | undefined)?.filter((member) => names.has(member));
  const type = `${capitalised(name)}Fields`;
  definitions[type] = { type: 'object', properties: Object.fromEntries(members), required: required ?? [] };
  return type;
}

/** Returns the type of an operation's response. */
function answerOf(name: string, operation: Json, definitions: Record<string, unknown>): string {
  const responses = operation['responses'] as Record<string, { content?: Record<string, { schema: Json }> }>;
  const content = responses['200']?.content;
  if (content === undefined) return 'null';
  const schema = content['application/json']?.schema;
  if (schema === undefined || schema['format'] === 'binary') return DOCUMENT;
  const reference = (schema['$ref'] as string | undefined)?.split('/').at(-1);
  if (reference !== undefined) return reference;
  const type = `${capitalised(name)}Answer`;
  definitions[type] = schema;
  return type;
}

/** Replaces the keywords of JSON Schema 2020-12 that the tool does not support with those of draft 7. */
function draft7(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(draft7);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, member]): [string, unknown] => {
    if (key === '$ref') return [key, String(member).replace('#/components/schemas/', '#/definitions/')];
    if (key === 'prefixItems') return ['items', draft7(member)];
    return [key, draft7(member)];
  });
  return Object.fromEntries(entries.filter(([key]) => key !== 'propertyNames'));
}

/** Removes the tool's comments about the origin of each definition. */
function withoutNotes(types: string): string {
  const isNote = (line: string): boolean =>
    line.includes("This interface was referenced by `Wire`'s JSON-Schema") ||
    line.includes('via the `definition` "');
  return types
    .split('\n')
    .filter((line) => !isNote(line))
    .join('\n')
    .replace(/^\/\*\*\n \*\/\n/gm, '')
    .replace(/^ \*\n \*\/$/gm, ' */')
    .replace('export interface Wire {\n[k: string]: unknown\n}\n', '');
}

function errorCodes(): string {
  const codes = Object.keys(ERRORS).toSorted();
  return `/** Every code of a problem document. */\nexport type ErrorCode = ${codes.map((code) => `'${code}'`).join(' | ')};\n`;
}

function operationTypes(operations: readonly Operation[]): string[] {
  const types = operations.map(
    ({ name, fields, answer }) => `${name}: { fields: ${fields ?? 'null'}; answer: ${answer} };`,
  );
  const routes = operations.map(({ name, method, path }) => `${name}: '${method} ${path}',`);
  const documents = operations.filter(({ answer }) => answer === DOCUMENT).map(({ name }) => `'${name}'`);
  return [
    `/** What each operation takes and answers with. */\nexport interface Operations { ${types.join('\n')} }\n`,
    `/** Method and address of each operation, below \`/v1\`. */\nexport const ROUTES = { ${routes.join('\n')} } as const satisfies Record<keyof Operations, string>;\n`,
    `/** The operations that answer with a document. */\nexport const DOCUMENTS: ReadonlySet<keyof Operations> = new Set([${documents.join(', ')}]);\n`,
  ];
}

function capitalised(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
