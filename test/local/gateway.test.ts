import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readState } from '../../packages/aws-local/src/state.ts';
import { call, json, raw, serveFixture, type ServedFixture } from './served-fixture.ts';

/** The gateway in front of functions that do whatever a function can do. */

const MB = 1024 * 1024;

let fixture: ServedFixture;
/** Another, with a laptop's limits, and addresses that begin with the stage. */
let staged: ServedFixture;
let url: string;
/** For what functions note. */
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-gateway-'));
  fixture = await serveFixture({ concurrency: 2, waiting: 6 });
  staged = await serveFixture({ strict: false, stageInPath: true });
  ({ url } = fixture);
});

afterAll(async () => {
  await fixture.stop();
  await staged.stop();
  await rm(folder, { recursive: true });
});

function problem(answer: { body: Buffer }): { code: string; status: number; request_id: string } {
  return JSON.parse(answer.body.toString()) as never;
}

describe('the event of a proxy integration', () => {
  it('carries path, query and headers as API Gateway sends them', async () => {
    const answer = await call(`${url}/v1/probe/echo?a=1&a=2&text=x%20y%2Bz+w&empty=`, {
      headers: { 'X-Mixed-Case': 'Kept', 'X-Forwarded-For': 'forged', Connection: 'close' },
    });
    const event = json(answer);
    expect(event).toMatchObject({
      resource: '/v1/probe/{what}',
      path: '/v1/probe/echo',
      httpMethod: 'GET',
      pathParameters: { what: 'echo' },
      queryStringParameters: { a: '2', text: 'x y+z w', empty: '' },
      multiValueQueryStringParameters: { a: ['1', '2'], text: ['x y+z w'], empty: [''] },
      body: { length: 0, absent: true },
      isBase64Encoded: false,
      requestContext: {
        stage: 'live',
        path: '/v1/probe/echo',
        requestId: answer.headers['x-amzn-requestid'],
      },
    });
    const headers = event['headers'] as Record<string, string>;
    expect(headers['X-Mixed-Case']).toBe('Kept');
    expect(headers['X-Forwarded-For']).toMatch(/^(127\.0\.0\.1|::1)$/);
    expect(headers['X-Amzn-Trace-Id']).toBe(answer.headers['x-amzn-trace-id']);
    expect(Object.keys(headers).map((name) => name.toLowerCase())).not.toContain('connection');
  });

  it('has null for a missing query, and every value of a repeated header', async () => {
    const text = await raw(
      url,
      'GET /v1/probe/echo HTTP/1.1\r\nHost: x\r\nAccept: a/b\r\naccept: c/d\r\nConnection: close\r\n\r\n',
    );
    const event = JSON.parse(text.slice(text.indexOf('\r\n\r\n{') + 4)) as Record<string, never>;
    expect(event['queryStringParameters']).toBeNull();
    expect(event['multiValueHeaders']).toMatchObject({ Accept: ['a/b', 'c/d'] });
    expect(event['headers']).toMatchObject({ Accept: 'c/d' });
  });

  it('leaves path parameters encoded', async () => {
    const event = json(
      await call(`${url}/v1/guarded/a%2Fb%20ü`.replace('ü', '%C3%BC'), {
        headers: { authorization: 'good' },
      }),
    );
    expect(event).toMatchObject({ resource: '/v1/guarded/{what}' });
    const echoed = json(await call(`${url}/v1/probe/ech%6F`));
    expect(echoed).toMatchObject({ resource: '/v1/probe/{what}', method: 'GET' });
  });

  it.each([1, 2, 3, 3 * MB, 4 * MB + 1])('carries a body of %i bytes whole', async (size) => {
    const body = randomBytes(size);
    const event = json(await call(`${url}/v1/probe/echo`, { method: 'POST', body }));
    expect(event['isBase64Encoded']).toBe(true);
    expect(event['body']).toEqual({
      length: size,
      hash: createHash('sha256').update(body).digest('hex'),
      absent: false,
    });
  });

  it('carries the body of a GET too (I-6)', async () => {
    const body = Buffer.from('render_options=%7B%7D');
    const event = json(await call(`${url}/v1/probe/echo`, { headers: { 'content-length': '21' }, body }));
    expect(event['body']).toMatchObject({ length: 21 });
  });

  it('leaves no body on disk once it has been answered', async () => {
    const state = await readState(fixture.dataDir);
    const left = async () =>
      (await readdir(state?.runFolder ?? '')).filter((name) => name.startsWith('body-'));
    await expect.poll(left).toEqual([]);
  });
});

