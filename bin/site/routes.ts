import { existsSync } from 'node:fs';
import { openApiDocument } from '../../functions/service/openapi.ts';
import { addressOf, type Source } from './sources.ts';

/** Generates a page for each route from the OpenAPI document. */

type Json = Readonly<Record<string, unknown>>;

interface Parameter {
  name: string;
  in: string;
  description?: string;
  schema?: Json;
}

interface Answer {
  description: string;
  content?: Record<string, unknown>;
}

interface Reference {
  $ref: string;
}

interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Json }> };
  responses: Record<string, Answer | Reference>;
  'x-codeSamples': { source: string }[];
}

/** The data of a route for its page. */
export interface RoutePage {
  operation: Operation;
  method: string;
  path: string;
  parameters: readonly Parameter[];
}

interface Document {
  paths: Record<string, Record<string, Operation> & { parameters?: Parameter[] }>;
  tags: { name: string; description: string }[];
  components: { schemas: Record<string, Json>; responses: Record<string, Answer> };
}

/** Files that are there on the site only, so that this page is too. */
const FILES: Source = {
  file: 'docs/files.md',
  address: addressOf('docs/files.md'),
  text: `# Files for tools

| file | for |
| --- | --- |
| [openapi.json](/openapi.json) | The interface as OpenAPI 3.1; the service has it at \`GET /v1/openapi.json\` |
| [platen.postman_collection.json](/platen.postman_collection.json) | Every route with its example in Postman: choose **Import** |
| [bruno/bruno.json](/bruno/bruno.json) | The same for Bruno, one file for each route; \`.platen/docs/bruno\` after \`npm run docs:site\` |
| [render-options.schema.json](/schemas/render-options.schema.json) | Options of a rendering, for completion in editors |
| [template-data.schema.json](/schemas/template-data.schema.json) | Settings of a template |
| [steps.schema.json](/schemas/steps.schema.json) | Chains of PDF steps |
| [sign-options.schema.json](/schemas/sign-options.schema.json) | Options of signatures |
| [llms.txt](/llms.txt) | The list of all pages, for language models; each page is there as Markdown too |
| [llms-full.txt](/llms-full.txt) | All guides in one file |
`,
};

const FOLDER = 'docs/routes';
/** `npm run docs:pictures` generates these files; the paths start at the root of the repository. */
const PICTURES = 'docs/pictures/routes';

/** Returns all routes, in the order of the document. */
export function routesOf(document: Document): RoutePage[] {
  return Object.entries(document.paths).flatMap(([path, { parameters = [], ...operations }]) =>
    Object.entries(operations as Record<string, Operation>).map(([method, operation]) => ({
      operation,
      method: method.toUpperCase(),
      path,
      parameters: [...parameters, ...(operation.parameters ?? [])],
    })),
  );
}

/** Returns the pages of all routes, and the page that lists them. */
export function routeSources(): Source[] {
  const document = openApiDocument() as unknown as Document;
  const routes = routesOf(document);
  const pages = routes.map((route): Source => {
    const name = route.operation.operationId;
    return {
      file: `${FOLDER}/${name}.md`,
      address: addressOf(`${FOLDER}/${name}.md`),
      text: pageOf(route, document),
    };
  });
  const lists = document.tags.map(({ name, description }) => {
    const rows = routes
      .filter(({ operation }) => operation.tags.includes(name))
      .map(
        ({ method, path, operation }) =>
          `| [\`${method} ${path}\`](${operation.operationId}.md) | ${operation.summary} |`,
      );
    return [`## ${description}`, '', '| call | what it does |', '| --- | --- |', ...rows, ''].join('\n');
  });
  const text = `# Routes\n\nEvery call with an example. All of them on one page: [endpoints](../endpoints.md). For Postman, Bruno and editors: [files for tools](../files.md).\n\n${lists.join('\n')}`;
  return [{ file: `${FOLDER}/README.md`, address: addressOf(`${FOLDER}/README.md`), text }, FILES, ...pages];
}

