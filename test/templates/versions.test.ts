import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { templateSchema, templateVersionSchema } from '../../packages/contract/src/resources.ts';
import type { Serve } from '../../functions/shared/http/index.ts';
import { docx, p } from '../office/build.ts';
import { type EmbeddedStorage, startEmbeddedStorage } from '../store/embedded.ts';
import { type Answer, caller, type Call } from './gateway.ts';
import { expectedVersion } from '../../functions/shared/template-files/version.ts';

/** `PUT /v1/template/{id}` and its relatives. */

let storage: EmbeddedStorage;
let serve: Serve;
let call: ReturnType<typeof caller>;
beforeAll(async () => {
  storage = await startEmbeddedStorage();
  ({ serve } = await import('../../functions/templates/handler.ts'));
  call = caller(serve);
});
afterAll(() => storage.stop());

const json = (value: object): string => JSON.stringify(value);
async function add(data: object = {}): Promise<string> {
  const form = {
    template_data: json({ name: 'Letter', format: 'html', ...data }),
    file_data: { bytes: '<p>{{ a }}</p>', filename: 'a.html' },
    header_data: 'head {{ a }}',
  };
  return String((await call('POST', '/template', null, { form })).json()['id']);
}
const put = (
  id: string,
  form: NonNullable<Call['form']>,
  headers: Record<string, string> = {},
): Promise<Answer> => call('PUT', '/template/{id}', id, { form, headers });
const get = (id: string, version?: string): Promise<Answer> =>
  call('GET', '/template/{id}', id, version === undefined ? {} : { query: { version } });
const fileOf = async (id: string, version?: string): Promise<string> =>
  (
    await call('GET', '/template/file/{id}', id, version === undefined ? {} : { query: { version } })
  ).bytes.toString();

describe('the next version of a template', () => {
  it('has the given fields and keeps the others, and its tag is its number', async () => {
    const id = await add({ landscape: true, description: 'd' });
    const answer = await put(id, {
      template_data: json({ paper_format: 'A5', note: 'smaller' }),
      file_data: { bytes: '<h1>{{ b }}</h1>', filename: 'b.html' },
    });
    expect([answer.status, answer.headers['etag']]).toEqual([200, '"2"']);
    const template = templateSchema.parse(answer.json());
    expect(template).toMatchObject({
      id,
      version: 2,
      published_version: 2,
      latest_version: 2,
      note: 'smaller',
      name: 'Letter',
      landscape: true,
      paper_format: 'A5',
      description: 'd',
    });
    expect(template.header_file).not.toBeNull();
    expect((await get(id)).json()).toEqual(template);
    const first = await get(id, '1');
    expect(first.headers['etag']).toBe('"1"');
    expect(first.json()).toMatchObject({ version: 1, paper_format: 'A4', published_version: 2 });
    expect([await fileOf(id), await fileOf(id, '1')]).toEqual(['<h1>{{ b }}</h1>', '<p>{{ a }}</p>']);
  });

  it('omits the fields in template_data.remove, and a field may not be both given and removed', async () => {
    const id = await add({ page_range: '1-2', description: 'd' });
    const answer = await put(id, {
      template_data: json({ remove: ['header', 'description', 'page_range'] }),
    });
    const without = { header_file: null, description: null, page_range: null };
    expect(answer.json()).toMatchObject(without);
    expect((await get(id)).json()).toMatchObject(without);
    const both = await put(id, { template_data: json({ remove: ['footer'] }), footer_data: 'foot' });
    expect([both.status, both.json()['code']]).toEqual([422, 'invalid_field']);
    const unknown = await put(id, { template_data: json({ remove: ['body'] }) });
    expect([unknown.status, unknown.json()['code']]).toEqual([422, 'invalid_field']);
    expect((await get(id)).json()).toMatchObject({ version: 2 });
  });

  it('is validated as a whole: unchanged parts have to fit the new ones', async () => {
    const id = await add();
    const bad = await put(id, { footer_data: '{% if %}' });
    expect([bad.status, bad.json()['code']]).toEqual([422, 'template_syntax']);
    const other = await put(id, { template_data: json({ format: 'docx' }) });
    expect([other.status, other.json()['code']]).toEqual([422, 'template_file_invalid']);
    const word = { bytes: await docx(p('{{ a }}')), filename: 'a.docx' };
    const whole = await put(id, { template_data: json({ format: 'docx' }), file_data: word });
    expect([whole.status, whole.json()['format']]).toEqual([200, 'docx']);
    expect((await get(id)).json()).toMatchObject({ version: 2, latest_version: 2 });
  });

  it('is a draft where publish is false, until it is published', async () => {
    const id = await add();
    const answer = await put(id, { publish: 'false', file_data: 'draft' });
    expect(answer.json()).toMatchObject({ version: 2, published_version: 1, latest_version: 2 });
    expect([await fileOf(id), await fileOf(id, 'latest')]).toEqual(['<p>{{ a }}</p>', 'draft']);
    const published = await call('POST', '/template/{id}/publish', id, { form: { version: 'latest' } });
    expect([published.status, published.headers['etag']]).toEqual([200, '"2"']);
    expect(await fileOf(id)).toBe('draft');
    await call('POST', '/template/{id}/publish', id, { form: { version: '1' } });
    expect(await fileOf(id)).toBe('<p>{{ a }}</p>');
    const none = await call('POST', '/template/{id}/publish', id, { form: { version: '7' } });
    expect([none.status, none.json()['code']]).toEqual([404, 'not_found']);
    const nonsense = await call('POST', '/template/{id}/publish', id, { form: { version: '0' } });
    expect([nonsense.status, nonsense.json()['code']]).toEqual([422, 'invalid_field']);
  });

  it('is created for style and image files too, and a deleted one stays in earlier versions', async () => {
    const id = await add();
    const form = { template_data: json({ format: 'css', note: 'red' }), file_data: 'p{color:red}' };
    const style = String((await call('POST', '/template/css/{id}', id, { form })).json()['id']);
    expect((await get(id)).json()).toMatchObject({ version: 2, note: 'red' });
    await call('DELETE', '/template/css/{id}', style, { query: { publish: 'false' } });
    const download = (version?: string) =>
      call('GET', '/css/template/file/{id}', style, version === undefined ? {} : { query: { version } });
    expect((await download()).status).toBe(200);
    await call('POST', '/template/{id}/publish', id, { form: { version: '3' } });
    expect((await download()).status).toBe(404);
    expect((await download('2')).bytes.toString()).toBe('p{color:red}');
  });
});

