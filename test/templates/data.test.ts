import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampleSchema } from '../../packages/contract/src/resources.ts';
import { sweepTemplateFiles } from '../../functions/templates/sweep-files.ts';
import { newTemplateId } from '../../functions/shared/store/storage/ids.ts';
import type { TemplateFormat } from '../../packages/contract/src/options.ts';
import { docx, p } from '../office/build.ts';
import { odf } from '../office/odf.ts';
import { sample } from '../formats/build.ts';
import { type EmbeddedStorage, startEmbeddedStorage } from '../store/embedded.ts';
import { type Answer, caller, type Call, type Part } from './gateway.ts';

/** What data a template uses, the schema it has for them, and samples of them. */

let storage: EmbeddedStorage;
let call: ReturnType<typeof caller>;
beforeAll(async () => {
  storage = await startEmbeddedStorage();
  const { serve } = await import('../../functions/templates/handler.ts');
  call = caller(serve);
});
afterAll(() => storage.stop());

const json = (value: object): string => JSON.stringify(value);
const add = (file: Part, data: object = {}, more: Record<string, Part> = {}): Promise<Answer> =>
  call('POST', '/template', null, {
    form: { template_data: json({ name: 'n', format: 'html', ...data }), file_data: file, ...more },
  });
const idOf = async (answer: Promise<Answer>): Promise<string> => String((await answer).json()['id']);
const fields = async (id: string): Promise<unknown> =>
  (await call('GET', '/template/{id}/fields', id)).json()['properties'];

describe('the fields of a template', () => {
  it('are those of its file, header, footer and name, without its images', async () => {
    const id = await idOf(
      add(
        '<p>{{ a.b }}</p><img src="{{ logo }}">',
        { filename: '{{ number }}' },
        {
          header_data: '{{ title|upper }}',
          footer_data: '{% for x in list %}{{ x.y }}{% endfor %}',
        },
      ),
    );
    const image = {
      template_data: json({ format: 'png', uri: 'logo' }),
      file_data: { bytes: sample('rgba.png'), filename: 'l.png' },
    };
    expect((await call('POST', '/template/img/{id}', id, { form: image })).status).toBe(200);
    expect(await fields(id)).toEqual({
      a: { type: 'object', properties: { b: {} } },
      number: {},
      title: { type: 'string' },
      list: { type: 'array', items: { type: 'object', properties: { y: {} } } },
    });
  });

  it.each<[TemplateFormat, () => Promise<Buffer>]>([
    [
      'docx',
      () => docx(p('{{ a.b|round }}') + p('{%p for x in list %}') + p('{{ x.y }}') + p('{%p endfor %}')),
    ],
    ['odt', () => odf('odt', '<text:p>{{ a.b|round }}{% for x in list %}{{ x.y }}{% endfor %}</text:p>')],
  ])('are found in a %s too', async (format, build) => {
    const id = await idOf(add({ bytes: await build(), filename: `a.${format}` }, { format }));
    expect(await fields(id)).toEqual({
      a: { type: 'object', properties: { b: { type: 'number' } } },
      list: { type: 'array', items: { type: 'object', properties: { y: {} } } },
    });
  });
});

describe('the fields of a template after a change (I-38)', () => {
  const after = (id: string, form: Record<string, Part>): Promise<Answer> =>
    call('POST', '/template/{id}/fields', id, { form });

  it('are those of the files and options that are sent, and of the others as they are stored', async () => {
    const id = await idOf(
      add('{{ a }}', { filename: '{{ number }}' }, { header_data: '{{ title }}', footer_data: '{{ foot }}' }),
    );
    const answer = await after(id, {
      template_data: json({ remove: ['footer'] }),
      file_data: '{{ customer.nmae }}{{ due | format_date }}{{ logo }}{% include "terms.html" %}',
    });
    expect(answer.json()).toMatchObject({ code: 'template_syntax' });
    const partial = { params: { name: 'terms.html' }, form: { file_data: '{{ days }}' } };
    expect((await call('PUT', '/partials/{name+}', null, partial)).status).toBe(200);
    const image = {
      template_data: json({ format: 'png', uri: 'logo' }),
      file_data: { bytes: sample('rgba.png'), filename: 'l.png' },
    };
    expect((await call('POST', '/template/img/{id}', id, { form: image })).status).toBe(200);
    const changed = await after(id, {
      template_data: json({ remove: ['footer'] }),
      file_data: '{{ customer.nmae }}{{ due | format_date }}{{ logo }}{% include "terms.html" %}',
    });
    expect(changed.json()['properties']).toEqual({
      customer: { type: 'object', properties: { nmae: {} } },
      due: { format: 'date' },
      days: {},
      number: {},
      title: {},
    });
    // Nothing was stored.
    expect(Object.keys((await fields(id)) as object)).toEqual(['number', 'a', 'title', 'foot']);
    expect((await call('GET', '/template/{id}', id)).json()).toMatchObject({ latest_version: 2 });
  });

  it('are found in an office file that was not stored yet', async () => {
    const docxOf = async (text: string) => ({ bytes: await docx(p(text)), filename: 'a.docx' });
    const id = await idOf(add(await docxOf('{{ a }}'), { format: 'docx' }));
    const changed = await after(id, { file_data: await docxOf('{{ b.c }}') });
    expect(changed.json()['properties']).toEqual({ b: { type: 'object', properties: { c: {} } } });
    expect((await after(newTemplateId(), { file_data: 'x' })).status).toBe(404);
  });
});

