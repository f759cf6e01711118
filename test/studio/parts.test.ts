import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { Liquid } from 'liquidjs';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../bin/service.ts';
import { ensureStudio, readStudioFiles } from '../../bin/studio.ts';
import { BARCODE_FILTERS } from '../../packages/imaging/src/barcode/filters.ts';
import { Environment } from '../../packages/jinja/src/index.ts';
import { codeFor } from '../../packages/studio/src/editor/as-code.ts';
import { loopVariables, membersAt, resolvePath } from '../../packages/studio/src/editor/completion.ts';
import { compareFields, placeholderFor } from '../../packages/studio/src/editor/fields.ts';
import { variableName } from '../../packages/studio/src/editor/image-name.ts';
import { JINJA_FILTERS, LIQUID_FILTERS } from '../../packages/studio/src/editor/names.ts';
import {
  changedOptions,
  optionFields,
  optionsOf,
  wordsOf,
} from '../../packages/studio/src/editor/options.ts';
import { jsonFault, partOf, placeOfPointer } from '../../packages/studio/src/editor/parts.ts';
import { type FormField, isFillable, shownOf, valueOf } from '../../packages/studio/src/pdf/form-fields.ts';
import { unknownNames } from '../../packages/studio/src/editor/unknown-names.ts';
import { styleSteps } from '../../packages/studio/src/editor/styles.ts';
import { csvLines, readRows } from '../../packages/studio/src/screens/records.ts';
import { matching, tagsOf } from '../../packages/studio/src/screens/template-search.ts';
import { splitsOf } from '../../packages/studio/src/screens/pdf-operations.ts';
import type { Template } from '../../packages/studio/src/api/types.ts';
import { openApiDocument } from '../../functions/service/openapi.ts';

/** The Studio without a browser: what it weighs, how it is served, and what it finds out. */

describe('the built Studio', () => {
  it('loads less than 250 KB, gzipped, before the first page: without pdf.js and what other screens load', async () => {
    const files = await readStudioFiles(await ensureStudio(ROOT));
    const total = (pattern: RegExp): number => {
      const sizes = Array.from(files, ([name, { bytes }]) =>
        pattern.test(name) ? gzipSync(bytes).length : 0,
      );
      return sizes.reduce((sum, size) => sum + size, 0);
    };
    const viewer = /\/pdf\.(?:worker\.)?min-/;
    expect(Array.from(files.keys()).filter((name) => viewer.test(name)).length).toBeGreaterThanOrEqual(2);
    const gallery = total(/\/sample-files-/);
    const others = total(/\/(?:library|others|import|workbook)-/);
    const blocks = total(/\/blocks-pane-/);
    expect(blocks).toBeGreaterThan(0);
    expect(blocks).toBeLessThan(110 * 1024);
    expect(gallery).toBeLessThan(32 * 1024);
    expect(others).toBeLessThan(32 * 1024);
    expect(total(/./) - total(viewer) - gallery - others - blocks).toBeLessThan(250 * 1024);
  });

  it('allows only its own files, no inline code, and no frame around it', async () => {
    const folder = await ensureStudio(ROOT);
    const files = await readStudioFiles(folder);
    const sending = await readStudioFiles(folder, 'http://127.0.0.1:9000');
    expect(sending.get('index.html')?.headers['content-security-policy']).toContain(
      "connect-src 'self' http://127.0.0.1:9000;",
    );
    for (const [name, { headers }] of files) {
      const policy = new Map(
        (headers['content-security-policy'] ?? '').split('; ').map((rule) => {
          const [directive = '', ...sources] = rule.split(' ');
          return [directive, sources.join(' ')];
        }),
      );
      expect(policy.get('default-src'), name).toBe("'self'");
      expect(policy.get('frame-ancestors')).toBe("'none'");
      // Scripts, styles, connections and workers fall back to default-src.
      for (const directive of ['script-src', 'style-src', 'connect-src', 'worker-src'])
        expect(policy.has(directive)).toBe(false);
      expect(headers['x-content-type-options']).toBe('nosniff');
      const isHashed = name.startsWith('assets/');
      expect(headers['cache-control']).toMatch(isHashed ? /immutable/ : /^no-cache$/);
    }
    // Other sites load this one under its name, so it has no files beside it.
    expect(files.get('embed.js')?.bytes.toString()).not.toMatch(/\bimport\b(?!\.meta)/);
    const page = files.get('index.html')?.bytes.toString() ?? '';
    expect(page).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=|https?:\/\//);
  });
});