function pageOf({ operation, method, path, parameters }: RoutePage, { components }: Document): string {
  const [sample] = operation['x-codeSamples'];
  const fields = operation.requestBody?.content['multipart/form-data']?.schema ?? {};
  return [
    `# ${operation.summary}`,
    '',
    `\`${method} ${path}\``,
    '',
    ...(operation.description === undefined ? [] : [operation.description, '']),
    '## Example',
    '',
    '```sh',
    sample?.source ?? '',
    '```',
    '',
    ...pictureOf(operation.operationId),
    ...table(
      'Parameters',
      parameters.map(({ name, in: place, description = '', schema = {} }) => [
        name,
        `${place}, ${typeOf(schema)}`,
        description,
      ]),
    ),
    ...table('Fields', members(fields)),
    ...namedObjects(fields, components.schemas),
    ...table(
      'Answers',
      Object.entries(operation.responses).map(([status, response]) => {
        const { description, content = {} } = answerOf(response, components.responses);
        return [status, Object.keys(content).join(', '), description];
      }),
      ['status', 'content', 'meaning'],
    ),
  ].join('\n');
}

/** Returns a response itself, also if many routes share it. */
function answerOf(response: Answer | Reference, shared: Readonly<Record<string, Answer>>): Answer {
  if (!('$ref' in response)) return response;
  const name = response.$ref.split('/').at(-1) ?? '';
  const found = shared[name];
  if (found === undefined) throw new Error(`The OpenAPI document has no response ${name}.`);
  return found;
}

/** Returns the picture of the example's result, if the result is visible. */
function pictureOf(name: string): string[] {
  return existsSync(`${PICTURES}/${name}.png`)
    ? [`![What the example makes](../pictures/routes/${name}.png)`, '']
    : [];
}

/** Returns the properties of fields that are objects, such as the options of a rendering. */
function namedObjects(fields: Json, schemas: Readonly<Record<string, Json>>): string[] {
  const properties = Object.entries((fields['properties'] ?? {}) as Record<string, Json>);
  return properties.flatMap(([name, schema]) => {
    const named = /#\/components\/schemas\/(\w+)/.exec(JSON.stringify(schema))?.[1];
    const object = named === undefined ? schema : (schemas[named] ?? {});
    return table(`Members of ${name}`, members(object));
  });
}

function members(schema: Json): string[][] {
  const required = (schema['required'] ?? []) as string[];
  const named = Object.entries((schema['properties'] ?? {}) as Record<string, Json>);
  const patterns = Object.entries((schema['patternProperties'] ?? {}) as Record<string, Json>);
  return [
    ...named.map(([name, member]) => [
      `${name}${required.includes(name) ? ' (required)' : ''}`,
      typeOf(member),
      text(member['description']),
    ]),
    ...patterns.map(([pattern, member]) => [
      `${pattern.replace('^', '')}…`,
      typeOf(member),
      text(member['description']),
    ]),
  ];
}

function typeOf(schema: Json): string {
  if (schema['format'] === 'binary') return 'file';
  if (Array.isArray(schema['enum'])) return schema['enum'].map((value) => JSON.stringify(value)).join(', ');
  const named = typeof schema['$ref'] === 'string' ? schema['$ref'].split('/').at(-1) : undefined;
  if (named !== undefined) return named;
  const any = (schema['anyOf'] ?? schema['oneOf']) as Json[] | undefined;
  if (any !== undefined) return [...new Set(any.map(typeOf))].join(' or ');
  if (schema['type'] === 'array') return `list of ${typeOf((schema['items'] ?? {}) as Json)}`;
  return typeof schema['type'] === 'string' ? schema['type'] : 'JSON';
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function table(
  title: string,
  rows: readonly (readonly string[])[],
  heads = ['name', 'type', 'meaning'],
): string[] {
  if (rows.length === 0) return [];
  const cell = (value: string): string => value.replaceAll('|', '\\|').replaceAll('\n', ' ');
  const lines = rows.map(
    ([name = '', kind = '', description = '']) => `| \`${name}\` | ${cell(kind)} | ${cell(description)} |`,
  );
  return [`## ${title}`, '', `| ${heads.join(' | ')} |`, '| --- | --- | --- |', ...lines, ''];
}
