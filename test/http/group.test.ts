import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { PlatenError } from '../../packages/core/src/errors.ts';
import { createGroup, document, json, noContent, type Reply } from '../../functions/shared/http/index.ts';
import type { InvocationContext } from '../../functions/shared/http/event.ts';
import type { Route } from '../../packages/contract/src/route.ts';
import { setLogLevel } from '../../functions/shared/log.ts';
import {
  bodyText,
  CONTEXT,
  type EventInput,
  gatewayEvent,
  multipart,
  urlencoded,
} from '../support/gateway-event.ts';
import { ROUTES_OF_IMAGES } from '../../packages/contract/src/groups/images.ts';
import { ROUTES_OF_PDF } from '../../packages/contract/src/groups/pdf.ts';
import { ROUTES_OF_RENDER } from '../../packages/contract/src/groups/render.ts';
import { ROUTES_OF_TEMPLATES } from '../../packages/contract/src/groups/templates.ts';
import { ROUTES_OF_TOKENS } from '../../packages/contract/src/groups/tokens.ts';
import { ROUTES } from '../../packages/contract/src/routes.ts';

beforeAll(() => setLogLevel('silent'));

function problemOf(reply: Reply): Record<string, unknown> {
  expect(reply.headers['content-type']).toBe('application/problem+json; charset=utf-8');
  return JSON.parse(bodyText(reply)) as Record<string, unknown>;
}

const serve = createGroup('templates', {
  listTemplates: async ({ query, tenant }) => json({ query, tenant }),
  getTemplate: async ({ params }) => {
    if (params['id'] === 'boom') throw new Error('secret path /var/task/index.mjs');
    if (params['id'] === 'gone') throw new PlatenError('not_found', 'There is no template gone.');
    return json(params);
  },
  deleteTemplate: async () => noContent(),
  addStylesheet: async ({ file, form, optionalFile }) =>
    json({ name: file('file_data').filename, form, none: optionalFile('other') }),
  getImageFile: async ({ scratch }) => {
    const path = join(await scratch(), 'x');
    await writeFile(path, 'x');
    return document({ body: Buffer.from(path), contentType: 'image/png', filename: 'Grüße "1".png' });
  },
});

const call = async (input: EventInput) => await serve(gatewayEvent(input), CONTEXT);

