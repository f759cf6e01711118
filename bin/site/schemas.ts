import { openApiDocument } from '../../functions/service/openapi.ts';

/** JSON Schemas of hand-written files for editors: options, settings of templates, chains of steps. */

type Json = Readonly<Record<string, unknown>>;

/** By file name: a schema of the OpenAPI document, or the field of an operation. */
const NAMED: Readonly<Record<string, string>> = {
  'render-options': 'RenderOptions',
  'template-data': 'TemplateData',
  'sign-options': 'SignOptions',
};

/** @returns the schemas by file name, each without external references */
export function editorSchemas(): ReadonlyMap<string, Json> {
  const document = openApiDocument() as {
    components: { schemas: Record<string, Json> };
    paths: Record<string, { post: { requestBody: { content: Record<string, { schema: Json }> } } }>;
  };
  const { schemas } = document.components;
  const process = document.paths['/v1/pdf/process']?.post.requestBody.content['multipart/form-data']?.schema;
  const steps = ((process?.['properties'] ?? {}) as Record<string, Json>)['steps'];
  if (steps === undefined) throw new Error('The OpenAPI document has no steps.');
  const found = Object.entries(NAMED).map(([file, name]): [string, Json] => {
    const schema = schemas[name];
    if (schema === undefined) throw new Error(`The OpenAPI document has no ${name}.`);
    return [file, schema];
  });
  return new Map(
    [...found, ['steps', steps] as [string, Json]].map(([file, schema]) => [
      `${file}.schema.json`,
      complete(file, schema, schemas),
    ]),
  );
}

/** Includes the schemas that it refers to. */
function complete(file: string, schema: Json, schemas: Readonly<Record<string, Json>>): Json {
  const needed = new Map<string, Json>();
  const collect = (value: unknown): void => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      const found = schemas[name];
      if (found === undefined || needed.has(name)) continue;
      needed.set(name, found);
      collect(found);
    }
  };
  collect(schema);
  const whole = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: `Platen: ${file.replaceAll('-', ' ')}`,
    ...schema,
    ...(needed.size === 0 ? {} : { $defs: Object.fromEntries(needed) }),
  };
  return JSON.parse(JSON.stringify(whole).replaceAll('#/components/schemas/', '#/$defs/')) as Json;
}