describe('completion', () => {
  it('names filters that the interpreters have', () => {
    const jinja = new Set([...new Environment().filters.keys(), ...BARCODE_FILTERS]);
    expect(JINJA_FILTERS.filter((name) => !jinja.has(name))).toEqual([]);
    const liquid = new Set([...Object.keys(new Liquid().filters), ...BARCODE_FILTERS]);
    expect(LIQUID_FILTERS.filter((name) => !liquid.has(name))).toEqual([]);
  });

  const data = { customer: { name: 'Ada' }, items: [{ price: 1, parts: [{ code: 'x' }] }] };
  const before = '{% for item in items %}{%- for key, part in item.parts %}';

  it.each([
    [[], ['customer', 'items']],
    [['customer'], ['name']],
    [['items'], ['price', 'parts']],
    [['item'], ['price', 'parts']],
    [['part'], ['code']],
    [['customer', 'name'], []],
    [['constructor'], []],
  ])('offers the members of %j', (at, names) => {
    const found = membersAt(data, resolvePath(at, loopVariables(before)));
    expect(found.map(({ label }) => label)).toEqual(names);
  });
});

describe('data beside a template', () => {
  it('lists missing and unused data', () => {
    const schema = {
      type: 'object',
      properties: { name: {}, items: { items: { properties: { price: {}, tax: {} } } } },
    };
    expect(compareFields(schema, { items: [{ price: 1, note: '' }], extra: 1 })).toEqual({
      missing: ['name', 'items[].tax'],
      unknown: new Set(['name', 'items.tax']),
      unused: ['items[].note', 'extra'],
    });
  });

  it('lists missing data down to single values, and knows the names that only a schema or another item has', () => {
    const address = { properties: { city: {}, streets: { items: { properties: { no: {} } } } } };
    const schema = { properties: { address, a: {}, items: { items: { properties: { tax: {} } } } } };
    const declared = { properties: { a: {} } };
    expect(compareFields(schema, { items: [{}, { tax: 1 }] }, declared)).toEqual({
      missing: ['address.city', 'address.streets[].no', 'a', 'items[].tax'],
      unknown: new Set(['address']),
      unused: [],
    });
  });

  it.each([
    ['{{ nummer }}', 'nummer>number'],
    ['{{ customer.nmae | nmae("nmae") }}{# {{ nummer }} #}', 'nmae>name'],
    ['{% for item in itmes %}{{ item.prize }}{% endfor %}', 'itmes>items'],
    ['{% for item in items %}{{ item.prize }}{% endfor %}{{ items[0].prize }}', 'prize>price,prize>price'],
    [
      '{% for a in items %}{% for b in a.parts %}{{ b.cdoe }}{% endfor %}{{ a.cdoe }}{% endfor %}',
      'cdoe>code',
    ],
    ["{% if customer['nmae'] %}{{ zzz }}{% endif %}", 'zzz>null'],
    ['{{ nummer', ''],
  ])('marks the unknown names of %j', (text, marks) => {
    const data = { number: 1, customer: { name: 'x' }, items: [{ price: 1, parts: [{ code: 'x' }] }] };
    const paths = ['nummer', 'customer.nmae', 'itmes', 'items.prize', 'items.parts.cdoe', 'zzz'];
    const found = unknownNames(text, new Set(paths), { data, declared: null, images: [] });
    expect(found.map(({ from, to, near }) => `${text.slice(from, to)}>${near}`).join()).toBe(marks);
  });

  it('inserts a value as a placeholder and a list as a loop', () => {
    expect(placeholderFor(['customer', 'name'], 'Ada')).toBe('{{ customer.name }}');
    expect(placeholderFor(['items'], [])).toBe('{% for item in items %}\n  {{ item }}\n{% endfor %}');
  });

  it.each([
    ['{"a": 1}', undefined],
    ['[]', 1],
    ['{\n"a": x}', 2],
    ['{\n\n"a": 1', 3],
  ])('finds the line of the fault in %j', (text, line) => {
    expect(jsonFault(text)?.line).toBe(line);
  });

  it.each([
    ['', '1:1'],
    ['/a', '2:8'],
    ['/a/1', '3:5'],
    ['/a/1/x~1~0y', '3:14'],
    ['/"{', '4:10'],
    ['/b', undefined],
    ['/a/7', undefined],
  ])('finds the place that the pointer "%s" leads to (RFC 6901)', (pointer, place) => {
    const json = '{\n  "a": [1,\n    {"x/~y": "a,b:]"}],\n  "\\"{": null\n}';
    const found = placeOfPointer(json, pointer);
    expect(found === null ? undefined : `${found.line}:${found.column}`).toBe(place);
  });

  it.each([
    [{ field: 'template_data.data_schema' }, 'schema'],
    [{ file: 'header', line: 1 }, 'header'],
    [{ field: 'footer_data' }, 'footer'],
    [{ field: 'css_000' }, 'styles'],
    [{ pointer: '/items/0' }, 'data'],
    [{ file: 'template' }, 'template'],
  ])('finds the editor of a fault: %j', (fault, part) => {
    expect(partOf({ field: 'file_data', message: 'wrong', ...fault })).toBe(part);
  });
});

