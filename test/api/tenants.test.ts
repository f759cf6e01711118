import { beforeAll, describe, expect, inject, it } from 'vitest';
import { addTemplate, type Answer, call, expectStatus, form, jsonOf, mint } from './client.ts';

/**
 * Another tenant's ids are ids that do not exist (I-2), whatever they are of and wherever they stand; and tokens
 * end.
 */

const { url } = inject('service');
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

let otherTenant: Record<string, string>;
let template: string;
let image: string;
let css: string;
let upload: string;
let job: string;

const idOf = (answer: Answer): string => String(jsonOf(answer)['id']);

async function uploaded(text: string): Promise<{ id: string; send: (content: string) => Promise<number> }> {
  const made = jsonOf(
    expectStatus(await call('POST', '/v1/uploads', { body: form({ name: 'a.html' }) }), 200),
  );
  const send = async (content: string): Promise<number> => {
    const data = new FormData();
    for (const [name, value] of Object.entries(made['fields'] as Record<string, string>))
      data.append(name, value);
    data.append('file', new Blob([content]), 'a.html');
    const response = await fetch(String(made['url']), { method: 'POST', body: data });
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    return response.status;
  };
  expect(await send(text)).toBeLessThan(300);
  return { id: String(made['id']), send };
}

beforeAll(async () => {
  otherTenant = { authorization: await mint('--tenant', 'strangers') };
  template = await addTemplate('<p>precious {{ name }}');
  css = idOf(
    expectStatus(
      await call('POST', `/v1/template/css/${template}`, {
        body: form({ file_data: ['p{color:precious}', 'a.css'], template_data: '{"format":"css"}' }),
      }),
      200,
    ),
  );
  image = idOf(
    expectStatus(
      await call('POST', `/v1/template/img/${template}`, {
        body: form({ file_data: [PNG, 'a.png'], template_data: '{"format":"png"}' }),
      }),
      200,
    ),
  );
  upload = (await uploaded('<p>precious upload')).id;
  const accepted = await call('POST', `/v1/render/html/${template}`, {
    body: form({ render_data: '{"name":"job"}' }),
    headers: { prefer: 'respond-async' },
  });
  job = idOf(expectStatus(accepted, 202));
});

