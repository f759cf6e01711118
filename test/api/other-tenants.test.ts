import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { ROUTES } from '../../packages/contract/src/routes.ts';
import { openAuthority } from '../signatures/support.ts';
import { fontOf } from '../support/fonts.ts';
import { addTemplate, type Answer, call, endedJob, expectStatus, form, jsonOf, mint } from './client.ts';

/**
 * No route gives a tenant what belongs to another one, whatever the id (I-2): every route with an id, with ids that are
 * right, shortened, extended and climbing; signed links with other parameters; and keys of Idempotency-Key.
 */

const { url } = inject('service');
const PRECIOUS = 'precious';
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

let stranger: { authorization: string };
let manager: { authorization: string };
/** The ids and names of one tenant, by what they are of. */
const ids: Record<string, string> = {};

type Body = NonNullable<RequestInit['body']>;

const idOf = (answer: Answer): string => String(jsonOf(expectStatus(answer, 200))['id']);

beforeAll(async () => {
  const scopes = 'templates:read,templates:write,render,pdf,keys,admin';
  stranger = { authorization: await mint('--tenant', 'other', '--scopes', scopes) };
  manager = { authorization: await mint('--tenant', 'local', '--scopes', scopes) };
  const template = await addTemplate(`<p>${PRECIOUS} {{ name }}`);
  const css = { file_data: [`p{--a:${PRECIOUS}}`, 'a.css'], template_data: '{"format":"css"}' } as const;
  const png = { file_data: [PNG, 'a.png'], template_data: '{"format":"png"}' } as const;
  const add = async (kind: string, fields: Parameters<typeof form>[0]) =>
    idOf(await call('POST', `/v1/template/${kind}/${template}`, { body: form(fields) }));
  ids['css'] = await add('css', { ...css, file_data: [...css.file_data] });
  ids['image'] = await add('img', { ...png, file_data: [...png.file_data] });
  ids['template'] = template;
  const shown = jsonOf(await call('GET', `/v1/template/${template}`));
  ids['file'] = (shown['template_file'] as { id: string }).id;
  const ours = { headers: manager };
  const put = async (path: string, body: Body, headers: object = {}) =>
    expect(
      (await call('PUT', path, { headers: { ...manager, ...headers }, body })).status,
      path,
    ).toBeLessThan(300);
  ids['sample'] = `sample-${randomUUID()}`;
  await put(`/v1/template/${template}/samples/${ids['sample']}`, `{"a":"${PRECIOUS}"}`, {
    'content-type': 'application/json',
  });
  ids['partial'] = `partial-${randomUUID()}.html`;
  await put(`/v1/partials/${ids['partial']}`, form({ file_data: [`<i>${PRECIOUS}`, 'p.html'] }));
  ids['font'] = 'Precious.ttf';
  await put('/v1/fonts/Precious.ttf', form({ file_data: [fontOf('Caladea'), 'Precious.ttf'] }));
  const authority = await openAuthority();
  ids['key'] = 'precious-key';
  const pkcs12: [Buffer, string] = [authority.pki.issue('Precious').pkcs12('word'), 'key.p12'];
  await put('/v1/keys/precious-key', form({ pkcs12, password: 'word' }));
  await authority.close();
  ids['locale'] = 'gsw';
  const po = `msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n\nmsgid "a"\nmsgstr "${PRECIOUS}"\n`;
  await put('/v1/translations/gsw', form({ file_data: [po, 'gsw.po'] }));
  const job = await call('POST', `/v1/render/html/${template}`, {
    body: form({ render_data: '{"name":"job"}' }),
    headers: { prefer: 'respond-async' },
  });
  ids['job'] = String(jsonOf(expectStatus(job, 202))['id']);
  await endedJob(ids['job']);
  const token = await call('POST', '/v1/tokens', {
    ...ours,
    body: form({ name: PRECIOUS, scopes: '["render"]' }),
  });
  ids['token'] = idOf(token);
});

// Other tests print with the fonts and translations of the same tenant.
afterAll(async () => {
  const stored = [
    'fonts/Precious.ttf',
    'translations/gsw',
    `partials/${ids['partial']}`,
    'keys/precious-key',
  ];
  for (const path of stored) await call('DELETE', `/v1/${path}`, { headers: manager });
});

