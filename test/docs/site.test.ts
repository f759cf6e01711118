import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { faultsOf } from '../../bin/site/links.ts';
import { ensureDocumentation } from '../../bin/site/serve.ts';
import { addressOf, writtenSources } from '../../bin/site/sources.ts';
import { SECTIONS } from '../../docs/.vitepress/navigation.ts';
import { ERRORS } from '../../packages/contract/src/errors.ts';
import { ROUTES } from '../../packages/contract/src/routes.ts';
import { pages } from './pages.ts';

/** The documentation as a site (`npm run docs:site`, I-57): built, and looked at. In a browser: site-pages.test.ts. */

let folder: string;
const read = (file: string): string => readFileSync(path.join(folder, file), 'utf8');
const json = <T>(file: string): T => JSON.parse(read(file)) as T;

beforeAll(async () => {
  folder = await ensureDocumentation(process.cwd());
});

it('has every guide, and a page for each route with its example and its fields', () => {
  const guides = pages().filter((page) => page.startsWith('docs/'));
  expect(guides.filter((page) => !existsSync(path.join(folder, addressOf(page))))).toEqual([]);
  for (const { operation, method, path: address } of ROUTES) {
    const page = read(`reference/routes/${operation}.html`);
    expect(page, operation).toContain(`<code>${method} ${address.replace('+}', '}')}</code>`);
    expect(page, operation).toContain('curl -sS --fail-with-body ');
  }
  expect(read('reference/routes/renderTemplate.html')).toMatch(/Members of render_options[^]*paper_format/);
});

it('has a page for each error code, and links codes in the text to them', () => {
  for (const [code, { title }] of Object.entries(ERRORS))
    expect(read(`reference/errors/${code}.html`), code).toContain(title);
  expect(read('reference/errors.html')).toMatch(/href="[^"]*\/errors\/pdf_signed\.html"/);
});

it('shows the pictures of the examples', () => {
  expect(read('reference/routes/renderNow.html')).toContain('pictures/routes/renderNow.png');
  expect(read('reference/routes/deleteTemplate.html')).not.toContain('pictures/routes');
});

it('shows the examples unchanged: text in double braces is not filled in', () => {
  expect(read('start/overview.html').replaceAll(/<[^>]+>/g, '')).toMatch(/Invoice \{\{ number \}\}/);
});

it('has no broken link, and loads nothing from another origin', () => {
  expect(faultsOf(folder, '/docs/')).toEqual([]);
});

it('a page with a broken link or a resource of another origin is found', () => {
  const bad = mkdtempSync(path.join(tmpdir(), 'platen-site-'));
  writeFileSync(
    path.join(bad, 'a.html'),
    '<h1 id="here"></h1><a href="#here"></a><a href="#there"></a><a href="b.html"></a><a href="https://example.com/"></a><script src="https://example.com/x.js"></script>',
  );
  expect(faultsOf(bad, '/docs/')).toEqual([
    'a.html links to #there, a heading that does not exist',
    'a.html links to b.html, which does not exist',
    'a.html loads https://example.com/x.js from elsewhere',
  ]);
  rmSync(bad, { recursive: true });
});

it('names every guide and recipe once in its navigation', () => {
  const named = SECTIONS.flatMap(({ groups }) => groups.flatMap(({ pages }) => Object.keys(pages)));
  expect(named.filter((file, index) => named.indexOf(file) !== index)).toEqual([]);
  const written = writtenSources(process.cwd()).map(({ file }) => file);
  const guides = written.filter(
    (file) => !/^packages\/|^docs\/(?:decisions\/(?:\d|archive\/)|index\.md)/.test(file),
  );
  expect(guides.filter((file) => !named.includes(file))).toEqual([]);
});

it('has no styles in its html, which the Content-Security-Policy refuses', () => {
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.html'),
  );
  expect(pages.filter((page) => / style="[^"]/.test(read(page)))).toEqual([]);
});

it('is complete in llms.txt, for language models', () => {
  const index = read('llms.txt');
  expect(index).toMatch(/^# Platen\n\n> /);
  const addresses = Array.from(index.matchAll(/\]\(([^)]+)\)/g), ([, address = '']) => address);
  expect(addresses).toContain('guides/pdf-steps.md');
  expect(addresses).toContain('reference/routes/stampPdf.md');
  for (const address of addresses) expect(read(address)).toMatch(/^# /m);
  expect(read('llms-full.txt')).toContain(readFileSync('docs/jobs.md', 'utf8'));
});

it('contains collections with every route', () => {
  const collection = json<{ item: { item: { request: { method: string; url: { raw: string } } }[] }[] }>(
    'platen.postman_collection.json',
  );
  const requests = collection.item.flatMap(({ item }) => item.map(({ request }) => request));
  expect(requests).toHaveLength(ROUTES.length);
  expect(requests.map(({ method, url }) => `${method} ${url.raw}`)).toContain(
    'GET {{platen}}/jobs/{{JOB}}/result',
  );
  expect(requests.map(({ url }) => url.raw)).toContain('{{platen}}/export?template={{ID}}');
  const bruno = ROUTES.map(({ group, operation }) => read(`bruno/${group}/${operation}.bru`));
  expect(bruno.every((text) => text.startsWith('meta {\n'))).toBe(true);
  expect(read('bruno/templates/exportTemplates.bru')).toContain('params:query {\n  template: {{ID}}\n}');
  expect(read('bruno/pdf/stampPdf.bru')).toContain('  file: @file(report.pdf)\n  text: DRAFT\n');
});

it('contains JSON Schemas for editors, each complete in itself', () => {
  const names = readdirSync(path.join(folder, 'schemas'));
  expect(names.toSorted()).toEqual([
    'render-options.schema.json',
    'sign-options.schema.json',
    'steps.schema.json',
    'template-data.schema.json',
  ]);
  for (const name of names) {
    const schema = json<{ $defs?: object }>(`schemas/${name}`);
    const references = read(`schemas/${name}`).matchAll(/"\$ref": "#\/\$defs\/(\w+)"/g);
    for (const [, definition = ''] of references)
      expect(Object.keys(schema.$defs ?? {})).toContain(definition);
  }
  expect(json<{ properties: object }>('schemas/render-options.schema.json').properties).toMatchObject({
    paper_format: { description: expect.any(String) as string },
  });
});
