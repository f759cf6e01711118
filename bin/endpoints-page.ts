import { FUNCTION_GROUPS, type FunctionGroup, type Route, canBeJob, scopesOf } from '@platen/contract/route';
import { ROUTES } from '@platen/contract/routes';

/** Generates docs/endpoints.md from the route table, so that the page agrees with the service. */

const HEADINGS: Readonly<Record<FunctionGroup, string>> = {
  templates: 'Templates',
  render: 'Rendering',
  images: 'Images and barcodes',
  pdf: 'PDF transformation',
  jobs: 'Uploads, jobs, webhooks',
  tokens: 'Tokens',
  service: 'The service',
};

const INTRODUCTION = `# Endpoints

This page lists every endpoint of the service with its fields and the scope that the token needs. Required fields are
marked with \`*\`. Fields in *italics* accept files: as a file part, as text, or as \`upload:<id>\` ([uploads](uploads.md)).
Send fields as \`multipart/form-data\` or urlencoded, or as a JSON object if the request contains no file. Endpoints marked
**job** accept \`Prefer: respond-async\` ([jobs](jobs.md)) and then \`callback_url\` too.

\`npm run docs\` generates this page from the route table. \`GET /v1/openapi.json\` is generated from the same table and contains all
schemas and errors.
`;

/** @returns the text of the page; formatted by Prettier when it is written */
export function endpointsPage(): string {
  const groups = FUNCTION_GROUPS.toSorted((a, b) => order(a) - order(b));
  const sections = groups.map((group) =>
    section(
      group,
      ROUTES.filter((route) => route.group === group),
    ),
  );
  return [INTRODUCTION, ...sections].join('\n');
}

function order(group: FunctionGroup): number {
  return Object.keys(HEADINGS).indexOf(group);
}

function section(group: FunctionGroup, routes: readonly Route[]): string {
  const rows = routes.map(
    (route) =>
      `| \`${route.method} ${route.path}\` | ${summary(route)} | ${fields(route)} | ${scope(route)} |`,
  );
  return [
    `## ${HEADINGS[group]}`,
    '',
    '| call | | fields | scope |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}

function summary(route: Route): string {
  return `${route.summary}${canBeJob(route) ? ' (**job**)' : ''}`;
}

function fields({ form, files = {}, query, body }: Route): string {
  const names = [
    ...(body === 'json' ? ['the body: JSON'] : []),
    ...Object.entries(files).map(
      ([name, { required, many, prefix }]) =>
        `*${many ? `${name}1, ${name}2, …` : prefix ? `${name}…` : name}*${star(required)}`,
    ),
    ...Object.entries(form?.shape ?? {})
      .filter(([name]) => name !== 'callback_url' && !(name in files))
      .map(
        ([name, schema]) =>
          `${name}${star(!(schema as { safeParse: (value: unknown) => { success: boolean } }).safeParse(undefined).success)}`,
      ),
    ...Object.keys(query?.shape ?? {})
      .filter((name) => !(name in (form?.shape ?? {})))
      .map((name) => `?${name}`),
  ];
  return names.join(', ');
}

function star(required: boolean): string {
  return required ? '\\*' : '';
}

function scope(route: Route): string {
  if (route.access === 'open') return 'no token';
  const scopes = scopesOf(route);
  return scopes.length === 0 ? 'any' : scopes.map((name) => `\`${name}\``).join(' or ');
}
