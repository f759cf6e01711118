import { expect, it } from 'vitest';
import { call, expectStatus, form, jsonOf, mint } from './client.ts';

/** Deleted templates over HTTP: gone for every route, listed for their tenant, and restored. */

const FIELDS = ['id', 'name', 'format', 'tags', 'timestamp', 'deleted', 'by', 'expires'];

const listOf = async (path: string, headers: Record<string, string>): Promise<Record<string, unknown>[]> =>
  jsonOf(expectStatus(await call('GET', path, { headers }), 200)) as unknown as Record<string, unknown>[];

const add = async (html: string, data: object, headers: Record<string, string>): Promise<string> => {
  const template_data = JSON.stringify({ format: 'html', ...data });
  const body = form({ file_data: [html, 'a.html'], template_data });
  return String(jsonOf(expectStatus(await call('POST', '/v1/template', { headers, body }), 200))['id']);
};

const tenant = async (name: string, scopes?: string): Promise<Record<string, string>> => ({
  authorization: await mint(
    '--tenant',
    name,
    '--name',
    `token of ${name}`,
    ...(scopes ? ['--scopes', scopes] : []),
  ),
});

it('a template that was deleted is rendered again after it was restored, and not after it was removed', async () => {
  const headers = await tenant('undecided');
  const id = await add('<p>{{ a }}', { name: 'Offer', tags: ['sales'] }, headers);
  const render = async (): Promise<[number, string]> => {
    const answer = await call('POST', `/v1/render/html/${id}`, {
      headers,
      body: form({ render_data: '{"a":"x"}' }),
    });
    return [answer.status, answer.bytes.toString()];
  };
  expect(await render()).toEqual([200, '<p>x']);
  expectStatus(await call('DELETE', `/v1/template/${id}`, { headers }), 204);
  expect((await render())[0]).toBe(404);
  expect(await listOf('/v1/template', headers)).toEqual([]);

  const [deleted, ...others] = await listOf('/v1/template/deleted', headers);
  expect(others).toEqual([]);
  expect(Object.keys(deleted ?? {}).toSorted()).toEqual(FIELDS.toSorted());
  expect(deleted).toMatchObject({
    id,
    name: 'Offer',
    format: 'html',
    tags: ['sales'],
    by: 'token of undecided',
  });

  const stranger = await tenant('strangers');
  expect(await listOf('/v1/template/deleted', stranger)).toEqual([]);
  for (const [method, path] of [
    ['POST', `/v1/template/${id}/restore`],
    ['DELETE', `/v1/template/${id}?permanent=true`],
  ] as const)
    expectStatus(await call(method, path, { headers: stranger }), 404);
  const reader = await tenant('undecided', 'templates:read');
  expectStatus(await call('POST', `/v1/template/${id}/restore`, { headers: reader }), 403);

  const restored = expectStatus(await call('POST', `/v1/template/${id}/restore`, { headers }), 200);
  expect([jsonOf(restored)['id'], restored.headers.get('etag')]).toEqual([id, '"1"']);
  expect(await render()).toEqual([200, '<p>x']);
  expectStatus(await call('POST', `/v1/template/${id}/restore`, { headers }), 404);
  expect((await listOf(`/v1/template/${id}/history`, headers)).map(({ action }) => action)).toEqual([
    'restored',
    'deleted',
    'added',
  ]);

  expectStatus(await call('DELETE', `/v1/template/${id}`, { headers }), 204);
  expectStatus(await call('DELETE', `/v1/template/${id}?permanent=true`, { headers }), 204);
  expect(await listOf('/v1/template/deleted', headers)).toEqual([]);
  expectStatus(await call('POST', `/v1/template/${id}/restore`, { headers }), 404);
});

it('the list goes on where its page ended', async () => {
  const headers = await tenant('tidy');
  const ids = [];
  for (const name of ['a', 'b', 'c']) ids.unshift(await add('<p>x', { name }, headers));
  for (const id of ids) expectStatus(await call('DELETE', `/v1/template/${id}`, { headers }), 204);
  const first = expectStatus(await call('GET', '/v1/template/deleted?limit=2', { headers }), 200);
  const query = /\?[^>]+/.exec(first.headers.get('link') ?? '')?.[0] ?? '';
  const all = [
    ...(jsonOf(first) as unknown as { id: string }[]),
    ...(await listOf(`/v1/template/deleted${query}`, headers)),
  ];
  expect(all.map(({ id }) => id)).toEqual(ids);
});