describe('addresses with the stage in them', () => {
  it('are those of the stage, and the function receives both paths', async () => {
    expect(staged.url).toMatch(/\/live$/);
    expect(json(await call(`${staged.url}/v1/probe/echo`))).toMatchObject({
      path: '/v1/probe/echo',
      requestContext: { path: '/live/v1/probe/echo' },
    });
    for (const path of ['/v1/probe/echo', '/lively/v1/probe/echo']) {
      const answer = await call(new URL(path, staged.url).href);
      expect(answer.status).toBe(403);
      expect(json(answer)).toEqual({ message: 'Forbidden' });
    }
    expect((await call(`${staged.url}/v1/nowhere`)).status).toBe(404);
  });
});

describe('routes', () => {
  it('prefer a literal segment to a parameter, and ANY takes the methods that are left', async () => {
    expect(json(await call(`${url}/v1/probe/literal`))).toMatchObject({
      resource: '/v1/probe/literal',
      method: 'GET',
    });
    expect(json(await call(`${url}/v1/probe/literal`, { method: 'PATCH' }))).toMatchObject({
      method: 'PATCH',
    });
    expect(json(await call(`${url}/v1/probe/literal/`))).toMatchObject({ resource: '/v1/probe/literal' });
  });

  it.each(['/v1/nowhere', '/v1/probe', '/v1/probe/', '/v1/probe/a/b', '//v1/probe/literal', '/%'])(
    'answer %s with 404 in our shape',
    async (path) => {
      const answer = await call(url + path);
      expect(answer.status).toBe(404);
      expect(answer.headers['content-type']).toContain('application/problem+json');
      expect(problem(answer)).toMatchObject({
        code: 'route_not_found',
        status: 404,
        request_id: answer.headers['x-amzn-requestid'],
      });
    },
  );

  it('answer a method that a resource does not have in the same way', async () => {
    expect((await call(`${url}/v1/probe/echo`, { method: 'DELETE' })).status).toBe(404);
  });

  it.each([
    ['PATCH', {}],
    ['OPTIONS', {}],
    ['PUT', { 'content-type': 'multipart/form-data; boundary=x', 'content-length': '4' }],
    ['DELETE', { authorization: 'bad' }],
  ])(
    'answer %s with %j where the resource has other methods with 405 (I-4, RFC 9110 15.5.6)',
    async (...given) => {
      const [method, headers] = given;
      const body = 'content-length' in headers ? Buffer.from('body') : undefined;
      const answer = await call(`${url}/v1/guarded/echo`, { method, headers, ...(body ? { body } : {}) });
      expect([answer.status, answer.headers['allow']]).toEqual([405, 'POST, GET']);
      expect(answer.headers).toMatchObject({
        'content-type': 'application/problem+json; charset=utf-8',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'x-request-id': answer.headers['x-amzn-requestid'],
      });
      expect(problem(answer)).toEqual({
        type: 'urn:platen:problem:method-not-allowed',
        title: 'Method not allowed',
        status: 405,
        detail: `${method} is not allowed for /v1/guarded/{what}: use POST or GET.`,
        code: 'method_not_allowed',
        request_id: answer.headers['x-amzn-requestid'],
      });
    },
  );

  it('answer HEAD in the same way, without the body', async () => {
    const answer = await call(`${url}/v1/guarded/echo`, { method: 'HEAD' });
    expect([answer.status, answer.headers['allow'], answer.body.length]).toEqual([405, 'POST, GET', 0]);
  });

  it('answer a content type that the gateway has no template for with 405 too, without Allow', async () => {
    const headers = { 'content-type': 'application/x-unheard-of', 'content-length': '4' };
    const answer = await call(`${url}/v1/guarded/echo`, {
      method: 'PATCH',
      headers,
      body: Buffer.from('body'),
    });
    expect([answer.status, problem(answer).code]).toEqual([405, 'method_not_allowed']);
    expect(answer.headers['allow']).toBeUndefined();
  });

  it('answer HEAD without a body, for every kind of route', async () => {
    const answer = await call(`${url}/v1/probe/literal`, { method: 'HEAD' });
    expect(answer.status).toBe(200);
    expect(answer.body).toHaveLength(0);
  });
});

