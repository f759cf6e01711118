import { describe, expect, it } from 'vitest';
import type { ReportJson } from '../../packages/contract/src/report.ts';
import { docx, p } from '../office/build.ts';
import { addTemplate, type Answer, call, endedJob, expectStatus, form, jsonOf, renderNow } from './client.ts';

const warningOf = (answer: Answer): string => expectStatus(answer, 200).headers.get('warning') ?? '';

const DATA = { number: 7, customer: { name: 'Ada' }, lines: [{ price: 1 }], empty: '', none: null };
const TEXT = [
  '<h1>{{ numbr }} {{ number }}</h1>',
  '<p>{{ customer.nam }}</p>',
  '{% for line in lins %}{{ line.price }}{% endfor %}',
  '{% for line in lines %}{{ line.prize }}{% endfor %}',
].join('\n');
/** Every way in which a template asks whether there is a name. */
const ASKED = {
  jinja2:
    "{{ a or '' }}{% if a %}{{ a }}{% endif %}{{ a | default('') }}{{ a | d }}{{ 'x' if a is defined }}{{ 'y' if a }}" +
    '{% if not a %}{% endif %}{% if a == 1 %}{% endif %}{% set b = a %}{% for x in a or [] %}{% endfor %}' +
    '{{ empty }}{{ none }}{{ [] | first }}{% for l in lines %}{{ loop.previtem }}{% endfor %}' +
    '{% macro m(x, y) %}{{ y }}{% endmacro %}{{ m(1) }}{{ a is iterable }}',
  liquid:
    '{{ a | default: "" }}{% if a %}{{ a }}{% endif %}{% unless a %}{% endunless %}{% if a == 1 %}{% endif %}' +
    '{% case a %}{% when 1 %}{% endcase %}{% assign b = a | default: 1 %}{{ b }}{{ empty }}{{ none }}{{ lines.size }}',
};

describe.each(['jinja2', 'flask', 'liquid'])('in %s', (engine) => {
  const options = { templating_engine: engine };

  it('undefined names that are printed or looped over come as one warning, with lines and the nearest name', async () => {
    const answer = await renderNow(TEXT, { data: DATA, options }, 'html');
    const warning = warningOf(answer);
    expect(warning.match(/299 platen/g)).toHaveLength(1);
    expect(warning).toContain('numbr (template, line 1; nearest name: number)');
    expect(warning).toContain('customer.nam (template, line 2; nearest name: name)');
    expect(warning).toContain('lins (template, line 3; nearest name: lines)');
    expect(warning).toContain('line.prize (template, line 4; nearest name: price)');
    expect(answer.bytes.toString()).toContain('<h1> 7</h1>');
  });

  it('names that are only asked for are no warning', async () => {
    const html = ASKED[engine === 'liquid' ? 'liquid' : 'jinja2'];
    expect(warningOf(await renderNow(html, { data: DATA, options }, 'html'))).toBe('');
  });

  it('strict refuses them all, and silent says nothing', async () => {
    const strict = await renderNow(TEXT, { data: DATA, options: { ...options, undefined: 'strict' } });
    expect(jsonOf(strict)).toMatchObject({
      status: 422,
      code: 'template_render',
      errors: [{ line: 1, file: 'template' }, { line: 2 }, { line: 3 }, { line: 4 }],
    });
    const silent = await renderNow(
      TEXT,
      { data: DATA, options: { ...options, undefined: 'silent' } },
      'html',
    );
    expect(warningOf(silent)).toBe('');
  });

  it('names of office templates are found', async () => {
    const document = await docx(p('No. {{ numbr }}') + p('Dear {{ customer.name }}'));
    const send = async (more: object) =>
      await call('POST', '/v1/render/docx', {
        body: form({
          file_data: [document, 'a.docx'],
          render_data: JSON.stringify(DATA),
          render_options: JSON.stringify({ ...options, ...more }),
        }),
      });
    expect(warningOf(await send({}))).toContain(
      'numbr (word/document.xml, paragraph 1; nearest name: number)',
    );
    expect(jsonOf(await send({ undefined: 'strict' }))).toMatchObject({
      code: 'template_render',
      errors: [{ file: 'word/document.xml', line: 1, source: '{{ numbr }}' }],
    });
  });
});

it('headers, names of files and partials are looked at, and templates register the mode', async () => {
  const id = await addTemplate('{{ number }}', { undefined: 'strict', filename: '{{ nme }}' });
  expect(jsonOf(await call('GET', `/v1/template/${id}`))).toMatchObject({ undefined: 'strict' });
  const send = async (options: object) =>
    await call('POST', `/v1/render/pdf/${id}`, {
      body: form({ render_data: '{"name":"N","number":1}', render_options: JSON.stringify(options) }),
    });
  expect(jsonOf(await send({}))).toMatchObject({ code: 'template_render', errors: [{ file: 'filename' }] });
  const warned = await send({ undefined: 'warn', header_file: '<p>{{ numer }}' });
  expect(warningOf(warned)).toContain('nme (filename, line 1; nearest name: name)');
  expect(warningOf(warned)).toContain('numer (header, line 1; nearest name: number)');
});