describe('the schema of the data', () => {
  const schema = { type: 'object', required: ['a'] };

  it('is kept with the version, shown with the template, and taken away by remove', async () => {
    const id = await idOf(add('{{ a }}', { data_schema: schema }));
    expect((await call('GET', '/template/{id}', id)).json()).toMatchObject({ data_schema: schema });
    const form = { template_data: json({ remove: ['data_schema'] }) };
    expect((await call('PUT', '/template/{id}', id, { form })).json()).toMatchObject({ data_schema: null });
    const first: Call = { query: { version: '1' } };
    expect((await call('GET', '/template/{id}', id, first)).json()).toMatchObject({ data_schema: schema });
  });

  it('is refused if it is invalid', async () => {
    const answer = await add('{{ a }}', { data_schema: { type: 'text' } });
    expect([answer.status, answer.json()['code']]).toEqual([422, 'invalid_field']);
    expect(answer.bytes.toString()).toContain('template_data.data_schema');
  });
});

describe('samples', () => {
  const at = (name: string, method: string, id: string, body?: string): Promise<Answer> =>
    call(method, '/template/{id}/samples/{name}', id, {
      params: { name },
      ...(body === undefined ? {} : { json: body }),
    });

  it('are kept as they were sent, listed in the template, replaced and deleted', async () => {
    const id = await idOf(add('{{ a }}'));
    const text = '{"10": 1.0, "a": "ü"}';
    const put = await at('first one', 'PUT', id, text);
    expect([put.status, sampleSchema.parse(put.json()).bytes]).toEqual([200, Buffer.byteLength(text)]);
    await at('second', 'PUT', id, '{}');
    await at('second', 'PUT', id, '[1]');
    await call('PUT', '/template/{id}', id, { form: { file_data: 'new' } });
    const { samples } = (await call('GET', '/template/{id}', id)).json();
    expect(samples).toMatchObject([{ name: 'first one' }, { name: 'second', bytes: 3 }]);
    await sweepTemplateFiles(storage, { now: Date.now() + 7_200_000 });
    expect((await at('first one', 'GET', id)).bytes.toString()).toBe(text);
    expect((await at('second', 'GET', id)).bytes.toString()).toBe('[1]');
    expect((await at('second', 'DELETE', id)).status).toBe(204);
    for (const method of ['GET', 'DELETE']) expect((await at('second', method, id)).status).toBe(404);
  });

  it('are refused if they are not JSON, too large, or without a template', async () => {
    const id = await idOf(add('{{ a }}'));
    const refused = async (name: string, body: string, of = id): Promise<unknown[]> => {
      const answer = await at(name, 'PUT', of, body);
      return [answer.status, answer.json()['code']];
    };
    expect(await refused('a', '{')).toEqual([400, 'malformed_json']);
    expect(await refused('a', '')).toEqual([400, 'malformed_json']);
    expect(await refused('a', json({ a: 'x'.repeat(2 ** 20) }))).toEqual([413, 'file_too_large']);
    for (const name of ['a/b', '.', '..']) expect(await refused(name, '{}')).toEqual([422, 'invalid_field']);
    expect(await refused('a', '{}', newTemplateId())).toEqual([404, 'not_found']);
    expect((await call('GET', '/template/{id}', id)).json()['samples']).toEqual([]);
  });
});
