import { exampleOf } from '@platen/contract/examples';
import { type FunctionGroup, type Route, scopesOf } from '@platen/contract/route';
import { ROUTES } from '@platen/contract/routes';

/** Generates collections for Postman and Bruno with the example request of every route. */

const BASE = 'http://localhost:8080/v1';
/** Variables for the ids that the examples assume. */
const IDS = ['ID', 'STYLE', 'IMAGE', 'JOB'];

interface Field {
  key: string;
  value: string;
  isFile: boolean;
}

function fieldsOf(route: Route): Field[] {
  const { fields, files } = exampleOf(route);
  return [
    ...Object.entries(files).map(([key, value]) => ({ key, value, isFile: true })),
    ...Object.entries(fields).map(([key, value]) => ({
      key,
      value: typeof value === 'string' ? value : JSON.stringify(value),
      isFile: false,
    })),
  ];
}

/** Variables in the syntax of both programs: `{{ID}}`. */
function withVariable(value: string): string {
  return value.replace(/^\$(\w+)$/, '{{$1}}');
}

/** Returns the path below the base. */
function pathOf(route: Route): string {
  const { params } = exampleOf(route);
  return route.path
    .replace(/^\/v1/, '')
    .replace(/\{(\w+)\+?\}/g, (_, name: string) => withVariable(params[name] ?? ''));
}

function queryOf(route: Route): [string, string][] {
  return Object.entries(exampleOf(route).query).map(([key, value]) => [key, withVariable(value)]);
}

/** Returns the complete address. */
function addressOf(route: Route): string {
  const search = queryOf(route).map(
    ([key, value]) => `${key}=${value.startsWith('{{') ? value : encodeURIComponent(value)}`,
  );
  return `{{platen}}${pathOf(route)}${search.length === 0 ? '' : `?${search.join('&')}`}`;
}

function byGroup(): [FunctionGroup, Route[]][] {
  return [...Map.groupBy(ROUTES, ({ group }) => group)];
}

/** @returns a collection in Postman's form 2.1 */
export function postmanCollection(): object {
  return {
    info: {
      name: 'Platen',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: {
      type: 'apikey',
      apikey: [
        { key: 'key', value: 'Authorization', type: 'string' },
        { key: 'value', value: '{{token}}', type: 'string' },
        { key: 'in', value: 'header', type: 'string' },
      ],
    },
    variable: [{ key: 'platen', value: BASE }, ...['token', ...IDS].map((key) => ({ key, value: '' }))],
    item: byGroup().map(([name, routes]) => ({ name, item: routes.map(postmanRequest) })),
  };
}

function postmanRequest(route: Route): object {
  const { body } = exampleOf(route);
  const fields = fieldsOf(route).map(({ key, value, isFile }) =>
    isFile ? { key, type: 'file', src: value } : { key, type: 'text', value },
  );
  return {
    name: route.summary,
    request: {
      method: route.method,
      header: body === null ? [] : [{ key: 'Content-Type', value: 'application/json' }],
      ...(route.access === 'open' ? { auth: { type: 'noauth' } } : {}),
      url: {
        raw: addressOf(route),
        host: ['{{platen}}'],
        path: pathOf(route).split('/').slice(1),
        query: queryOf(route).map(([key, value]) => ({ key, value })),
      },
      ...(fields.length === 0 ? {} : { body: { mode: 'formdata', formdata: fields } }),
      ...(body === null ? {} : { body: { mode: 'raw', raw: JSON.stringify(body, null, 2) } }),
      description: descriptionOf(route),
    },
  };
}

function descriptionOf(route: Route): string {
  const scopes = scopesOf(route);
  return scopes.length === 0 ? '' : `Requires the scope ${scopes.join(' or ')}.`;
}

/** @returns the files of a collection of Bruno, by their paths */
export function brunoCollection(): ReadonlyMap<string, string> {
  const files = new Map([
    ['bruno.json', `${JSON.stringify({ version: '1', name: 'Platen', type: 'collection' }, null, 2)}\n`],
    [
      'environments/local.bru',
      block('vars', [`platen: ${BASE}`, ...IDS.map((name) => `${name}: `)]) + 'vars:secret [\n  token\n]\n',
    ],
  ]);
  for (const [group, routes] of byGroup()) {
    for (const [index, route] of routes.entries())
      files.set(`${group}/${route.operation}.bru`, brunoRequest(route, index + 1));
  }
  return files;
}

function brunoRequest(route: Route, seq: number): string {
  const { body } = exampleOf(route);
  const query = queryOf(route);
  const fields = fieldsOf(route);
  const kind = body === null ? (fields.length === 0 ? 'none' : 'multipartForm') : 'json';
  return [
    block('meta', [`name: ${route.summary}`, 'type: http', `seq: ${seq}`]),
    block(route.method.toLowerCase(), [`url: ${addressOf(route)}`, `body: ${kind}`, 'auth: none']),
    ...(query.length === 0
      ? []
      : [
          block(
            'params:query',
            query.map(([key, value]) => `${key}: ${value}`),
          ),
        ]),
    ...(route.access === 'open' ? [] : [block('headers', ['Authorization: {{token}}'])]),
    ...(kind === 'multipartForm'
      ? [
          block(
            'body:multipart-form',
            fields.map(({ key, value, isFile }) => `${key}: ${isFile ? `@file(${value})` : value}`),
          ),
        ]
      : []),
    ...(kind === 'json' ? [block('body:json', JSON.stringify(body, null, 2).split('\n'))] : []),
  ].join('\n');
}

function block(name: string, lines: readonly string[]): string {
  return `${name} {\n${lines.map((line) => `  ${line}\n`).join('')}}\n`;
}