describe('a batch', () => {
  const body = (options: object, fields: Record<string, string> = {}) =>
    form({
      file_data: ['<p>{{ a }}{{ b }}', 'a.html'],
      template_data: '{"name":"N","format":"html"}',
      render_data: '[{"a":1,"b":2},{"a":1},{"b":2},{"a":3}]',
      render_options: JSON.stringify(options),
      ...fields,
    });

  it('tells the records', async () => {
    const answer = await call('POST', '/v1/render/html/batch', { body: body({}) });
    expect(warningOf(answer)).toContain('b (template, line 1, 2nd record and 1 more');
    expect(warningOf(answer)).toContain('a (template, line 1, 3rd record');
  });

  it('leaves the records out that have undefined names, where they are strict', async () => {
    const strict = { undefined: 'strict' };
    const answer = await call('POST', '/v1/render/html/batch', { body: body(strict) });
    expect(jsonOf(answer)).toMatchObject({
      code: 'batch_failed',
      errors: [{ record: 1, message: 'b is undefined' }, { record: 2 }, {}],
    });
  });

  it('tells them in the answer and in the report of a job', async () => {
    const headers = { prefer: 'respond-async' };
    const accepted = await call('POST', '/v1/render/pdf/batch', { headers, body: body({}) });
    const { id } = jsonOf(expectStatus(accepted, 202)) as { id: string };
    await endedJob(id);
    expect(warningOf(await call('GET', `/v1/jobs/${id}/result`))).toContain('2nd record and 1 more');
    const report = jsonOf(await call('GET', `/v1/jobs/${id}/report`)) as unknown as ReportJson;
    expect(report.undefined_names).toMatchObject([
      { name: 'b', file: 'template', line: 1, record: 1, records: 2 },
      { name: 'a', record: 2, records: 1 },
    ]);
  });
});

describe('values of the data that look like markup', () => {
  const data = { name: 'Müller <GmbH> & Söhne', text: 'a < b', body: '<p>rich</p>' };
  const html = '<p>{{ name }}</p>\n{{ body | safe }}{{ name | e }}{{ text }}{{ "<b>" ~ text }}';
  const render = async (options: object, template = html) =>
    await renderNow(template, { data, options }, 'html');

  it('are named where jinja2 prints them', async () => {
    const warning = warningOf(await render({}));
    expect(warning.match(/299 platen/g)).toHaveLength(1);
    expect(warning).toContain('name with <GmbH (template, line 1)');
    expect(warning).not.toContain('body');
    const macro =
      '{% macro m(x) %}{{ x | safe }}{% endmacro %}{{ m(body) }}{% set y %}{{ body | safe }}{% endset %}{{ y }}';
    expect(warningOf(await render({}, macro))).toBe('');
  });

  it('are escaped by flask, and by any dialect with autoescape', async () => {
    const escaped = '<p>Müller &lt;GmbH&gt; &amp; Söhne</p>';
    for (const options of [
      { templating_engine: 'flask' },
      { autoescape: true },
      { autoescape: true, templating_engine: 'liquid' },
    ]) {
      const answer = await render(options, '<p>{{ name }}</p>');
      expect(answer.bytes.toString()).toBe(escaped);
      expect(warningOf(answer)).toBe('');
    }
    const flask = await render({ autoescape: false, templating_engine: 'flask' }, '<p>{{ name }}</p>');
    expect(flask.bytes.toString()).toContain('<GmbH>');
  });

  it('are escaped by a template that registers it, and not in names of files', async () => {
    const id = await addTemplate('<p>{{ name }}</p>', { autoescape: true, filename: '{{ name }}' });
    expect(jsonOf(await call('GET', `/v1/template/${id}`))).toMatchObject({ autoescape: true });
    const answer = await call('POST', `/v1/render/html/${id}`, {
      body: form({ render_data: '{"name":"A & B"}' }),
    });
    expect(expectStatus(answer, 200).bytes.toString()).toBe('<p>A &amp; B</p>');
    expect(answer.headers.get('content-disposition')).toContain('A & B.html');
  });
});

describe('a method that is printed in place of a member of the data', () => {
  it.each(['jinja2', 'flask'])('is named, with the member, in %s', async (engine) => {
    const options = { templating_engine: engine };
    const html = '<p>{{ a.items }}</p><p>{{ a.keys }}</p><p>{{ a["items"] }}</p>';
    const answer = await renderNow(html, { data: { a: { items: [1] } }, options }, 'html');
    const warning = warningOf(answer);
    expect(warning).toContain("items, which is a method here (the member is ['items']) (template, line 1)");
    expect(warning).not.toContain('keys');
  });
});

it('a template of html with tags of another language is printed with a Warning that names them', async () => {
  const answer = await call('POST', '/v1/render/html', {
    body: form({ file_data: ['<p>Dear {d.name}', 'a.html'] }),
  });
  expect(warningOf(answer)).toContain('{d.name} (template) looks like a tag of Carbone: write {{ name }}');
  const finished = form({
    file_data: ['<p>Dear {d.name}', 'a.html'],
    template_data: '{"templating_engine": "none"}',
  });
  expect((await call('POST', '/v1/render/html', { body: finished })).headers.get('warning')).toBeNull();
});