describe('a function group', () => {
  it('passes query, tenant and decoded path parameters on', async () => {
    const list = await call({ method: 'GET', path: '/v1/template?limit=5&active=true' });
    expect(JSON.parse(bodyText(list))).toEqual({ query: { limit: 5, active: 'true' }, tenant: 'acme' });
    const one = await call({ method: 'GET', path: '/v1/template/a%20b' });
    expect(JSON.parse(bodyText(one))).toEqual({ id: 'a b' });
  });

  it('answers an error as a problem document with its code, its fields and the request id (I-4)', async () => {
    const reply = await call({ method: 'GET', path: '/v1/template?limit=0' });
    expect(reply.status).toBe(422);
    expect(problemOf(reply)).toMatchObject({
      type: 'urn:platen:problem:invalid-field',
      status: 422,
      code: 'invalid_field',
      request_id: 'test-request',
      detail: 'limit is 0, but must be a whole number of at least 1.',
      errors: [{ field: 'limit', value: 0 }],
    });
  });

  it('shows only the request id of an unexpected error', async () => {
    const reply = await call({ method: 'GET', path: '/v1/template/boom' });
    expect(reply.status).toBe(500);
    expect(bodyText(reply)).not.toMatch(/secret|var\/task|stack/);
    expect(problemOf(reply)).toMatchObject({ code: 'internal_error', request_id: 'test-request' });
  });

  it('answers 401 without a caller and after the token has expired, 403 without the scope (I-2)', async () => {
    const path = '/v1/template';
    expect((await call({ method: 'GET', path, tenant: null })).status).toBe(401);
    const expired = await call({ method: 'GET', path, expiresAt: '2020-01-01T00:00:00Z' });
    expect(problemOf(expired)).toMatchObject({ status: 401, code: 'token_expired' });
    const unscoped = await call({ method: 'GET', path, scopes: 'render pdf' });
    expect(problemOf(unscoped)).toMatchObject({ status: 403, code: 'insufficient_scope' });
  });

  it('answers 404 for an unknown address, 405 with Allow for a wrong method, 501 for what it lacks', async () => {
    expect((await call({ method: 'GET', path: '/v1/nothing' })).status).toBe(404);
    const wrong = await call({ method: 'PUT', path: '/v1/template' });
    expect(wrong.status).toBe(405);
    expect(wrong.headers['allow']).toBe('GET, POST');
    expect(problemOf(wrong)).toMatchObject({ code: 'method_not_allowed' });
    expect((await call({ method: 'POST', path: '/v1/pdf/merge' })).status).toBe(501);
    expect((await call({ method: 'DELETE', path: '/v1/template/img/x' })).status).toBe(501);
  });

  it('answers 204 without a body (I-3)', async () => {
    expect(await call({ method: 'DELETE', path: '/v1/template/x' })).toMatchObject({
      status: 204,
      body: null,
    });
  });

  it('accepts a text part as a file, and names a file that is missing or empty (I-6)', async () => {
    const data = { name: 'template_data', content: '{"format":"css"}' };
    const path = '/v1/template/css/x';
    const text = await call({
      method: 'POST',
      path,
      ...multipart([{ name: 'file_data', content: 'a{}' }, data]),
    });
    expect(JSON.parse(bodyText(text))).toEqual({
      name: null,
      form: { template_data: { format: 'css' } },
      none: null,
    });
    for (const parts of [[data], [{ name: 'file_data', content: '', filename: 'a.css' }, data]]) {
      const reply = await call({ method: 'POST', path, ...multipart(parts) });
      expect(problemOf(reply)).toMatchObject({
        status: 422,
        code: 'missing_field',
        errors: [{ field: 'file_data' }],
      });
    }
  });

  it('answers 415 for a body it cannot read and 400 for a malformed one', async () => {
    const path = '/v1/template/css/x';
    const xml = await call({ method: 'POST', path, headers: { 'content-type': 'text/xml' }, body: '<a/>' });
    expect(xml.status).toBe(415);
    const bad = await call({ method: 'POST', path, ...urlencoded({ template_data: '{"format":' }) });
    expect(problemOf(bad)).toMatchObject({
      status: 400,
      code: 'malformed_json',
      errors: [{ field: 'template_data' }],
    });
  });

  it('names a document as in RFC 6266 and removes the scratch directory once it is sent', async () => {
    const reply = await call({ method: 'GET', path: '/v1/template/img/file/x' });
    expect(reply.headers['content-disposition']).toBe(
      `attachment; filename="Gr??e \\"1\\".png"; filename*=UTF-8''Gr%C3%BC%C3%9Fe%20%221%22.png`,
    );
    const path = bodyText(reply);
    expect(existsSync(path)).toBe(true);
    await reply.close?.();
    expect(existsSync(path)).toBe(false);
  });

  it('refuses a scratch directory to work that continues after its request, because it would not be removed', async () => {
    let late: (() => Promise<string>) | undefined;
    const giveUp = createGroup('templates', {
      deleteTemplate: async ({ scratch }) => {
        late = scratch;
        throw new PlatenError('deadline_exceeded', 'It took too long.');
      },
    });
    const reply = await giveUp(gatewayEvent({ method: 'DELETE', path: '/v1/template/x' }), CONTEXT);
    expect(reply.status).toBe(504);
    await expect(late?.()).rejects.toThrow('The request is over.');
  });

  it('names an unknown option in a Warning header (I-7)', async () => {
    const reply = await call({
      method: 'POST',
      path: '/v1/template/css/x',
      ...multipart([
        { name: 'file_data', content: 'a{}' },
        { name: 'template_data', content: '{"format":"css","fielname":"x"}' },
      ]),
    });
    expect(reply.headers['warning']).toBe(
      '299 platen "unknown option template_data.fielname ignored; the nearest known one is filename"',
    );
  });
});

