import { expect, it } from 'vitest';
import { documented, xmlOf } from '../../packages/factur-x/test/invoices.ts';
import {
  addTemplate,
  call,
  endedJob,
  expectStatus,
  form,
  jsonOf,
  mint,
  zipEntries,
  zipEntry,
} from './client.ts';

/** Partials over HTTP (I-39). */

async function put(name: string, text: string | Buffer): Promise<void> {
  const body = form({ file_data: [text, 'partial'] });
  expectStatus(await call('PUT', `/v1/partials/${name}`, { body }), 200);
}

async function render(id: string, query = '', data = '{"name": "Ada"}'): Promise<string> {
  const body = form({ render_data: data });
  return expectStatus(await call('POST', `/v1/render/html/${id}${query}`, { body }), 200).bytes.toString();
}

it('keeps partials by their paths, slashes plain or escaped, and lists them with cursors', async () => {
  await put('api/letters/footer.html', '<b>{{ name }}</b>');
  expectStatus(
    await call('PUT', '/v1/partials/api%2Fletters%2Fhead.html', {
      body: form({ file_data: 'Dear {{ name }}' }),
    }),
    200,
  );
  const got = expectStatus(await call('GET', '/v1/partials/api%2fletters/footer.html'), 200);
  expect([got.bytes.toString(), got.headers.get('content-type')]).toEqual([
    '<b>{{ name }}</b>',
    'text/html; charset=utf-8',
  ]);
  const names: unknown[] = [];
  for (let path: string | undefined = '/v1/partials?limit=1'; path !== undefined;) {
    const answer = expectStatus(await call('GET', path), 200);
    names.push(...(JSON.parse(answer.bytes.toString()) as { name: string }[]).map(({ name }) => name));
    path = /<[^>]*(\/v1\/[^>]*)>/.exec(answer.headers.get('link') ?? '')?.[1];
  }
  expect(names.filter((name) => String(name).startsWith('api/'))).toEqual([
    'api/letters/footer.html',
    'api/letters/head.html',
  ]);
  for (const name of ['a//b', 'a%2F..%2Fb', '%2Fa', 'a%00'])
    expect((await call('PUT', `/v1/partials/${name}`, { body: form({ file_data: 'x' }) })).status, name).toBe(
      422,
    );
  expectStatus(await call('DELETE', '/v1/partials/api/letters/head.html'), 204);
  expectStatus(await call('GET', '/v1/partials/api/letters/head.html'), 404);
});

it('a published version keeps its partials if they are changed or deleted', async () => {
  await put('api/pin.html', 'one {{ name }}{% include "api/inner.html" ignore missing %}');
  const id = await addTemplate('<p>{% include "api/pin.html" %}</p>');
  await put('api/inner.html', '!');
  await put('api/pin.html', 'two {{ name }}{% include "api/inner.html" ignore missing %}');
  expect(await render(id)).toBe('<p>one Ada</p>');
  const template = form({
    file_data: ['<p>{% include "api/pin.html" %}</p>', 'a.html'],
    render_data: '{"name": "Ada"}',
  });
  const now = expectStatus(await call('POST', '/v1/render/html', { body: template }), 200);
  expect(now.bytes.toString()).toBe('<p>two Ada!</p>');
  const draft = form({ publish: 'false', template_data: '{"note": "n"}' });
  expectStatus(await call('PUT', `/v1/template/${id}`, { body: draft }), 200);
  expect(await render(id, '?version=latest')).toBe('<p>two Ada!</p>');
  await put('api/pin.html', 'three');
  expect(await render(id, '?version=latest')).toBe('<p>two Ada!</p>');
  expectStatus(await call('POST', `/v1/template/${id}/publish`, { body: form({ version: '2' }) }), 200);
  expect(await render(id)).toBe('<p>three</p>');
  await put('api/pin.html', 'four');
  // A version that was published is taken back to with the partials that it had then.
  for (const [version, text] of [
    ['1', 'one Ada'],
    ['2', 'three'],
  ] as const) {
    expectStatus(await call('POST', `/v1/template/${id}/publish`, { body: form({ version }) }), 200);
    expect(await render(id)).toBe(`<p>${text}</p>`);
  }
  for (const name of ['pin', 'inner'])
    expectStatus(await call('DELETE', `/v1/partials/api/${name}.html`), 204);
  expect([await render(id), await render(id, '?version=1')]).toEqual(['<p>three</p>', '<p>one Ada</p>']);
  const style = form({ template_data: '{"format": "css"}', file_data: ['p {}', 'a.css'] });
  expectStatus(await call('POST', `/v1/template/css/${id}`, { body: style }), 200);
  expect(await render(id)).toContain('<p>three</p>');
  const got = jsonOf(expectStatus(await call('GET', `/v1/template/${id}`), 200));
  expect(got['partials']).toEqual(['api/pin.html']);
});