describe('the first page', () => {
  it('describes the service and how to call it, and loads nothing', async () => {
    const answer = await call(`${url}/`);
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toContain('text/html');
    const html = answer.body.toString();
    expect(html).toContain(`${url}/v1/render/pdf`);
    expect(html).toContain('href="/v1/openapi.json"');
    expect(html).not.toMatch(/(src|href)="(https?:)?\/\//);
  });

  it('does not run a script in the Host header', async () => {
    const answer = await call(`${url}/`, { headers: { host: '"><script>alert(1)</script>' } });
    expect(answer.body.toString()).not.toContain('<script>');
  });
});

describe('the authorizer', () => {
  const guarded = (token: string, what = 'echo') =>
    call(`${url}/v1/guarded/${what}`, { headers: { authorization: token } });

  it('is asked once for a token, and its answer reaches the function as text', async () => {
    const first = json(await guarded('good-one'));
    const second = json(await guarded('good-one', 'context'));
    expect(first['requestContext']).toMatchObject({
      authorizer: { principalId: 'tester', tenant: 'acme', type: 'REQUEST', has_body: 'false' },
    });
    expect(second).toBeTruthy();
    const calls = async (token: string) =>
      (json(await guarded(token))['requestContext'] as { authorizer: { calls: string } }).authorizer.calls;
    const before = await calls('good-two');
    expect(await calls('good-two')).toBe(before);
    expect(Number(await calls('good-three'))).toBe(Number(before) + 1);
  });

  it('is asked once for many requests that come at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => guarded('good-many')));
    const calls = answers.map(
      (answer) => (json(answer)['requestContext'] as { authorizer: { calls: string } }).authorizer.calls,
    );
    expect(new Set(calls).size).toBe(1);
  });

  it.each([
    ['an unknown token', 'bad', 401, 'unauthorized'],
    ['a policy that denies', 'good-but-denied', 401, 'unauthorized'],
    ['an authorizer that fails', 'crash', 503, 'service_busy'],
    ['an authorizer that answers nonsense', 'nonsense', 500, 'internal_error'],
  ])('answers %s in our shape', async (_, token, status, code) => {
    const answer = await guarded(token);
    expect(answer.status).toBe(status);
    expect(problem(answer)).toMatchObject({ code, status });
  });

  it('is not asked when there is no token', async () => {
    const answer = await call(`${url}/v1/guarded/echo`);
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toBe('Bearer');
  });

  it('is asked again after a refusal, so that a token may be made in between', async () => {
    expect((await guarded('bad')).status).toBe(401);
    expect((await guarded('bad')).status).toBe(401);
  });

  it('remembers an answer for the header that was judged, where there are two', async () => {
    const lines = ['authorization: bad', 'authorization: good-second', 'connection: close', 'host: x'];
    await raw(url, `GET /v1/guarded/echo HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    expect((await guarded('bad')).status).toBe(401);
  });

  it('refuses before the body of a large upload is sent', async () => {
    const answer = await new Promise<{ status: number; asked: boolean }>((resolve, reject) => {
      let asked = false;
      const outgoing = request(`${url}/v1/guarded/echo`, {
        method: 'POST',
        headers: { authorization: 'bad', expect: '100-continue', 'content-length': String(9 * MB) },
      });
      outgoing.on('continue', () => (asked = true));
      outgoing.on('response', (incoming) => {
        resolve({ status: incoming.statusCode ?? 0, asked });
        incoming.resume();
        outgoing.destroy();
      });
      outgoing.on('error', reject);
      outgoing.flushHeaders();
    });
    expect(answer).toEqual({ status: 401, asked: false });
  });
});

describe('every answer of the gateway itself', () => {
  it.each([
    ['/v1/nowhere', {}, 404],
    ['/v1/guarded/echo', {}, 401],
    ['/v1/guarded/echo', { authorization: 'good-but-denied' }, 401],
    ['/v1/guarded/echo', { authorization: 'crash' }, 503],
    ['/v1/probe/throw', {}, 502],
  ])('to %s with %j names its request, and has the header nosniff', async (...given) => {
    const [path, headers, status] = given;
    const answer = await call(url + path, { headers });
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-request-id': problem(answer).request_id,
    });
    expect(problem(answer).request_id).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each(['GET / HTTP/1.1\r\nX-Long: @\r\n\r\n', 'hello there\r\n\r\n'])(
    'to a head that cannot be read does too: %j',
    async (text) => {
      const answer = await raw(url, text.replace('@', 'x'.repeat(11_000)));
      expect(answer).toMatch(/^x-content-type-options: nosniff\r$/m);
      const [, id] = /^x-request-id: (.+)\r$/m.exec(answer) ?? [];
      expect(answer).toContain(`"request_id":"${id}"`);
    },
  );
});

describe('strict limits', () => {
  it.each([
    ['more than 10 MB', 10 * MB + 1],
    ['what base64 makes larger than 6 MB', 5 * MB],
  ])('answer %s with 413', async (_, size) => {
    const answer = await call(`${url}/v1/probe/echo`, { method: 'POST', body: Buffer.alloc(size) });
    expect(answer.status).toBe(413);
    expect(problem(answer)).toMatchObject({ code: 'request_too_large' });
  });

  it('answer a body without a length with 413 as soon as it is too long', async () => {
    const answer = await new Promise<number>((resolve, reject) => {
      const outgoing = request(`${url}/v1/probe/echo`, { method: 'POST' }, (incoming) => {
        resolve(incoming.statusCode ?? 0);
        incoming.resume();
        clearInterval(timer);
      });
      const timer = setInterval(() => outgoing.write(Buffer.alloc(MB)), 1);
      outgoing.on('error', reject);
    });
    expect(answer).toBe(413);
  });

  it('answer a head of more than 10 KB and bytes that are no HTTP with 400 in our shape', async () => {
    const long = await raw(
      url,
      `GET /v1/probe/echo HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(11_000)}\r\n\r\n`,
    );
    const nonsense = await raw(url, 'hello there\r\n\r\n');
    for (const answer of [long, nonsense]) {
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(answer).toContain('application/problem+json');
      expect(answer).toContain('"status":400');
    }
    expect((await call(`${url}/v1/probe/literal`)).status).toBe(200);
  });
});

describe('functions that fail', () => {
  it.each(['throw', 'exit', 'reject-later', 'malformed', 'bad-header', 'large-answer', 'memory'])(
    'by "%s" are answered with 502 in our shape, and the next request is fine',
    async (what) => {
      const answer = await call(`${url}/v1/probe/${what}`);
      expect(answer.status).toBe(502);
      expect(answer.headers['set-cookie']).toBeUndefined();
      expect(problem(answer)).toMatchObject({ code: 'bad_gateway', status: 502 });
      expect(answer.body.toString()).not.toMatch(/thrown by|asset\.|\.mjs/);
      expect((await call(`${url}/v1/probe/literal`)).status).toBe(200);
    },
  );

  it('while they are loaded are answered with 502 each time', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => call(`${url}/v1/broken/x`)));
    expect(answers.map(({ status }) => status)).toEqual([502, 502, 502]);
    expect(fixture.notes.join('\n')).toContain('this module cannot be loaded');
  });

  it('to answer in the time the gateway waits are answered with 504', async () => {
    const answer = await call(`${url}/v1/impatient/sleep?ms=2500`);
    expect(answer.status).toBe(504);
    expect(problem(answer)).toMatchObject({ code: 'deadline_exceeded' });
  });
});

describe('buffered answers', () => {
  it('may be binary, with several values of a header', async () => {
    const answer = await call(`${url}/v1/probe/binary`);
    expect([...answer.body]).toEqual([0, 255, 128, 10]);
    expect(answer.headers['set-cookie']).toEqual(['a=1', 'b=2']);
  });
});

describe('streamed answers', () => {
  it('with 12 MB, more than a buffered one may have, arrive whole, and at 2 MB a second beyond 10 MB', async () => {
    const started = performance.now();
    const answer = await call(`${url}/v1/streams/bytes?count=192`);
    expect(answer.cut).toBe(false);
    expect(answer.body.length).toBe(192 * 65_536);
    expect(answer.body[191 * 65_536]).toBe(191);
    expect(performance.now() - started).toBeGreaterThan(950);
  });

  it('with headers that are the gateway’s own come with those under other names, or without', async () => {
    const { headers } = await call(`${url}/v1/streams/headers`);
    expect(headers).toMatchObject({
      'x-amzn-remapped-server': 'mine',
      'x-amzn-remapped-date': 'then',
      'x-amzn-remapped-www-authenticate': 'Bearer',
    });
    expect(headers['server'] ?? headers['www-authenticate'] ?? headers['via']).toBeUndefined();
    expect(Date.parse(headers['date'] ?? '')).toBeGreaterThan(0);
  });

  it.each([
    [10_000, 200],
    [10_300, 502],
    [17_000, 502],
  ])('with a header of %i bytes are answered with %i', async (bytes, status) => {
    expect((await call(`${url}/v1/streams/headers?bytes=${bytes}`)).status).toBe(status);
  });

  it('arrive while the function is still writing', async () => {
    const response = await fetch(`${url}/v1/streams/slowly?ms=1500`);
    const reader = response.body?.getReader();
    const first = await reader?.read();
    const before = json(await call(`${url}/v1/probe/count`));
    expect(Buffer.from(first?.value ?? []).toString()).toBe('first\n');
    const second = await reader?.read();
    expect(Buffer.from(second?.value ?? []).toString()).toBe('second\n');
    expect(before).toBeTruthy();
  });

  it('may be empty', async () => {
    const answer = await call(`${url}/v1/streams/empty`);
    expect(answer.status).toBe(204);
    expect(answer.headers['x-nothing']).toBe('here');
  });

  it.each(['no-head', 'throw-before'])(
    'with the fault "%s" before the head are answered with 502',
    async (what) => {
      const answer = await call(`${url}/v1/streams/${what}`);
      expect(answer.status).toBe(502);
      expect(problem(answer)).toMatchObject({ code: 'bad_gateway' });
    },
  );

  it.each(['throw-after', 'exit-after', 'hang'])(
    'with the fault "%s" after the head are aborted, so that clients do not take them for complete',
    async (what) => {
      const answer = await call(`${url}/v1/streams/${what}`);
      expect(answer.status).toBe(200);
      expect(answer.body.toString()).toBe('some of it\n');
      expect(answer.cut).toBe(true);
    },
  );

  it('need an integration that streams, and the other way round', async () => {
    expect((await call(`${url}/v1/mismatch/echo`)).status).toBe(502);
  });

  it('wait for a client that reads slowly instead of piling up', async () => {
    const note = join(folder, 'slow-reader');
    const socket = connect(Number(new URL(staged.url).port), '127.0.0.1');
    socket.pause();
    socket.write(
      `GET /live/v1/patient/bytes?count=4000&note=${note} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    );
    await sleep(1_500);
    // 262 MB are more than the 128 MB that the gateway keeps for one client and the 33 MB that
    // a kernel may keep for each of the sockets on the way.
    expect(existsSync(note)).toBe(false);
    let length = 0;
    const done = new Promise((resolve) => socket.on('close', resolve));
    socket.on('data', (chunk: Buffer) => (length += chunk.length)).resume();
    await done;
    expect(length).toBeGreaterThan(4000 * 65_536);
    expect(existsSync(note)).toBe(true);
  });

  it('are finished by the function even if the client disconnects', async () => {
    const note = join(folder, 'left');
    const outgoing = request(`${url}/v1/streams/bytes?count=1000&note=${note}`, (incoming) => {
      incoming.once('data', () => outgoing.destroy());
    });
    outgoing.on('error', () => {});
    outgoing.end();
    await expect.poll(() => existsSync(note)).toBe(true);
  });
});