describe('options', () => {
  const schemas = (openApiDocument() as { components: { schemas: Record<string, object> } }).components
    .schemas;
  const fields = optionFields(schemas['TemplateChange'] ?? {});

  it('are those of the contract, each of a kind that the form has', () => {
    const kinds = Object.fromEntries(fields.map(({ name, kind }) => [name, kind]));
    expect(kinds).toMatchObject({
      paper_format: 'choice',
      margin_top: 'number',
      landscape: 'flag',
      page_range: 'text',
      templating_engine: 'choice',
      css_page: 'flag',
    });
    expect(kinds).toMatchObject({ tags: 'words', description: 'text' });
    for (const name of ['name', 'format', 'data_schema', 'background'])
      expect(kinds).not.toHaveProperty(name);
    expect(fields.find(({ name }) => name === 'margin_top')).toMatchObject({ minimum: 0, maximum: 100 });
  });

  it('are sent without the fields of a template that only the service sets', () => {
    const { properties = {} } = schemas['Template'] as { properties?: object };
    const full = Object.fromEntries(Object.keys(properties).map((name) => [name, 'x']));
    const known = new Set(fields.map(({ name }) => name));
    const sent = Object.keys(optionsOf(full as unknown as Template));
    expect(sent.filter((name) => !known.has(name))).toEqual([]);
  });

  it('are sent when they differ, and taken away by name', () => {
    expect(
      changedOptions({ scale: 1, page_range: '1-2' }, { scale: 1, landscape: true, page_range: '' }),
    ).toEqual({ landscape: true, remove: ['page_range'] });
  });
});

describe('tags', () => {
  const template = (name: string, tags: string[], description: string | null = null) =>
    ({ name, tags, description, format: 'html' }) as unknown as Template;
  const all = [
    template('Alpha', ['money', 'Paper']),
    template('Beta', ['money'], 'Dunning'),
    template('C', []),
  ];
  const names = (words: string, tags: string[]) => matching(all, words, tags).map(({ name }) => name);

  it('are the texts between commas, each once', () => {
    expect(wordsOf(' a b, c,,a b ,')).toEqual(['a b', 'c']);
  });

  it('narrow the list, pressed or typed', () => {
    expect(tagsOf(all)).toEqual(['money', 'Paper']);
    expect(names('', ['money'])).toEqual(['Alpha', 'Beta']);
    expect(names('', ['money', 'Paper'])).toEqual(['Alpha']);
    expect(names('paper', [])).toEqual(['Alpha']);
    expect(names('dunning', ['money'])).toEqual(['Beta']);
  });
});

describe('stylesheets', () => {
  const style = (id: string) => ({ id, filename: `${id}.css`, css: `${id} {}` });
  const [a, b, c] = [style('a'), style('b'), style('c')];
  const added = { id: null, filename: 'n.css', css: 'n {}' };
  const names = (...args: Parameters<typeof styleSteps>) =>
    styleSteps(...args).map((step) => (step.do === 'delete' ? `-${step.id}` : `+${step.style.css}`));

  it('are added again from the first that differs, so that their order stays', () => {
    const changed = { ...b, css: 'b { color: red }' };
    expect(names([a, b, c], [a, changed, c])).toEqual(['-b', '-c', '+b { color: red }', '+c {}']);
  });

  it.each([
    ['none when nothing differs', [a, b], [a, { ...b }], []],
    ['one that is new', [a], [a, added], ['+n {}']],
    ['one that is gone', [a, b], [a], ['-b']],
    ['none for one that is empty', [a], [a, { ...added, css: ' ' }], []],
  ])('take no more steps than needed: %s', (_, before, now, steps) => {
    expect(names(before, now)).toEqual(steps);
  });
});