describe('ids of another tenant', () => {
  it('are answered like ids that never existed, by every route that takes one', async () => {
    const fileOf = async (id: string): Promise<string> =>
      String((jsonOf(await call('GET', `/v1/template/${id}`))['template_file'] as { id: string }).id);
    const file = await fileOf(template);
    const tries: [string, string, (() => FormData)?][] = [
      ['GET', `/v1/template/${template}`],
      ['GET', `/v1/template/file/${template}`],
      ['GET', `/v1/template/file/${file}`],
      ['GET', `/v1/template/css/file/${css}`],
      ['GET', `/v1/css/template/file/${css}`],
      ['GET', `/v1/template/img/file/${image}`],
      [
        'POST',
        `/v1/template/css/${template}`,
        () => form({ file_data: ['p{}', 'a.css'], template_data: '{"format":"css"}' }),
      ],
      [
        'POST',
        `/v1/template/img/${template}`,
        () => form({ file_data: [PNG, 'a.png'], template_data: '{"format":"png"}' }),
      ],
      ['POST', `/v1/render/pdf/${template}`, () => form({ render_data: '{}' })],
      ['POST', `/v1/render/html/batch/${template}`, () => form({ render_data: '[{}]' })],
      ['GET', `/v1/img/${image}`],
      ['POST', `/v1/img/${image}`, () => form({ render_options: '{}' })],
      ['GET', `/v1/jobs/${job}`],
      ['GET', `/v1/jobs/${job}/result`],
      ['DELETE', `/v1/jobs/${job}`],
      ['DELETE', `/v1/template/css/${css}`],
      ['DELETE', `/v1/template/img/${image}`],
      ['DELETE', `/v1/template/${template}`],
      ['POST', '/v1/render/html', () => form({ file_data: `upload:${upload}`, render_data: '{}' })],
      [
        'POST',
        '/v1/render/html',
        () => form({ file_data: ['<p>x', 'a.html'], render_data: `upload:${upload}` }),
      ],
      ['POST', '/v1/render/img', () => form({ image: `upload:${upload}` })],
      ['POST', '/v1/pdf/compress', () => form({ file: `upload:${upload}` })],
      ['POST', '/v1/pdf/merge', () => form({ file1: `upload:${upload}`, file2: `upload:${upload}` })],
      [
        'POST',
        '/v1/template',
        () => form({ file_data: `upload:${upload}`, template_data: '{"name":"x","format":"html"}' }),
      ],
    ];
    for (const [method, path, body] of tries) {
      for (const more of body ? [{}, { prefer: 'respond-async' }] : [{}]) {
        const sent = body ? { body: body() } : {};
        const answer = await call(method, path, { headers: { ...otherTenant, ...more }, ...sent });
        // A job of a stored template finds out when its turn comes: what it says then is looked at below.
        if (answer.status === 202) {
          const id = idOf(answer);
          await expect
            .poll(
              async () => jsonOf(await call('GET', `/v1/jobs/${id}`, { headers: otherTenant }))['state'],
              {
                timeout: 30_000,
              },
            )
            .toBe('failed');
          const shown = await call('GET', `/v1/jobs/${id}`, { headers: otherTenant });
          expect(jsonOf(shown), `${method} ${path}`).toMatchObject({ problem: { code: 'not_found' } });
          expect(shown.bytes.toString()).not.toContain('precious');
          continue;
        }
        expect(answer.status, `${method} ${path}`).toBe(404);
        expect(String(jsonOf(answer)['code'])).toMatch(/^(not_found|upload_not_found)$/);
        expect(answer.bytes.toString()).not.toContain('precious');
      }
    }
    for (const path of ['/v1/template', '/v1/jobs']) {
      const listed = expectStatus(await call('GET', path, { headers: otherTenant }), 200).bytes.toString();
      for (const id of [template, image, css, job]) expect(listed).not.toContain(id);
    }
    expectStatus(await call('GET', `/v1/template/${template}`), 200);
    expectStatus(await call('GET', `/v1/jobs/${job}`), 200);
    expectStatus(await call('GET', `/v1/img/${image}`), 200);
  });

  it('keys of Idempotency-Key and secrets of webhooks are each tenant’s own', async () => {
    const key = `shared-${template}`;
    const ask = async (headers: Record<string, string>, text: string) =>
      await call('POST', '/v1/render/html', {
        body: form({ file_data: [text, 'a.html'], render_data: '{}' }),
        headers: { ...headers, 'idempotency-key': key },
      });
    const mine = expectStatus(await ask({}, '<p>precious answer'), 200).bytes.toString();
    const theirs = expectStatus(await ask(otherTenant, '<p>another'), 200).bytes.toString();
    expect([mine, theirs]).toEqual(['<p>precious answer', '<p>another']);
    const same = expectStatus(await ask(otherTenant, '<p>another'), 200).bytes.toString();
    expect(same).toBe('<p>another');
    const [own, other] = [
      await call('GET', '/v1/webhook'),
      await call('GET', '/v1/webhook', { headers: otherTenant }),
    ];
    expect(jsonOf(own)['secret']).not.toBe(jsonOf(other)['secret']);
  });
});

describe('a form for an upload', () => {
  it('is good for its own key alone: not for another tenant’s, another upload’s, nor for files of templates', async () => {
    const made = jsonOf(
      await call('POST', '/v1/uploads', { body: form({ size: '100' }), headers: otherTenant }),
    );
    const fields = made['fields'] as Record<string, string>;
    for (const wanted of [
      `uploads/local/${upload}/file`,
      `uploads/strangers/${upload}/file`,
      `tenants/local/templates/${template}/x`,
      String(fields['key']).replace('strangers', 'strangers/../local'),
      'jobs/local/x/request',
    ]) {
      const data = new FormData();
      for (const [name, value] of Object.entries(fields)) data.append(name, name === 'key' ? wanted : value);
      data.append('file', new Blob(['overwritten']), 'a');
      const response = await fetch(String(made['url']), { method: 'POST', body: data });
      expect(response.status, wanted).toBe(403);
    }
    const again = expectStatus(
      await call('POST', '/v1/render/html', {
        body: form({ file_data: `upload:${upload}`, render_data: '{}' }),
      }),
      200,
    );
    expect(again.bytes.toString()).toBe('<p>precious upload');
  });

  it('accepts only a file of its size', async () => {
    const made = jsonOf(await call('POST', '/v1/uploads', { body: form({ size: '5' }) }));
    for (const [content, taken] of [
      ['123456', false],
      ['', false],
      ['12345', true],
    ] as const) {
      const data = new FormData();
      for (const [name, value] of Object.entries(made['fields'] as Record<string, string>))
        data.append(name, value);
      data.append('file', new Blob([content]), 'a');
      const response = await fetch(String(made['url']), { method: 'POST', body: data });
      expect(response.status < 300, `"${content}"`).toBe(taken);
    }
  });
});