describe('many requests at once', () => {
  it('use no more environments than allowed, and wait for them', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => call(`${url}/v1/probe/sleep?ms=50`)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    expect(new Set(answers.map((answer) => json(answer)['pid'])).size).toBeLessThanOrEqual(2);
  });

  it('are answered with 503 beyond the concurrency, as a throttled function at AWS, and the others as usual', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => call(`${url}/v1/single/sleep?ms=100`)),
    );
    const refused = answers.filter(({ status }) => status === 503);
    const served = answers.filter(({ status }) => status === 200);
    expect(refused.length + served.length).toBe(20);
    expect(refused.length).toBeGreaterThan(5);
    expect(problem(refused[0] ?? { body: Buffer.from('{}') })).toMatchObject({ code: 'service_busy' });
    expect(refused[0]?.headers['retry-after']).toBe('2');
    expect(new Set(served.map((answer) => json(answer)['pid'])).size).toBe(1);
  });

  it('do not reach the function if their clients disconnect while they wait', async () => {
    const count = async () => Number(json(await call(`${url}/v1/single/count`))['invocations']);
    const before = await count();
    const busy = call(`${url}/v1/single/sleep?ms=600`);
    await sleep(100);
    const leaving = [1, 2, 3].map(() => {
      const outgoing = request(`${url}/v1/single/count`);
      outgoing.on('error', () => {});
      outgoing.end();
      return outgoing;
    });
    await sleep(100);
    for (const outgoing of leaving) outgoing.destroy();
    await busy;
    expect(await count()).toBe(before + 1);
  });
});
