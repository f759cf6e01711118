import { expect, it } from 'vitest';
import { addTemplate, call, expectStatus, form, jsonOf } from './client.ts';

/** Versions over HTTP (extension 37). */

it('a rendering of a version stays the same, whatever was changed since', async () => {
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
