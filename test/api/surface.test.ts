import { beforeAll, describe, expect, inject, it } from 'vitest';
import { ROUTES } from '../../packages/contract/src/routes.ts';
import { addTemplate, call, expectStatus, form, jsonOf, mint, renderNow } from './client.ts';

const { url, token } = inject('service');
const addresses = [...new Set(ROUTES.map((route) => route.path))];
const filled = (path: string) => path.replace(/\{\w+\}/g, 'x');

describe('every route of the table, over HTTP', () => {
  it.each(ROUTES.map((route) => [`${route.method} ${route.path}`, route] as const))(
    '%s is routed: it answers, or states that it is not offered yet',
    async (_, route) => {
      const answer = await call(route.method, filled(route.path));
      // A body of JSON that is not there cannot be read.
      const wanted = route.access === 'admin' ? [403] : [200, 404, 422, 501];
      expect(route.body === 'json' ? [400] : wanted).toContain(answer.status);
      // What is wrong is said in our shape, by the function itself.
      const problem =
        answer.status === 200 ? null : { type: answer.headers.get('content-type'), ...jsonOf(answer) };
      expect(problem ?? { status: 200, code: 'none' }).toMatchObject({
        status: answer.status,
        code: expect.not.stringMatching('route_not_found') as string,
      });
    },
  );

  it('asks for a token on each route for which the table requires one (I-2)', async () => {
    for (const route of ROUTES) {
      for (const authorization of ['', 'nonsense', 'Bearer ']) {
        const answer = await call(route.method, filled(route.path), { headers: { authorization } });
        const wanted = route.access === 'open' ? 200 : 401;
        expect(answer.status, `${route.operation} with "${authorization}"`).toBe(wanted);
      }
    }
  });

  it('answers 405 with Allow for other methods, and 404 for other addresses (I-4)', async () => {
    for (const path of addresses) {
      const answer = await call('PATCH', filled(path));
      expect(answer.status, path).toBe(405);
      const methods = ROUTES.filter((route) => route.path === path).map(({ method }) => method);
      expect(answer.headers.get('allow'), path).toBe(methods.join(', '));
      expect(jsonOf(answer)['code']).toBe('method_not_allowed');
    }
    for (const path of ['/v1', '/v1/nothing', '/v2/template', '/v1/template/css/a/b/c']) {
      const answer = await call('GET', path);
      expect([answer.status, jsonOf(answer)['code']], path).toEqual([404, 'route_not_found']);
    }
  });
});

describe('tokens (I-2)', () => {
  let other: string;
  let reader: string;
  beforeAll(async () => {
    other = await mint('--tenant', 'other');
    reader = await mint('--tenant', 'local', '--scopes', 'templates:read', '--expires', '1h');
  });

  it('are accepted raw and as Bearer, and their rights can be read', async () => {
    for (const authorization of [reader, `Bearer ${reader}`]) {
      const answer = expectStatus(await call('GET', '/v1/token', { headers: { authorization } }), 200);
      expect(jsonOf(answer)).toEqual({
        tenant: 'local',
        scopes: ['templates:read'],
        expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
      });
    }
  });

  it('without the scope get 403', async () => {
    const headers = { authorization: reader };
    expectStatus(await call('GET', '/v1/template', { headers }), 200);
    const answer = await call('POST', '/v1/render/pdf', { headers, body: form({ file_data: 'x' }) });
    expect([answer.status, jsonOf(answer)['code']]).toEqual([403, 'insufficient_scope']);
  });

  it('see nothing of another tenant: each of its ids does not exist', async () => {
    const id = await addTemplate('<p>secret</p>');
    const body = () => form({ file_data: ['p{}', 'a.css'], template_data: '{"format":"css"}' });
    const css = jsonOf(expectStatus(await call('POST', `/v1/template/css/${id}`, { body: body() }), 200))[
      'id'
    ];
    const headers = { authorization: other };
    const tries: [string, string, FormData?][] = [
      ['GET', `/v1/template/${id}`],
      ['GET', `/v1/template/file/${id}`],
      ['GET', `/v1/template/css/file/${String(css)}`],
      ['POST', `/v1/template/css/${id}`, body()],
      ['POST', `/v1/render/pdf/${id}`],
      ['POST', `/v1/render/html/batch/${id}`, form({ render_data: '[{}]' })],
      ['DELETE', `/v1/template/css/${String(css)}`],
      ['DELETE', `/v1/template/${id}`],
    ];
    for (const [method, path, sent] of tries) {
      const answer = await call(method, path, { headers, ...(sent ? { body: sent } : {}) });
      expect([answer.status, jsonOf(answer)['code']], `${method} ${path}`).toEqual([404, 'not_found']);
      expect(answer.bytes.toString()).not.toContain('secret');
    }
    expect(expectStatus(await call('GET', '/v1/template', { headers }), 200).bytes.toString()).toBe('[]');
    expectStatus(await call('GET', `/v1/template/${id}`), 200);
  });
});

describe('limits of the gateway (I-4)', () => {
  it('a request that is too large is answered with 413 as a problem document', async () => {
    for (const megabytes of [7, 11]) {
      const body = form({ file_data: ['a'.repeat(megabytes * 1024 * 1024), 'x.html'] });
      const answer = await call('POST', '/v1/render/pdf', { body });
      expect([answer.status, jsonOf(answer)['code']], `${megabytes} MB`).toEqual([413, 'request_too_large']);
    }
  });

  it('the OpenAPI document is open to everybody', async () => {
    const response = await fetch(`${url}/v1/openapi.json`);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ openapi: '3.1.0' });
  });
});

it('a hundred renderings at once are all answered, and the next one too', async () => {
  const answers = await Promise.all(
    Array.from(
      { length: 100 },
      async (_, n) => await renderNow(`<p>number {{ n }}</p>`, { data: { n } }, 'html'),
    ),
  );
  const texts = answers.map((answer) => expectStatus(answer, 200).bytes.toString());
  expect(texts).toEqual(Array.from({ length: 100 }, (_, n) => `<p>number ${n}</p>`));
  expectStatus(await renderNow('<p>next'), 200);
  expect(token).not.toBe('');
});
