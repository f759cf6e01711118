import { exampleOf } from '@platen/contract/examples';
import { type Route, scopesOf } from '@platen/contract/route';

/** Examples of the routes as the OpenAPI document shows them. */

/** Extensions of downloaded documents, by the first type that a route may answer with. */
const ENDINGS: Readonly<Record<string, string>> = {
  '*/*': 'html',
  'image/*': 'png',
  'text/css': 'css',
  'text/html': 'html',
  'text/x-gettext-translation': 'po',
  'application/zip': 'zip',
  'application/json': 'json',
  'application/pdf': 'pdf',
  'application/xml': 'xml',
  'text/plain': 'txt',
};

/** Returns the example as a shell command, in which `$PLATEN` and `$TOKEN` are as the README sets them. */
export function commandOf(route: Route): string {
  const { params, query, fields, files, body } = exampleOf(route);
  const path = route.path
    .replace(/^\/v1/, '')
    .replace(/\{(\w+)\+?\}/g, (_, name: string) => params[name] ?? '');
  // Ids of resources that were created before are shell variables.
  const search = new URLSearchParams(query).toString().replaceAll('%24', '$');
  const address = search === '' ? `$PLATEN${path}` : `"$PLATEN${path}?${search}"`;
  const hasBody = [fields, files].some((part) => Object.keys(part).length > 0) || body !== null;
  const method = route.method === (hasBody ? 'POST' : 'GET') ? '' : `-X ${route.method} `;
  const parts = [
    ...Object.entries(files).map(([name, file]) => `-F ${name}=@${file}`),
    ...Object.entries(fields).map(([name, value]) => fieldOf(name, textOf(value))),
    ...(body === null ? [] : [`-H 'Content-Type: application/json' -d ${quoted(JSON.stringify(body))}`]),
  ];
  const token = scopesOf(route).length === 0 && route.access === 'open' ? '' : ' -H "Authorization: $TOKEN"';
  return [`curl -sS --fail-with-body ${method}${address}${token}${output(route)}`, ...parts].join(' \\\n  ');
}

/** Returns the members of a request body that show the example; the name of a file stands for its content. */
export function fieldsOf(route: Route): Readonly<Record<string, unknown>> {
  const { fields, files } = exampleOf(route);
  return { ...files, ...fields };
}

/** Returns the value of a path parameter that is not an id. */
export function parameterOf(route: Route, name: string): string | undefined {
  const value = exampleOf(route).params[name];
  return value === undefined || value.startsWith('$') ? undefined : value;
}

/** Returns the body of a route that takes JSON as a whole. */
export function bodyOf(route: Route): unknown {
  return exampleOf(route).body;
}

function output(route: Route): string {
  if (!('document' in route.success)) return '';
  const [type = ''] = route.success.document;
  const { format } = exampleOf(route).params;
  const ending = type === 'application/zip' || format === undefined ? ENDINGS[type] : format;
  return ` -o out.${ending ?? 'pdf'}`;
}

/**
 * Returns the option for a text field. With `-F` curl reads a file if the text begins with one of two
 * characters, and settings after a third.
 */
function fieldOf(name: string, text: string): string {
  return `${/^[<@]|;/.test(text) ? '--form-string' : '-F'} ${quoted(`${name}=${text}`)}`;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Quotes a text for the shell if necessary. */
function quoted(text: string): string {
  return /^[\w./:=@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