describe('records of a batch', () => {
  it.each([
    ['a,b\n1,"x, ""y"" z"\n', 'a|b/1|x, "y" z'],
    ['\uFEFFa;b\r\n"1\n2";3\r\n', 'a|b/1\n2|3'],
    ['a\tb\n\n1\t2', 'a|b/1|2'],
  ])('are read as CSV: %j', (content, lines) => {
    const read = csvLines(content, 10).map((cells) => cells.join('|'));
    expect(read.join('/')).toBe(lines);
  });

  it('are no more than were asked for', () => {
    expect(csvLines('a\n1\n2\n3', 2)).toEqual([['a'], ['1']]);
    const rows = readRows('x.json', JSON.stringify([{ a: 1 }, { b: 2 }, { c: 3 }]), 2);
    expect(rows).toEqual({ columns: ['a', 'b'], rows: [{ a: 1 }, { b: 2 }], count: 3 });
    expect(readRows('x.jsonl', '{"a":1}\n\n{"a":2}\n').count).toBe(2);
    expect(() => readRows('x.json', '{"a": 1}')).toThrow('not a list');
  });
});

it('fills the fields of a form with the values of their controls', () => {
  const field = (kind: FormField['kind'], options: string[] = [], readOnly = false) =>
    ({ name: 'x', kind, options, read_only: readOnly }) as unknown as FormField;
  expect(valueOf(field('text'), '')).toBeNull();
  expect(valueOf(field('text'), 'false')).toBe('false');
  expect(valueOf(field('checkbox', ['Yes']), 'true')).toBe(true);
  expect(valueOf(field('checkbox', ['a', 'b']), 'b')).toBe('b');
  expect([null, true, 'x', ['p', 'q'], []].map(shownOf)).toEqual(['', 'true', 'x', 'p', '']);
  const kinds = ['text', 'button', 'signature', 'list'] as const;
  expect(kinds.filter((kind) => isFillable(field(kind)))).toEqual(['text', 'list']);
  expect(isFillable(field('text', [], true))).toBe(false);
});

it('reads ranges of pages as the route takes them', () => {
  expect(splitsOf('1-2, 5,')).toEqual([
    [1, 2],
    [5, 5],
  ]);
});

it.each([
  ['Company logo (2).png', [], 'Company_logo_2'],
  ['logo.svg', ['logo'], 'logo_2'],
  ['2024.jpg', [], '_2024'],
  ['<script>.png', [], 'script'],
  ['…', [], 'image'],
])('calls the image %s a variable that can be one', (file, taken, name) => {
  expect(variableName(file, taken)).toBe(name);
});

describe('as code', () => {
  const call = {
    base: 'https://docs.example.org/v1',
    id: '01kb',
    data: `{"name": "O'Neil $(rm -rf) \`x\`"}`,
  };

  it('keeps data from being read by the shell', () => {
    expect(codeFor('curl', call)).toContain(String.raw`'{"name":"O'\''Neil $(rm -rf) ` + '`x`"}\'');
  });

  it('never has a token in it', () => {
    for (const language of ['curl', 'typescript', 'python', 'shell'] as const) {
      const code = codeFor(language, call);
      expect(code).toContain('01kb');
      expect(code).not.toMatch(/platen_[a-z0-9]{20}/i);
    }
  });

  it('names a file for long data', () => {
    const long = { ...call, data: JSON.stringify({ text: 'x'.repeat(5_000) }) };
    expect(codeFor('curl', long)).toContain('@data.json');
    expect(codeFor('python', long)).toContain('open("data.json"');
  });
});

it('has all its texts in one file', async () => {
  const source = await readFile(path.join(ROOT, 'packages/studio/src/text.ts'), 'utf8');
  expect(source).toContain('Sign in');
  for (const screen of ['screens/templates.tsx', 'screens/editor.tsx', 'screens/sign-in.tsx', 'app.tsx']) {
    const code = await readFile(path.join(ROOT, 'packages/studio/src', screen), 'utf8');
    // Words between tags are texts; what is in braces comes from the file.
    expect(code, screen).not.toMatch(/>\s*[A-Z][a-z]+ [a-z]+[^<{]*<\//);
  }
});