it('missing and circular partials are reported at the place that names them', async () => {
  await put('api/a.html', 'a\n{% include "api/b.html" %}');
  await put('api/b.html', '{% if x %}{% include "api/a.html" %}{% endif %}');
  const add = async (text: string) => {
    const template_data = '{"name": "n", "format": "html"}';
    const answer = await call('POST', '/v1/template', { body: form({ template_data, file_data: text }) });
    return [answer.status, jsonOf(answer)['code'], jsonOf(answer)['errors']];
  };
  expect(await add('<p>\n {% include "api/none.html" %}</p>')).toMatchObject([
    422,
    'template_syntax',
    [
      {
        field: 'file_data',
        file: 'template',
        line: 2,
        column: 5,
        message: 'there is no partial "api/none.html"',
      },
    ],
  ]);
  expect(await add('{% include "api/a.html" %}')).toMatchObject([
    422,
    'template_syntax',
    [
      {
        file: 'partials/api/b.html',
        line: 1,
        message: expect.stringContaining('api/a.html → api/b.html → api/a.html') as unknown,
      },
    ],
  ]);
  expect((await add('{% include ["api/none.html", "api/nor.html"] %}'))[0]).toBe(422);
  expect((await add('{% include "api/none.html" ignore missing %}{% include x %}'))[0]).toBe(200);
});

it('partials belong to one tenant', async () => {
  await put('api/mine.html', 'mine');
  const authorization = await mint('--tenant', 'other-of-partials');
  const headers = { authorization };
  expectStatus(await call('GET', '/v1/partials/api/mine.html', { headers }), 404);
  expect(JSON.parse((await call('GET', '/v1/partials', { headers })).bytes.toString())).toEqual([]);
  const template_data = '{"name": "n", "format": "html"}';
  const body = form({ template_data, file_data: '{% include "api/mine.html" %}' });
  expectStatus(await call('POST', '/v1/template', { headers, body }), 422);
  const sent = form({
    file_data: ['{% include "api/mine.html" ignore missing %}.', 'a.html'],
    render_data: '{}',
  });
  expect((await call('POST', '/v1/render/html', { headers, body: sent })).bytes.toString()).toBe('.');
});

it('a batch as a job renders every record with the version and the partials at the time of its acceptance', async () => {
  await put('api/job.html', 'old');
  const id = await addTemplate('one {{ n }} {% include "api/job.html" %}');
  const render_data = JSON.stringify(Array.from({ length: 60 }, (_, n) => ({ n })));
  const sent = form({ file_data: ['{{ n }} {% include "api/job.html" %}', 'a.html'], render_data });
  const headers = { prefer: 'respond-async' };
  const jobs = [
    await call('POST', `/v1/render/html/batch/${id}`, { headers, body: form({ render_data }) }),
    await call('POST', '/v1/render/html/batch', { headers, body: sent }),
  ].map((answer) => String(jsonOf(expectStatus(answer, 202))['id']));
  await put('api/job.html', 'new');
  expectStatus(await call('PUT', `/v1/template/${id}`, { body: form({ file_data: 'two' }) }), 200);
  for (const [at, job] of jobs.entries()) {
    expect((await endedJob(job))['state']).toBe('succeeded');
    const zip = expectStatus(await call('GET', `/v1/jobs/${job}/result`), 200).bytes;
    const texts = zipEntries(zip).map((entry) => zipEntry(zip, entry).toString());
    expect(new Set(texts)).toEqual(
      new Set(Array.from({ length: 60 }, (_, n) => (at === 0 ? `one ${n} old` : `${n} old`))),
    );
  }
});

it('the XML of an invoice can be made of a partial, filled with the same record', async () => {
  const xml = xmlOf(documented(), 'minimum');
  const number = /<rsm:ExchangedDocument>\s*<ram:ID>([^<]*)</.exec(xml)?.[1] ?? '';
  await put('api/invoice.xml', xml.replace(`<ram:ID>${number}<`, '<ram:ID>{{ number }}<'));
  const render = async (template: string) => {
    const render_options = JSON.stringify({ factur_x: { profile: 'minimum', template } });
    const fields = { render_data: '{"number": "R-77"}', render_options };
    return await call('POST', '/v1/render/pdf', {
      body: form({ file_data: ['<p>x</p>', 'a.html'], ...fields }),
    });
  };
  const file = expectStatus(await render('api/invoice.xml'), 200).bytes;
  const extracted = await call('POST', '/v1/pdf/factur-x/extract', { body: form({ file: [file, 'a.pdf'] }) });
  expect(expectStatus(extracted, 200).bytes.toString()).toContain('<ram:ID>R-77</ram:ID>');
  const wrong = await render('api/none.xml');
  expect([wrong.status, jsonOf(wrong)['code']]).toEqual([422, 'invalid_option']);
});
