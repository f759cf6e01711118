import { expect, it } from 'vitest';
import { addTemplate, call, expectStatus, form, jsonOf, mint, pathOf } from './client.ts';

/** Who changed a template, published it and asked for a job: the name of the token, in any script. */

const NAME = 'Zoë „Druck“ 🖨 &amp; 山';

const listOf = async (path: string, headers: Record<string, string>): Promise<Record<string, unknown>[]> =>
  jsonOf(expectStatus(await call('GET', path, { headers }), 200)) as unknown as Record<string, unknown>[];

it('versions and the history of a template name the token, or its id if it has no name', async () => {
  const named = { authorization: await mint('--tenant', 'local', '--name', NAME) };
  const nameless = { authorization: await mint('--tenant', 'local') };
  const id = await addTemplate('<p>one');
  const own = (await listOf(`/v1/template/${id}/versions`, named))[0]?.['by'];

  const change = form({ template_data: '{"name":"two","note":"why"}', publish: 'false' });
  expectStatus(await call('PUT', `/v1/template/${id}`, { headers: named, body: change }), 200);
  const publish = form({ version: '2' });
  expectStatus(await call('POST', `/v1/template/${id}/publish`, { headers: nameless, body: publish }), 200);

  expect(await listOf(`/v1/template/${id}/versions`, named)).toMatchObject([
    { version: 2, by: NAME, published: true },
    { version: 1, by: own },
  ]);
  const nameOfNameless = expect.stringMatching(/^[0-9a-f]{12}$/) as string;
  const history = `/v1/template/${id}/history`;
  expect(await listOf(history, named)).toMatchObject([
    { action: 'published', version: 2, by: nameOfNameless },
    { action: 'drafted', version: 2, by: NAME },
    { action: 'added', version: 1, by: own },
  ]);

  const first = expectStatus(await call('GET', `${history}?limit=2`, { headers: named }), 200);
  const next = /^<([^>]+)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
  expect(next.startsWith(pathOf(history))).toBe(true);
  const query = next.slice(next.indexOf('?'));
  expect(await listOf(`${history}${query}`, named)).toMatchObject([{ action: 'added' }]);
  for (const cursor of ['1', 'x-y', `1-${'g'.repeat(20)}`]) {
    expect((await call('GET', `${history}?cursor=${cursor}`, { headers: named })).status).toBe(422);
  }
});

it('jobs name the token that asked for them', async () => {
  const named = { authorization: await mint('--tenant', 'local', '--name', NAME) };
  const headers = { ...named, prefer: 'respond-async' };
  const body = form({ file_data: ['<p>x', 'x.html'] });
  const job = jsonOf(expectStatus(await call('POST', '/v1/render/html', { headers, body }), 202));
  expect(job['by']).toBe(NAME);
  const found = expectStatus(await call('GET', `/v1/jobs/${String(job['id'])}`, { headers: named }), 200);
  expect(jsonOf(found)).toMatchObject({ by: NAME });
});
