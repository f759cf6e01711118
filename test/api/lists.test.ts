import { expect, it } from 'vitest';
import { call, type Answer, expectStatus, form, jsonOf, mint } from './client.ts';
import { fontOf } from '../support/fonts.ts';

/** Lists: templates by name and tag, and pages of everything (I-55). */

type Entry = Record<string, unknown>;

async function api(token: string, method: string, path: string, body?: FormData): Promise<Answer> {
  const init = { headers: { authorization: token }, ...(body && { body }) };
  return expectStatus(await call(method, path, init), 200);
}

/** All pages of a list, as `Link` leads through them. */
async function pages(token: string, path: string): Promise<Entry[][]> {
  const all: Entry[][] = [];
  for (let next: string | undefined = path; next !== undefined;) {
    const answer: Answer = await api(token, 'GET', next);
    all.push(JSON.parse(answer.bytes.toString()) as Entry[]);
    const [, link] = /<([^>]*)>; rel="next"/.exec(answer.headers.get('link') ?? '') ?? [];
    next = link?.replace(/^.*(?=\/v1\/)/, '');
  }
  return all;
}

it('templates are found by name and tag, on every page, and those of others never', async () => {
  const [ada, bob] = await Promise.all([mint('--tenant', 'lists-ada'), mint('--tenant', 'lists-bob')]);
  for (const [name, tags] of [
    ['Rechnung A', ['Geld & Gut', 'a']],
    ['Brief', ['a']],
    ['rechnung b', ['b', 'b']],
    ['RECHNUNG C', ['Geld & Gut']],
  ] as const) {
    const data = JSON.stringify({ name, format: 'html', tags });
    await api(ada, 'POST', '/v1/template', form({ template_data: data, file_data: 'x' }));
  }
  const names = async (token: string, query: string) =>
    (await pages(token, `/v1/template${query}`)).map((page) => page.map(({ name }) => name));
  expect(await names(ada, '?name=echNUNG&limit=2')).toEqual([['RECHNUNG C', 'rechnung b'], ['Rechnung A']]);
  expect(await names(ada, '?tag=Geld+%26+Gut&limit=1')).toEqual([['RECHNUNG C'], ['Rechnung A']]);
  expect(await names(ada, '?tag=a&name=r')).toEqual([['Brief', 'Rechnung A']]);
  for (const tag of ['geld', 'Geld', 'geld+%26+gut', 'A'])
    expect(await names(ada, `?tag=${tag}`), tag).toEqual([[]]);
  expect(await names(bob, '?name=rechnung')).toEqual([[]]);

  const [[template]] = (await pages(ada, '/v1/template?name=b&tag=b')) as [[Entry]];
  expect(template['tags']).toEqual(['b']);
  const change = await api(
    ada,
    'PUT',
    `/v1/template/${String(template['id'])}`,
    form({ template_data: '{"tags": []}' }),
  );
  expect(jsonOf(change)).toMatchObject({ tags: [], version: 2 });
  expect(await names(ada, '?tag=b')).toEqual([[]]);
  const before = await api(ada, 'GET', `/v1/template/${String(template['id'])}?version=1`);
  expect(jsonOf(before)['tags']).toEqual(['b']);
});

it('versions, fonts, partials and translations are given in pages', async () => {
  const token = await mint('--tenant', 'lists-pages');
  const added = await api(
    token,
    'POST',
    '/v1/template',
    form({ template_data: '{"name":"n","format":"html"}', file_data: '1' }),
  );
  const id = String(jsonOf(added)['id']);
  for (const text of '23456789ab') await api(token, 'PUT', `/v1/template/${id}`, form({ file_data: text }));
  const versions = await pages(token, `/v1/template/${id}/versions?limit=4`);
  expect(versions.map((page) => page.map(({ version }) => version))).toEqual([
    [11, 10, 9, 8],
    [7, 6, 5, 4],
    [3, 2, 1],
  ]);
  for (const name of ['a & b/ä.html', 'b.html', 'c.html']) {
    await api(token, 'PUT', `/v1/partials/${encodeURIComponent(name)}`, form({ file_data: ['x', 'x.html'] }));
    await api(
      token,
      'PUT',
      `/v1/fonts/${name.at(-6)}.ttf`,
      form({ file_data: [fontOf('Lektora'), 'f.ttf'] }),
    );
  }
  expect((await pages(token, '/v1/partials?limit=1')).map(([one]) => one?.['name'])).toEqual([
    'a & b/ä.html',
    'b.html',
    'c.html',
  ]);
  expect((await pages(token, '/v1/fonts?limit=2')).map((page) => page.length)).toEqual([2, 1]);
  for (const locale of ['de', 'fr', 'ja']) {
    const po = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\nmsgid "a"\nmsgstr "b"\n';
    await api(token, 'PUT', `/v1/translations/${locale}`, form({ file_data: [po, 'a.po'] }));
  }
  expect(
    (await pages(token, '/v1/translations?limit=2')).map((page) => page.map(({ locale }) => locale)),
  ).toEqual([['de', 'fr'], ['ja']]);
});