const css = (): FormData => form({ file_data: ['p{}', 'a.css'], template_data: '{"format":"css"}' });
const png = (): FormData => form({ file_data: [PNG, 'a.png'], template_data: '{"format":"png"}' });
const data = (): FormData => form({ render_data: '{}' });
/** Of which id the routes are that take one, and what they are sent. */
const TAKING: Record<string, { of: string; within?: string; body?: () => Body }> = {
  revokeToken: { of: 'token' },
  getTemplate: { of: 'template' },
  deleteTemplate: { of: 'template' },
  restoreTemplate: { of: 'template' },
  changeTemplate: { of: 'template', body: () => form({ template_data: '{"name":"taken"}' }) },
  addStylesheet: { of: 'template', body: css },
  deleteStylesheet: { of: 'css' },
  addImage: { of: 'template', body: png },
  deleteImage: { of: 'image' },
  getTemplateFile: { of: 'file' },
  getStylesheetFile: { of: 'css' },
  getStylesheetFileAsCalled: { of: 'css' },
  getImageFile: { of: 'image' },
  listVersions: { of: 'template' },
  listHistory: { of: 'template' },
  publishVersion: { of: 'template', body: () => form({ version: '1' }) },
  getFields: { of: 'template' },
  getChangedFields: { of: 'template', body: () => form({ template_data: '{}' }) },
  putSample: { of: 'sample', within: 'template', body: () => '{"a":"taken"}' },
  getSample: { of: 'sample', within: 'template' },
  deleteSample: { of: 'sample', within: 'template' },
  getPartial: { of: 'partial' },
  deletePartial: { of: 'partial' },
  deleteFont: { of: 'font' },
  getTranslation: { of: 'locale' },
  deleteTranslation: { of: 'locale' },
  renderTemplate: { of: 'template', body: data },
  renderTemplateBatch: { of: 'template', body: () => form({ render_data: '[{}]' }) },
  renderStoredImage: { of: 'image' },
  renderStoredImageByPost: { of: 'image', body: () => form({ render_options: '{}' }) },
  getKey: { of: 'key' },
  deleteKey: { of: 'key' },
  getJob: { of: 'job' },
  cancelJob: { of: 'job' },
  getJobResult: { of: 'job' },
  getJobReport: { of: 'job' },
};
/** Routes that write under a name that each tenant has of its own, and those whose parameter is no id. */
const WITHOUT_ID = [
  'putPartial',
  'putFont',
  'putTranslation',
  'putKey',
  'renderNow',
  'renderNowBatch',
  'renderPdfPages',
];

const withParameters = ROUTES.filter(({ path }) => path.includes('{'));

/** An id in forms that a guess may have. */
const guesses = (id: string): string[] => [
  id,
  id.slice(0, -1),
  id.slice(0, 8),
  `${id}0`,
  id.toUpperCase(),
  `local%2f${id}`,
  `..%2flocal%2f${id}`,
  `..%2f..%2flocal%2f${id}`,
  `${id}%00`,
  `${id}%2f..%2f${id}`,
  '*',
  '%25',
];

describe('an id of another tenant', () => {
  it('is taken by routes that this table knows', () => {
    expect(withParameters.map(({ operation }) => operation).sort()).toEqual(
      [...Object.keys(TAKING), ...WITHOUT_ID].sort(),
    );
  });

  it.each(withParameters.filter(({ operation }) => operation in TAKING))(
    'gets nothing and changes nothing by $method $path, however it is written',
    async ({ method, path, operation }) => {
      const { of, within, body } = TAKING[operation] ?? expect.unreachable(operation);
      for (const guess of guesses(ids[of] ?? expect.unreachable(of))) {
        const filled = path
          .replace('{format}', 'html')
          .replace('{id}', within === undefined ? guess : (ids[within] ?? ''))
          .replace(/\{[^}]+\}/, guess);
        const sent = body?.();
        const answer = await call(method, filled, {
          headers: {
            ...stranger,
            ...(typeof sent === 'string' ? { 'content-type': 'application/json' } : {}),
          },
          ...(sent === undefined ? {} : { body: sent }),
        });
        // Only what cannot be an id at all is refused in another way.
        const expected = guess === ids[of] ? [404] : [400, 404, 405, 422];
        expect(expected, `${filled}: ${answer.bytes.toString('utf8', 0, 300)}`).toContain(answer.status);
        expect(answer.bytes.toString(), filled).not.toContain(`${PRECIOUS} `);
      }
    },
  );

  it('still gives its own tenant everything after that', async () => {
    const get = async (path: string): Promise<string> =>
      expectStatus(await call('GET', path, { headers: manager }), 200).bytes.toString();
    expect(await get(`/v1/template/file/${ids['file']}`)).toContain(PRECIOUS);
    expect(await get(`/v1/template/css/file/${ids['css']}`)).toContain(PRECIOUS);
    expect(await get(`/v1/template/${ids['template']}/samples/${ids['sample']}`)).toContain(PRECIOUS);
    expect(await get(`/v1/partials/${ids['partial']}`)).toContain(PRECIOUS);
    expect(await get('/v1/translations/gsw')).toContain(PRECIOUS);
    expect(await get(`/v1/jobs/${ids['job']}/result`)).toContain(PRECIOUS);
    expect(await get('/v1/tokens')).toContain(PRECIOUS);
    expect(await get('/v1/fonts')).toContain('Precious.ttf');
    expect(await get('/v1/keys/precious-key')).toContain('precious-key');
    expect((await call('GET', `/v1/img/${ids['image']}`)).status).toBe(200);
  });
});

