import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { compile, type JSONSchema } from 'json-schema-to-typescript';
import { openApiDocument } from '../functions/service/openapi.ts';
import { Schemas } from '../functions/service/schemas.ts';
import { ERRORS } from '@platen/contract/errors';
import { pageOptionsSchema } from '@platen/contract/options';
import { ROOT } from './service.ts';

/** Generates the types of `@platen/client` from the OpenAPI document, so that they agree with the service. */

type Json = Readonly<Record<string, unknown>>;

const BANNER = `/**
 * The types of the wire, made from the OpenAPI document by \`npm run docs\`: not to be changed by hand.
 */
`;

/** Stands for the type of any document in a response. */
const DOCUMENT = "'document'";

/** What programs know the answers of some operations by, which have names in the OpenAPI document now. */
const FORMER_NAMES: Readonly<Record<string, string>> = {
  GetFieldsAnswer: 'DataSchema',
  PdfFormAnswer: 'PdfForm',
  PdfInfoAnswer: 'PdfInfo',
  VerifyPdfAnswer: 'Verification',
};

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
  const definitions: Record<string, unknown> = {
    ...document.components.schemas,
    PageOptions: new Schemas().describe(pageOptionsSchema),
  };
  const bases = Object.keys(definitions);
  const operations: Operation[] = [];
  const otherNames: Record<string, string> = { ...FORMER_NAMES };
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, described] of Object.entries(item as Json)) {
      if (method === 'parameters') continue;
      const { operationId, ...rest } = described as { operationId: string };
      operations.push({
        name: operationId,
        method: method.toUpperCase(),
        path: path.replace(/^\/v1/, ''),
        fields: fieldsOf(operationId, rest, definitions, otherNames),
        answer: answerOf(operationId, rest, definitions),
      });
    }
  }
  const types = await compile(
    { title: 'Wire', definitions: draft7(withBases(definitions, bases)) } as JSONSchema,
    'Wire',
    {
      additionalProperties: false,
      bannerComment: '',
      format: false,
      ignoreMinAndMaxItems: true,
      unreachableDefinitions: true,
    },
  );
  return [BANNER, withoutNotes(types), aliases(otherNames), errorCodes(), ...operationTypes(operations)].join(
    '\n',
  );
}

/** Most fields that are written out although another operation takes the same. */
const FEW_FIELDS = 5;

/**
 * Names the schema of the text fields of a body. Files have their own type in the client.
 *
 * @param otherNames receives another name of the type, if an operation before takes the same fields
 */
function fieldsOf(
  name: string,
  operation: Json,
  definitions: Record<string, unknown>,
  otherNames: Record<string, string>,
): string | null {
  const body = operation['requestBody'] as { content: Record<string, { schema: Json }> } | undefined;
  const schema = body?.content['multipart/form-data']?.schema;
  if (schema === undefined) return null;
  const isText = ([, member]: [string, unknown]): boolean => (member as Json)['format'] !== 'binary';
  const members = Object.entries(schema['properties'] as Json).filter(isText);
  const names = new Set(members.map(([member]) => member));
  const required = (schema['required'] as string[] | undefined)?.filter((member) => names.has(member));
  const type = `${capitalised(name)}Fields`;
  const definition = { type: 'object', properties: Object.fromEntries(members), required: required ?? [] };
  const same =
    members.length > FEW_FIELDS
      ? Object.keys(definitions).find((other) => isDeepStrictEqual(definitions[other], definition))
      : undefined;
  if (same === undefined) definitions[type] = definition;
  else otherNames[type] = same;
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

/** Most members that are written out although another type has them. */
const FEW_MEMBERS = 1;

/** Lets a type extend the largest other one whose members it has, all of them alike. */
function withBases(definitions: Json, bases: readonly string[]): Json {
  const propertiesOf = (type: string): Json => ((definitions[type] as Json)['properties'] ?? {}) as Json;
  const requiredIn = (type: string, names: Json): string[] =>
    ((definitions[type] as { required?: string[] }).required ?? [])
      .filter((name) => name in names)
      .toSorted();
  const isBase = (base: string, type: string): boolean => {
    const [members, all] = [propertiesOf(base), propertiesOf(type)];
    const names = Object.keys(members);
    return (
      names.length > FEW_MEMBERS &&
      names.length < Object.keys(all).length &&
      names.every((name) => isDeepStrictEqual(members[name], all[name])) &&
      isDeepStrictEqual(requiredIn(base, members), requiredIn(type, members))
    );
  };
  const extended = Object.entries(definitions).map(([type, definition]): [string, unknown] => {
    const [base] = bases
      .filter((name) => isBase(name, type))
      .toSorted((a, b) => Object.keys(propertiesOf(b)).length - Object.keys(propertiesOf(a)).length);
    if (base === undefined) return [type, definition];
    const inherited = propertiesOf(base);
    const own = Object.entries(propertiesOf(type)).filter(([name]) => !(name in inherited));
    const required = ((definition as { required?: string[] }).required ?? []).filter(
      (name) => !(name in inherited),
    );
    const reference = { $ref: `#/components/schemas/${base}` };
    return [
      type,
      { ...(definition as Json), extends: reference, properties: Object.fromEntries(own), required },
    ];
  });
  return Object.fromEntries(extended);
}

/** Replaces the keywords of JSON Schema 2020-12 that the tool does not support with those of draft 7. */
function draft7(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(draft7);
  if (typeof value !== 'object' || value === null) return value;
  const { $ref, propertyNames: _, prefixItems, ...others } = value as Json;
  if (typeof $ref === 'string') {
    const reference = { $ref: $ref.replace('#/components/schemas/', '#/definitions/') };
    // A reference beside a description is a type of its own for the tool.
    return Object.keys(others).length === 0
      ? reference
      : { allOf: [reference], description: others['description'] };
  }
  const made = Object.fromEntries(Object.entries(others).map(([key, member]) => [key, draft7(member)]));
  return Array.isArray(prefixItems)
    ? { ...made, items: prefixItems.map(draft7), additionalItems: false }
    : made;
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

function aliases(otherNames: Readonly<Record<string, string>>): string {
  const types = Object.entries(otherNames).map(([other, name]) => `export type ${other} = ${name};`);
  return `${types.join('\n')}\n`;
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