describe('If-Match', () => {
  it('with an outdated version is 412 and changes nothing, in every operation that changes a template', async () => {
    const id = await add();
    const css = { template_data: json({ format: 'css' }), file_data: 'a{}' };
    const style = String((await call('POST', '/template/css/{id}', id, { form: css })).json()['id']);
    const headers = { 'If-Match': '"1"' };
    const attempts = [
      () => put(id, { file_data: 'x' }, headers),
      () => call('POST', '/template/css/{id}', id, { headers, form: css }),
      () => call('DELETE', '/template/css/{id}', style, { headers }),
      () => call('POST', '/template/{id}/publish', id, { headers, form: { version: '1' } }),
      () => call('DELETE', '/template/{id}', id, { headers }),
    ];
    for (const attempt of attempts) {
      const answer = await attempt();
      expect([answer.status, answer.json()['code']]).toEqual([412, 'version_conflict']);
    }
    expect((await get(id)).json()).toMatchObject({ version: 2 });
    for (const tag of ['"3"', '"20"', '""', '"02"', '"2"', 'W/"2"', '2', '"1", "2"', '*']) {
      const answer = await put(
        id,
        { publish: 'false', template_data: json({ note: tag }) },
        { 'If-Match': tag },
      );
      // A draft is the newest version: what is expected is that.
      expect(answer.status, tag).toBe(tag === '"2"' || tag === '*' ? 200 : 412);
    }
  });
});

it('If-Match names whole numbers, and on publishing the version that is published (I-37)', async () => {
  const fits = (header: string, version: number) => expectedVersion(header)?.(version);
  expect([fits('"12"', 12), fits('"7", "12"', 12)]).toEqual([true, true]);
  for (const header of ['"1"', '"2"', '"120"', '"13"', '""']) expect(fits(header, 12), header).toBe(false);

  const id = await add();
  await put(id, { publish: 'false', file_data: 'draft' });
  const publish = async (tag: string) =>
    await call('POST', '/template/{id}/publish', id, {
      headers: { 'If-Match': tag },
      form: { version: '2' },
    });
  expect((await publish('"2"')).status).toBe(412);
  expect((await publish('"1"')).status).toBe(200);
});

describe('the list of versions', () => {
  it('has the note, the changes and the state of publication of each, newest first', async () => {
    const id = await add();
    await put(id, { template_data: json({ name: 'Brief', scale: 0.5, note: 'shorter' }), footer_data: 'f' });
    await put(id, { publish: 'false', file_data: 'draft' });
    const answer = await call('GET', '/template/{id}/versions', id);
    const versions = templateVersionSchema.array().parse(answer.json());
    expect(versions).toMatchObject([
      { version: 3, note: null, published: false, changes: ['template_file'] },
      { version: 2, note: 'shorter', published: true, changes: ['name', 'footer_file', 'scale'] },
      { version: 1, note: null, published: false, changes: [] },
    ]);
    expect((await call('GET', '/template/{id}/versions', 'nonsense')).status).toBe(404);
  });
});
