import { expect, it } from 'vitest';
import { pdfText } from '../chrome/pdf.ts';
import { addTemplate, call, expectStatus, form, jsonOf } from './client.ts';

/** Versions over HTTP. */

it('a rendering of a version stays the same after later changes', async () => {
  const id = await addTemplate('<p>one {{ a }}</p>');
  const render = async (query = ''): Promise<string> => {
    const body = form({ render_data: '{"a": 1}' });
    return expectStatus(await call('POST', `/v1/render/html/${id}${query}`, { body }), 200).bytes.toString();
  };
  const put = async (fields: Parameters<typeof form>[0]) =>
    expectStatus(await call('PUT', `/v1/template/${id}`, { body: form(fields) }), 200);
  await put({ file_data: '<p>two {{ a }}</p>' });
  const draft = await put({ file_data: '<p>three {{ a }}</p>', publish: 'false' });
  expect(draft.headers.get('etag')).toBe('"3"');
  expect([await render(), await render('?version=1'), await render('?version=latest')]).toEqual([
    '<p>two 1</p>',
    '<p>one 1</p>',
    '<p>three 1</p>',
  ]);
  const published = await call('POST', `/v1/template/${id}/publish`, { body: form({ version: '1' }) });
  expect(jsonOf(expectStatus(published, 200))).toMatchObject({ version: 1, latest_version: 3 });
  expect(await render()).toBe('<p>one 1</p>');
  const headers = { 'if-match': '"2"' };
  const late = await call('PUT', `/v1/template/${id}`, { headers, body: form({ file_data: 'x' }) });
  expect([late.status, jsonOf(late)['code']]).toEqual([412, 'version_conflict']);
  const none = await call('POST', `/v1/render/html/${id}?version=9`, { body: form({ render_data: '{}' }) });
  expect([none.status, jsonOf(none)['code']]).toEqual([404, 'not_found']);
  expectStatus(await call('DELETE', `/v1/template/${id}`), 204);
});

it('a rendering has the template that is current when it begins', async () => {
  const id = await addTemplate('<p>text 0</p>');
  const render = async (): Promise<{ status: number; text: string }> => {
    const { status, bytes } = await call('POST', `/v1/render/pdf/${id}`, {
      body: form({ render_data: '{}' }),
    });
    return { status, text: status === 200 ? (/text \d|mended/.exec(pdfText(bytes))?.[0] ?? '') : '' };
  };
  expect(await render()).toEqual({ status: 200, text: 'text 0' });
  for (const n of [1, 2, 3]) {
    const body = form({ file_data: `<p>text ${n}</p>` });
    expectStatus(await call('PUT', `/v1/template/${id}`, { body }), 200);
    expect(await render()).toEqual({ status: 200, text: `text ${n}` });
  }
  const broken = form({ file_data: '{{ missing.attribute.of }}' });
  expectStatus(await call('PUT', `/v1/template/${id}`, { body: broken }), 200);
  expect((await render()).status).toBe(422);
  const mended = form({ file_data: '<p>mended</p>' });
  expectStatus(await call('PUT', `/v1/template/${id}`, { body: mended }), 200);
  expect(await render()).toEqual({ status: 200, text: 'mended' });
  expectStatus(await call('DELETE', `/v1/template/${id}`), 204);
  expect((await render()).status).toBe(404);
});

it('data that do not fit the schema of the template are reported with their JSON pointers, and not rendered', async () => {
  const schema = '{"properties": {"items": {"items": {"properties": {"price": {"type": "number"}}}}}}';
  const data = `{"name": "n", "format": "html", "data_schema": ${schema}}`;
  const added = await call('POST', '/v1/template', {
    body: form({ template_data: data, file_data: '{{ items[0].price }}' }),
  });
  const id = String(jsonOf(expectStatus(added, 200))['id']);
  const wrong = '{"items": [{"price": 1}, {"price": "x"}]}';
  const sent = form({ template_data: data, file_data: ['<p>', 'a.html'], render_data: wrong });
  for (const [path, body] of [
    [`/v1/render/html/${id}`, form({ render_data: wrong })],
    ['/v1/render/html', sent],
  ] as const) {
    const answer = await call('POST', path, { body });
    expect([answer.status, jsonOf(answer)['code']], path).toEqual([422, 'render_data_invalid']);
    expect(jsonOf(answer)['errors']).toMatchObject([{ field: 'render_data', pointer: '/items/1/price' }]);
  }
  const batch = form({ render_data: `[{"items": [{"price": 2}]}, ${wrong}]`, on_error: 'fail' });
  const failed = await call('POST', `/v1/render/html/batch/${id}`, { body: batch });
  expect([failed.status, jsonOf(failed)['code']]).toEqual([422, 'batch_failed']);
  expect(jsonOf(failed)['errors']).toMatchObject([{ record: 1, pointer: '/items/1/price' }]);
  const right = form({ render_data: '{"items": [{"price": 3}]}' });
  expect(
    expectStatus(await call('POST', `/v1/render/html/${id}`, { body: right }), 200).bytes.toString(),
  ).toBe('3');
  const answer = await call('GET', `/v1/template/${id}/fields`);
  expect(jsonOf(expectStatus(answer, 200))['properties']).toHaveProperty('items');
});

it('a schema whose pattern never ends is ended at the deadline for filling', async () => {
  const schema = '{"properties": {"a": {"pattern": "^(x+x+)+y$"}}}';
  const data = `{"data_schema": ${schema}}`;
  const body = form({
    template_data: data,
    file_data: ['<p>', 'a.html'],
    render_data: `{"a": "${'x'.repeat(60)}"}`,
  });
  const answer = await call('POST', '/v1/render/html', { body });
  expect([answer.status, jsonOf(answer)['code']]).toEqual([422, 'template_budget']);
});