describe('tokens', () => {
  it('are refused immediately after they expire, even if the gateway has cached them', async () => {
    const expires = new Date(Date.now() + 8_000).toISOString();
    const headers = { authorization: await mint('--tenant', 'local', '--expires', expires) };
    const status = async (): Promise<number> => (await call('GET', '/v1/token', { headers })).status;
    expect(await status()).toBe(200);
    await expect.poll(status, { timeout: 30_000, interval: 500 }).toBe(401);
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(expires));
    expect(jsonOf(await call('GET', '/v1/token', { headers }))['code']).toBe('token_expired');
  });

  it('are accepted in the header only', async () => {
    const { token } = inject('service');
    for (const path of [`/v1/token?authorization=${token}`, `/v1/token?token=${token}`]) {
      expect((await fetch(`${url}${path}`)).status).toBe(401);
    }
    expect((await fetch(`${url}/v1/token`, { headers: { cookie: `authorization=${token}` } })).status).toBe(
      401,
    );
    for (const authorization of [
      `Basic ${token}`,
      `Bearer  ${token} x`,
      `${token},${token}`,
      token.slice(0, -1),
    ]) {
      expect((await fetch(`${url}/v1/token`, { headers: { authorization } })).status, authorization).toBe(
        401,
      );
    }
  });
});

it('refuses requests of a token beyond its limit, and states the limit in each response (I-55)', async () => {
  const authorization = await mint('--tenant', 'limited', '--quota', '3');
  const answers: Answer[] = [];
  for (const path of ['/v1/template', '/v1/jobs', '/v1/fonts', '/v1/template'])
    answers.push(await call('GET', path, { headers: { authorization } }));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
  expect(
    answers.map(({ headers }) => /^"month";r=(\d);t=\d+$/.exec(headers.get('ratelimit') ?? '')?.[1]),
  ).toEqual(['2', '1', '0', '0']);
  expect(jsonOf(answers[3] as Answer)).toMatchObject({ code: 'quota_exceeded' });

  // The PDF functions count it too, and the token itself can still be looked at.
  const refused = await call('POST', '/v1/pdf/info', {
    headers: { authorization },
    body: form({ file: 'x' }),
  });
  expectStatus(refused, 429);
  expectStatus(await call('GET', '/v1/token', { headers: { authorization } }), 200);
});

it('creates, lists and revokes tokens over HTTP with the scope admin (I-2)', async () => {
  const headers = { authorization: await mint('--tenant', 'managers', '--scopes', 'admin,render') };
  const made = jsonOf(
    expectStatus(
      await call('POST', '/v1/tokens', {
        headers,
        body: form({ name: 'shop', scopes: '["admin","render"]' }),
      }),
      200,
    ),
  );
  const shop = { authorization: String(made['token']) };
  expect(jsonOf(await call('GET', '/v1/token', { headers: shop }))).toMatchObject({
    tenant: 'managers',
    scopes: ['admin', 'render'],
  });
  // The token of the tests has no such scope.
  expectStatus(await call('GET', '/v1/tokens'), 403);
  const own = await call('GET', '/v1/tokens', { headers: shop });
  expect((jsonOf(own) as unknown as { name: string | null }[]).map(({ name }) => name).sort()).toEqual([
    null,
    'shop',
  ]);

  expectStatus(await call('DELETE', `/v1/tokens/${made['id'] as string}`, { headers }), 204);
  // What the gateway remembers is asked for again here.
  expectStatus(
    await call('POST', '/v1/tokens', { headers: shop, body: form({ scopes: '["render"]' }) }),
    401,
  );
});