describe('a signed link to a result', () => {
  const linkOf = async (id: string, headers: Record<string, string>): Promise<string> => {
    const response = await fetch(`${url}/v1/jobs/${id}/result?redirect=true`, {
      headers,
      redirect: 'manual',
    });
    expect(response.status).toBe(303);
    return response.headers.get('location') ?? '';
  };

  it('is valid for its own result only, as it was signed', async () => {
    const made = await call('POST', '/v1/render/html', {
      body: form({ file_data: ['<p>own', 'a.html'], render_data: '{}' }),
      headers: { ...stranger, prefer: 'respond-async' },
    });
    const own = String(jsonOf(expectStatus(made, 202))['id']);
    await expect
      .poll(async () => jsonOf(await call('GET', `/v1/jobs/${own}`, { headers: stranger }))['state'])
      .toBe('succeeded');
    const link = await linkOf(own, stranger);
    expect(await (await fetch(link)).text()).toBe('<p>own');
    const precious = new URL(await linkOf(ids['job'] ?? '', manager));
    const changed = (change: (address: URL) => void): string => {
      const address = new URL(link);
      change(address);
      return address.href;
    };
    const set = (name: string, value: string): string =>
      changed(({ searchParams }) => searchParams.set(name, value));
    for (const address of [
      changed((to) => (to.pathname = precious.pathname)),
      changed((to) => (to.pathname = to.pathname.replace('/other/', '/other/../local/'))),
      changed((to) => (to.pathname = to.pathname.replace('/other/', '/other/%2e%2e/local/'))),
      changed((to) => (to.pathname = to.pathname.slice(0, -1))),
      changed((to) => (to.pathname = to.pathname.slice(0, to.pathname.indexOf('/', 1) + 1))),
      set('X-Amz-Expires', '86400'),
      set('X-Amz-Date', '20991231T000000Z'),
      set('X-Amz-Signature', precious.searchParams.get('X-Amz-Signature') ?? ''),
      set('X-Amz-Signature', ''),
      set('response-content-type', 'text/html'),
      set('prefix', 'jobs/local/'),
      changed(({ searchParams }) => searchParams.delete('X-Amz-Expires')),
      changed((to) => (to.search = '')),
    ]) {
      const response = await fetch(address);
      expect([400, 403, 404], address).toContain(response.status);
      expect(await response.text(), address).not.toContain(PRECIOUS);
    }
    expect((await fetch(link, { method: 'DELETE' })).status).toBe(403);
    expect((await fetch(link, { method: 'PUT', body: 'x' })).status).toBe(403);
    expect(await (await fetch(link)).text()).toBe('<p>own');
  });
});

describe('an Idempotency-Key', () => {
  const ask = async (headers: Record<string, string>, text: string, key: string) =>
    await call('POST', '/v1/render/html', {
      body: form({ file_data: [`<p>${text}`, 'a.html'], render_data: '{}' }),
      headers: { ...headers, 'idempotency-key': key },
    });

  it('that two tenants use at the same time gives each of them its own document', async () => {
    await Promise.all(
      Array.from({ length: 6 }, async () => {
        const key = randomUUID();
        const answers = await Promise.all([
          ask(manager, 'ours', key),
          ask(stranger, 'theirs', key),
          ask(manager, 'ours', key),
          ask(stranger, 'theirs', key),
        ]);
        for (const [index, { status, bytes }] of answers.entries()) {
          const expected = index % 2 === 0 ? '<p>ours' : '<p>theirs';
          expect([200, 409]).toContain(status);
          if (status === 200) expect(bytes.toString()).toBe(expected);
        }
        expect((await ask(stranger, 'theirs', key)).bytes.toString()).toBe('<p>theirs');
        expect((await ask(manager, 'ours', key)).bytes.toString()).toBe('<p>ours');
      }),
    );
  });

  it('that two tenants use for jobs at the same time gives each of them its own job', async () => {
    const key = randomUUID();
    const results = await Promise.all(
      (
        [
          [manager, 'ours'],
          [stranger, 'theirs'],
        ] as const
      ).map(async ([headers, text]) => {
        const sent = { ...headers, prefer: 'respond-async' };
        const id = String(jsonOf(expectStatus(await ask(sent, text, key), 202))['id']);
        expect(String(jsonOf(expectStatus(await ask(sent, text, key), 202))['id'])).toBe(id);
        await expect
          .poll(async () => jsonOf(await call('GET', `/v1/jobs/${id}`, { headers }))['state'])
          .toBe('succeeded');
        const result = await call('GET', `/v1/jobs/${id}/result`, { headers });
        expect(result.bytes.toString()).toBe(`<p>${text}`);
        return id;
      }),
    );
    expect(new Set(results).size).toBe(2);
  });

  it('with another request of the same tenant is refused, even at the same time', async () => {
    const key = randomUUID();
    const answers = await Promise.all(['first', 'second'].map((text) => ask(manager, text, key)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
    for (const [index, text] of ['first', 'second'].entries()) {
      const again = await ask(manager, text, key);
      expect(again.status).toBe(answers[index]?.status);
      if (again.status === 200) expect(again.bytes.toString()).toBe(`<p>${text}`);
      else expect(jsonOf(again)).toMatchObject({ code: 'idempotency_key_reused' });
    }
  });
});
