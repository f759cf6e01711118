import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { openApiDocument } from '../../functions/service/openapi.ts';
import { ROUTES } from '../../packages/contract/src/routes.ts';
import { VERSION } from '../../functions/shared/version.ts';

type Json = Record<string, unknown>;

interface Operation {
  operationId: string;
  security?: unknown[];
  requestBody?: { content: Record<string, unknown> };
  responses: Record<string, unknown>;
}

const paths = openApiDocument()['paths'] as Record<string, Record<string, Operation>>;

/** OpenAPI has no mark for a part of a path that may hold slashes. */
const described = ({ path }: (typeof ROUTES)[number]): string => path.replaceAll('+}', '}');

describe('the OpenAPI document', () => {
  it('is valid by the linter', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'platen-openapi-'));
    const file = join(directory, 'openapi.json');
    await writeFile(file, JSON.stringify(openApiDocument()));
    try {
      const { stdout, stderr } = await promisify(execFile)('node_modules/.bin/redocly', ['lint', file], {
        env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      });
      expect(stdout + stderr).toContain('Your API description is valid');
      expect(stdout + stderr).not.toMatch(/warning/i);
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  it('holds every route of the table once, and no others', () => {
    const found = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item)
        .filter((key) => key !== 'parameters')
        .map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(found.toSorted()).toEqual(ROUTES.map((route) => `${route.method} ${described(route)}`).toSorted());
  });

  it('describes for every file that it may be an earlier upload (I-35)', () => {
    const routes = ROUTES.filter((route) => route.files !== undefined);
    expect(routes.length).toBeGreaterThan(0);
    for (const route of routes) {
      const operation = paths[described(route)]?.[route.method.toLowerCase()];
      const body = JSON.stringify(operation?.requestBody);
      const count = Object.values(route.files ?? {}).reduce(
        (sum, file) => sum + (file.many === true ? 2 : 1),
        0,
      );
      expect(body.match(/Or the text `upload:<id>`/g), route.operation).toHaveLength(count);
      expect(JSON.stringify(operation?.responses['404']), route.operation).toContain('`upload_not_found`');
    }
  });

  it('asks for no token where the route is open, and only there', () => {
    for (const route of ROUTES) {
      const security = paths[described(route)]?.[route.method.toLowerCase()]?.security;
      expect(security, route.operation).toEqual(route.access === 'open' ? [] : undefined);
    }
  });

  it('offers urlencoded and JSON bodies only where no file is required (I-6)', () => {
    const types = (path: string) => Object.keys(paths[path]?.['post']?.requestBody?.content ?? {});
    expect(types('/v1/render/{format}/{template_id}')).toEqual([
      'multipart/form-data',
      'application/x-www-form-urlencoded',
      'application/json',
    ]);
    expect(types('/v1/template')).toEqual(['multipart/form-data']);
  });

  it('names the server as its reader has it: behind a stage, or the base path of a domain (I-1)', () => {
    expect(openApiDocument()['servers']).toEqual([{ url: '/' }]);
    expect(openApiDocument('/live')['servers']).toEqual([{ url: '/live' }]);
    expect(openApiDocument()['servers']).toEqual([{ url: '/' }]);
  });

  it('refers to schemas that are there', () => {
    const document = openApiDocument();
    const { schemas } = document['components'] as { schemas: object };
    const references = JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g);
    const missing = new Set(
      Array.from(references, ([, name = '']) => name).filter((name) => !(name in schemas)),
    );
    expect([...missing]).toEqual([]);
  });

  it('has a name for every object with members, and describes none twice', () => {
    const { paths: described, components } = openApiDocument() as {
      paths: object;
      components: { schemas: Record<string, Json> };
    };
    const unnamed: string[] = [];
    const look = (value: unknown, place: string, isNamed: boolean): void => {
      if (typeof value !== 'object' || value === null) return;
      const { type, properties = {} } = value as { type?: string; properties?: object };
      if (!isNamed && type === 'object' && Object.keys(properties).length > 0) unnamed.push(place);
      for (const [key, member] of Object.entries(value)) {
        // The form of a request is named by its operation.
        const isForm = key === 'schema' && place.includes('/requestBody/');
        look(member, `${place}/${key}`, isForm);
      }
    };
    look(described, '', true);
    for (const [name, schema] of Object.entries(components.schemas)) look(schema, name, true);
    expect(unnamed).toEqual([]);
    const texts = Object.entries(components.schemas).map(([name, schema]) => [JSON.stringify(schema), name]);
    const twice = Map.groupBy(texts, ([text]) => text);
    expect([...twice.values()].filter((alike) => alike.length > 1)).toEqual([]);
  });

  it('describes what contains its own kind by itself', () => {
    const { schemas } = openApiDocument()['components'] as { schemas: Record<string, Json> };
    for (const name of ['OutlineEntry', 'OutlineItem'])
      expect(schemas[name]?.['properties'], name).toMatchObject({
        items: { type: 'array', items: { $ref: `#/components/schemas/${name}` } },
      });
  });

  it('has the version of the package', () => {
    expect(VERSION).toBe(packageJson.version);
  });
});

describe('options in the OpenAPI document', () => {
  const schemas = (
    openApiDocument()['components'] as Record<'schemas', Record<string, { properties: object }>>
  ).schemas;

  it('have their other names too (I-7)', () => {
    for (const name of ['RenderOptions', 'TemplateData'])
      expect(Object.keys(schemas[name]?.properties ?? {}), name).toContain('background');
    expect(schemas['RenderOptions']?.properties).toMatchObject({
      width: { anyOf: [{ type: 'number' }, { type: 'string' }], description: 'Alias of `w`.' },
      height: { anyOf: [{ type: 'number' }, { type: 'string' }] },
      background: { type: 'boolean' },
    });
  });

  it('name every barcode format (I-27)', () => {
    const barcode = JSON.stringify(schemas['Barcode']);
    for (const format of ['code128', 'ean13-guard', 'gs1_128', 'datamatrix', 'msi'])
      expect(barcode).toContain(`"${format}"`);
  });
});