describe('a request whose deadline has passed', () => {
  const late: InvocationContext = { ...CONTEXT, getRemainingTimeInMillis: () => 1_550 };
  const after = async (signal: AbortSignal, error?: Error): Promise<Reply> => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    throw error ?? signal.reason;
  };

  it.each([
    ['the reason of its signal', undefined],
    ['the error of a call that was aborted', new DOMException('This operation was aborted', 'AbortError')],
    ['the error of a process that was killed', new Error('it ended with SIGKILL')],
    ['that of a storage that does not answer', new PlatenError('storage_unavailable', 'Try again.')],
    ['that of an engine that was ended', new PlatenError('engine_unavailable', 'Try again.')],
  ])('is a 504 if its work ends with %s (I-4)', async (_, error) => {
    const group = createGroup('templates', { getTemplate: ({ signal }) => after(signal, error) });
    const reply = await group(gatewayEvent({ method: 'GET', path: '/v1/template/x' }), late);
    expect(problemOf(reply)).toMatchObject({ status: 504, code: 'deadline_exceeded' });
  });

  it('keeps the fault of the request that its work has found', async () => {
    const fault = new PlatenError('template_render', 'There is no field x.');
    const group = createGroup('templates', { getTemplate: ({ signal }) => after(signal, fault) });
    const reply = await group(gatewayEvent({ method: 'GET', path: '/v1/template/x' }), late);
    expect(problemOf(reply)).toMatchObject({ status: 422, code: 'template_render' });
  });
});

describe('a request whose client has disconnected', () => {
  const gone = (): InvocationContext & { leave: () => void } => {
    const controller = new AbortController();
    return { ...CONTEXT, abandoned: controller.signal, leave: () => controller.abort() };
  };
  /** Works until it is told to stop, for a quarter of a second at most. */
  const worked = async (signal: AbortSignal): Promise<Reply> => {
    for (let n = 0; n < 25; n++) {
      signal.throwIfAborted();
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return json({ worked: true });
  };
  const group = createGroup('render', {
    renderNow: ({ signal }) => Promise.resolve(() => worked(signal)),
  });
  const templates = createGroup('templates', { addTemplate: async ({ signal }) => await worked(signal) });
  const rendering = (headers: Record<string, string> = {}): EventInput => {
    const sent = multipart([
      { name: 'template_data', content: '{"name":"x","format":"html"}' },
      { name: 'file_data', content: '<p>x</p>', filename: 'x.html' },
    ]);
    return {
      method: 'POST',
      path: '/v1/render/pdf',
      body: sent.body,
      headers: { ...sent.headers, ...headers },
    };
  };

  it('is aborted if its only result would be the answer', async () => {
    const context = gone();
    const reply = group(gatewayEvent(rendering()), context);
    setTimeout(() => context.leave(), 30);
    expect((await reply).status).toBe(504);
  });

  it('is finished if it stores something', async () => {
    const context = gone();
    const reply = templates(gatewayEvent({ ...rendering(), path: '/v1/template' }), context);
    setTimeout(() => context.leave(), 30);
    expect((await reply).status).toBe(200);
  });

  it('is finished if it has an Idempotency-Key, so that a retry gets its answer (I-33)', async () => {
    const context = gone();
    const reply = group(gatewayEvent(rendering({ 'idempotency-key': 'k' })), context);
    setTimeout(() => context.leave(), 30);
    expect((await reply).status).toBe(200);
  });
});

it.each([
  ['images', ROUTES_OF_IMAGES],
  ['pdf', ROUTES_OF_PDF],
  ['render', ROUTES_OF_RENDER],
  ['templates', ROUTES_OF_TEMPLATES],
  ['tokens', ROUTES_OF_TOKENS],
] as const)(
  'the routes that the function %s loads are all of its group, with their fields',
  (group, routes) => {
    const described = (all: readonly Route[]) =>
      all.map(({ method, path, operation, form }) => [
        method,
        path,
        operation,
        Object.keys(form?.shape ?? {}),
      ]);
    expect(described(routes)).toEqual(described(ROUTES.filter((route) => route.group === group)));
  },
);

describe('a function with the routes of its group', () => {
  const tokens = createGroup('tokens', {}, { routes: ROUTES_OF_TOKENS });

  it('answers 405 with the methods of the path for another method', async () => {
    const reply = await tokens(gatewayEvent({ method: 'PATCH', path: '/v1/tokens' }), CONTEXT);
    expect(reply.status).toBe(405);
    expect(reply.headers['allow']).toBe('GET, POST');
  });

  it('answers 501 for a route of another group', async () => {
    expect((await tokens(gatewayEvent({ method: 'GET', path: '/v1/template' }), CONTEXT)).status).toBe(501);
  });
});
