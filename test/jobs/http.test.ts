import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { catchUp } from '../../functions/jobs/catch-up.ts';
import { jobOperations } from '../../functions/jobs/operations.ts';
import type { JobsConfig } from '../../functions/jobs/config.ts';
import { settleJob } from '../../functions/jobs/settle.ts';
import { PlatenError } from '../../packages/core/src/errors.ts';
import { createGroup, document, type Operations } from '../../functions/shared/http/index.ts';
import { createWorker } from '../../functions/shared/jobs/worker.ts';
import { isPublicAddress } from '../../packages/print/src/fetcher/addresses.ts';
import { callbackAddresses, type JobServices } from '../../functions/shared/jobs/config.ts';
import type { JobStart } from '../../functions/shared/jobs/runner.ts';
import { setLogLevel } from '../../functions/shared/log.ts';
import { IdempotencyStore } from '../../functions/shared/store/jobs/idempotency.ts';
import { JobStore } from '../../functions/shared/store/jobs.ts';
import { ObjectStore } from '../../functions/shared/store/storage/objects.ts';
import { Sealer } from '../../functions/shared/store/storage/sealing.ts';
import { type EmbeddedStorage, startEmbeddedStorage } from '../store/embedded.ts';
import { bodyText, CONTEXT, gatewayEvent, urlencoded } from '../support/gateway-event.ts';

/** How requests become jobs, and what becomes of jobs, without the machine that runs them. */

const sealer = new Sealer(async () => 'the secret of a deployment');

let storage: EmbeddedStorage;
let store: JobStore;
let services: { jobs: JobServices };
let started: JobStart[];
/** What the operation does. */
let act: () => Promise<ReturnType<typeof document>>;

const operations: Operations<'images'> = { renderStoredImageByPost: async () => act };

beforeAll(async () => {
  setLogLevel('silent');
  storage = await startEmbeddedStorage();
  const { table, bucket } = storage;
  store = new JobStore({ table, bucket, lifetime: 1_000_000, sealer });
});
afterAll(() => storage.stop());
beforeEach(() => {
  started = [];
  const { table, bucket } = storage;
  services = {
    jobs: {
      store,
      keys: new IdempotencyStore({ table, bucket, sealer }),
      runner: { start: async (job) => void started.push(job), stop: async () => undefined },
      isCallbackAddress: isPublicAddress,
    },
  };
  act = async () =>
    document({ body: Buffer.from('%PDF-'), contentType: 'application/pdf', filename: 'ä.pdf' });
});

const ask = async (
  headers: Record<string, string>,
  fields: Record<string, string> = {},
  tenant = 'acme',
  expiresAt = '',
) => {
  const form = urlencoded(fields);
  return await createGroup(
    'images',
    operations,
    services,
  )(
    gatewayEvent({
      method: 'POST',
      path: '/v1/img/an-image?callback_url=ignored',
      tenant,
      expiresAt,
      ...form,
      headers: { ...form.headers, ...headers },
    }),
    CONTEXT,
  );
};
const async_ = { Prefer: 'respond-async, wait=5' };
const idOf = (reply: { headers: Record<string, string> }) => (reply.headers['location'] ?? '').slice(9);
const work = async (id: string) =>
  await createWorker(operations, services)({ step: 'run', job: { tenant: 'acme', id } }, CONTEXT);
const settle = async (id: string, error?: { Error?: string; Cause?: string }) =>
  await settleJob({ step: 'settle', job: { tenant: 'acme', id }, ...(error ? { error } : {}) }, store);

describe('a request that would rather have a job', () => {
  it('is stored and started, without the token', async () => {
    const reply = await ask({ ...async_, Authorization: 'secret-token' });
    expect(reply).toMatchObject({ status: 202, headers: { 'preference-applied': 'respond-async' } });
    const id = idOf(reply);
    expect(started).toEqual([
      {
        tenant: 'acme',
        id,
        group: 'images',
        batch: false,
        parts: `jobs/acme/${id}/parts.jsonl`,
        ranges: `jobs/acme/${id}/ranges.jsonl`,
        callback: false,
      },
    ]);
    const stored = await store.files.request('acme', id);
    expect(JSON.stringify(stored)).not.toContain('secret-token');
  });

  it.each([
    'http://10.0.0.1/',
    'http://[::1]/',
    'http://169.254.169.254/x',
    'file:///etc/passwd',
    'nonsense',
    'https://a:b@example.org/',
  ])('is refused with the callback_url %s', async (callback_url) => {
    const reply = await ask(async_, { callback_url });
    expect(reply.status).toBe(422);
    expect(bodyText(reply)).toContain('callback_url');
    expect(started).toEqual([]);
  });

  it.each([
    ['http://127.0.0.1:3000/hook', 'callback_url is an address that is not public'],
    ['http://localhost:3000/hook', 'callback_url means an address that is not public'],
    ['http://hooks.localhost./', 'callback_url means an address that is not public'],
  ])(
    'is refused with the callback_url %s and the setting that allows it (I-22)',
    async (callback_url, why) => {
      const reply = await ask(async_, { callback_url });
      expect(reply.status).toBe(422);
      expect(bodyText(reply)).toContain(why);
      expect(bodyText(reply)).toContain('PLATEN_CALLBACK_ADDRESSES=loopback');
    },
  );

  it.each([
    'http://127.0.0.1:3000/hook',
    'http://[::1]/',
    'http://localhost:3000/hook',
    'http://93.184.216.34/',
  ])('takes the callback_url %s where receivers on this machine are allowed (I-22)', async (callback_url) => {
    services.jobs.isCallbackAddress = callbackAddresses({ PLATEN_CALLBACK_ADDRESSES: 'loopback' });
    expect((await ask(async_, { callback_url })).status).toBe(202);
  });

  it.each(['http://10.0.0.1/', 'http://169.254.169.254/x', 'http://[::ffff:10.0.0.1]/'])(
    'is refused with the callback_url %s there',
    async (callback_url) => {
      services.jobs.isCallbackAddress = callbackAddresses({ PLATEN_CALLBACK_ADDRESSES: 'loopback' });
      expect((await ask(async_, { callback_url })).status).toBe(422);
    },
  );

  it('is refused if its work cannot be started, and leaves nothing', async () => {
    services.jobs.runner.start = async () => {
      throw new PlatenError('storage_unavailable', 'Jobs cannot be started right now.');
    };
    expect((await ask(async_, {}, 'unlucky')).status).toBe(503);
    expect(await store.list('unlucky', 10)).toEqual([]);
    // Nor anything of its request, which may hold passwords.
    for await (const page of new ObjectStore(storage.bucket).list('jobs/unlucky/')) expect(page).toEqual([]);
  });

  it.each([
    ['behind a stage', '/live'],
    ['behind the base path of a domain', '/documents/v1'],
    ['at the root of a domain', ''],
  ])('names addresses as its client has them %s (I-1)', async (_, basePath) => {
    const headers = { ...async_, 'Idempotency-Key': `key ${basePath}` };
    const path = '/v1/img/an-image';
    const event = gatewayEvent({ method: 'POST', path, basePath, headers });
    const serve = createGroup('images', operations, services);
    const location = (await serve(event, CONTEXT)).headers['location'] ?? '';
    expect(location).toMatch(new RegExp(`^${basePath}/v1/jobs/[a-z0-9]+$`));
    // The same request once more.
    expect((await serve(event, CONTEXT)).headers['location']).toBe(location);
    const id = location.split('/').at(-1) ?? '';
    await work(id);
    await settle(id);
    const config = { jobsTable: storage.table, filesBucket: storage.bucket } as JobsConfig;
    const jobs = createGroup('jobs', jobOperations(config, { store, runner: null }));
    const get = async (path: string, base: string) =>
      bodyText(await jobs(gatewayEvent({ method: 'GET', path, basePath: base, scopes: 'render' }), CONTEXT));
    expect(JSON.parse(await get(`/v1/jobs/${id}`, basePath))).toMatchObject({ result: `${location}/result` });
    // Whoever asks at another address is told of that one.
    expect(await get('/v1/jobs', '/other')).toContain(`"/other/v1/jobs/${id}/result"`);
  });

  it.each([
    ['/', ''],
    ['/documents', '/documents'],
    ['/documents/', '/documents'],
    // Not what a proxy says: then the path itself counts.
    ['//evil.example', '/live'],
    ['https://evil.example', '/live'],
    ['/a\r\nb', '/live'],
    ['/a/../..', '/live'],
    ['/.', '/live'],
    ['/..a/.well-known', '/..a/.well-known'],
  ])('behind a proxy that changes the path uses its X-Forwarded-Prefix: %j', async (prefix, base) => {
    const headers = { ...async_, 'X-Forwarded-Prefix': prefix };
    const event = gatewayEvent({ method: 'POST', path: '/v1/img/an-image', basePath: '/live', headers });
    const reply = await createGroup('images', operations, services)(event, CONTEXT);
    expect(reply.headers['location']).toMatch(new RegExp(`^${base}/v1/jobs/[a-z0-9]+$`));
  });

  it('is answered at once where the deployment has no jobs', async () => {
    const serve = createGroup('images', operations);
    const event = gatewayEvent({ method: 'POST', path: '/v1/img/x', headers: async_ });
    expect((await serve(event, CONTEXT)).status).toBe(200);
  });
});

describe('a password in a request', () => {
  const PASSWORD = 'a-password-that-is-long-enough-to-be-found-9f3c';
  const fields = { render_options: JSON.stringify({ encrypt_password: PASSWORD }), note: 'visible-marker' };

  it('is encrypted while the job waits, decrypted for its work, and removed at its end', async () => {
    const id = idOf(await ask({ ...async_, 'X-Marker': PASSWORD }, fields));
    for (const name of ['request', 'body']) {
      const kept = await store.files.read('acme', id, name);
      expect(kept?.length).toBeGreaterThan(0);
      expect(kept?.includes(PASSWORD)).toBe(false);
      expect(kept?.includes('visible-marker')).toBe(false);
    }
    const opened = await store.files.request('acme', id);
    expect(decodeURIComponent(opened?.body.toString() ?? '')).toContain(PASSWORD);
    expect(JSON.stringify(await store.get('acme', id))).not.toContain(PASSWORD);
    expect(JSON.stringify(started)).not.toContain(PASSWORD);

    await work(id);
    await settle(id);
    expect(await store.files.read('acme', id, 'request')).toBeNull();
    expect(await store.files.read('acme', id, 'body')).toBeNull();
    expect(await store.get('acme', id)).toMatchObject({ state: 'succeeded' });
    await settle(id);
  });

  it('is opened for its own job alone, and with the secret of its own deployment', async () => {
    const [one, other] = [idOf(await ask(async_, fields)), idOf(await ask(async_, fields))];
    const sealed = await store.files.read('acme', one, 'body');
    await store.files.put('acme', other, 'body', sealed ?? Buffer.alloc(0));
    await expect(store.files.request('acme', other)).rejects.toThrow('authenticate');
    const { table, bucket } = storage;
    const otherStore = new JobStore({
      table,
      bucket,
      lifetime: 1,
      sealer: new Sealer(async () => 'another secret'),
    });
    await expect(otherStore.files.request('acme', one)).rejects.toThrow('authenticate');
  });
});

describe('the work', () => {
  it('stores the answer that the request would have had', async () => {
    const id = idOf(await ask(async_));
    await work(id);
    await settle(id);
    const job = await store.get('acme', id);
    expect(job).toMatchObject({ state: 'succeeded', done: 1, result: { size: 5 } });
    expect(job?.result?.headers['content-disposition']).toContain("UTF-8''%C3%A4.pdf");
    expect((await store.files.read('acme', id, job?.result?.file ?? ''))?.toString()).toBe('%PDF-');
  });

  it('without space on the disk is a 503, and is retried in a job; the next request is answered', async () => {
    const produce = act;
    act = async () => {
      await writeFile('/dev/full', 'x');
      return await produce();
    };
    const reply = await ask({});
    expect(JSON.parse(bodyText(reply))).toMatchObject({ status: 503, code: 'storage_unavailable' });
    expect(reply.headers['retry-after']).toBe('5');
    const id = idOf(await ask(async_));
    await expect(work(id)).rejects.toMatchObject({ name: 'storage_unavailable' });
    act = produce;
    expect((await ask({})).status).toBe(200);
    await work(id);
    expect(await store.get('acme', id)).toMatchObject({ done: 1, problem: null });
  });

  it('continues after its token expired; the next request needs another (I-2)', async () => {
    const expiresAt = new Date(Date.now() + 300).toISOString();
    const id = idOf(await ask(async_, {}, 'acme', expiresAt));
    await expect.poll(() => Date.now() > Date.parse(expiresAt)).toBe(true);
    await work(id);
    expect(await store.get('acme', id)).toMatchObject({ done: 1, problem: null });
    expect(JSON.parse(bodyText(await ask(async_, {}, 'acme', expiresAt)))).toMatchObject({
      status: 401,
      code: 'token_expired',
    });
  });

  it('finishes even if the token of its request expires meanwhile', async () => {
    const expiresAt = new Date(Date.now() + 300).toISOString();
    const produce = act;
    act = async () => {
      await expect.poll(() => Date.now() > Date.parse(expiresAt)).toBe(true);
      return await produce();
    };
    expect((await ask({}, {}, 'acme', expiresAt)).status).toBe(200);
  });

  it('is retried if it may succeed later, and after the last attempt the job has the reason', async () => {
    const id = idOf(await ask(async_));
    act = async () => {
      throw new PlatenError('engine_unavailable', 'The browser is busy.');
    };
    const error = await work(id).then(
      () => null,
      (thrown: unknown) => thrown as Error,
    );
    expect(error).toMatchObject({ name: 'engine_unavailable', message: 'The browser is busy.' });
    await settle(id, {
      Error: 'engine_unavailable',
      Cause: JSON.stringify({ errorMessage: error?.message }),
    });
    expect(await store.get('acme', id)).toMatchObject({
      state: 'failed',
      problem: { code: 'engine_unavailable', detail: 'The browser is busy.', status: 503 },
    });
  });

  it.each([
    ['Sandbox.Timedout', 'deadline_exceeded'],
    ['Runtime.ExitError', 'internal_error'],
    ['internal_error', 'internal_error'],
  ])('given up with %s is a job that failed with %s, without further details', async (Error, code) => {
    const id = idOf(await ask(async_));
    await settle(id, { Error, Cause: JSON.stringify({ errorMessage: 'at /var/task/secret.mjs' }) });
    const job = await store.get('acme', id);
    expect(job).toMatchObject({ state: 'failed', problem: { code } });
    expect(JSON.stringify(job)).not.toContain('secret');
  });

  it('on a job that was cancelled is not begun', async () => {
    const id = idOf(await ask(async_));
    await store.settle('acme', id, 'cancelled');
    let begun = false;
    act = async () => {
      begun = true;
      throw new Error('not to be called');
    };
    await work(id);
    expect(begun).toBe(false);
  });
});

describe('the files of a job that has ended', () => {
  const filesOfJob = async (id: string): Promise<string[]> => {
    const names: string[] = [];
    const prefix = `jobs/acme/${id}/`;
    for await (const page of new ObjectStore(storage.bucket).list(prefix))
      names.push(...page.map(({ key }) => key.slice(prefix.length)));
    return names;
  };

  it('are its result alone, without those of other attempts', async () => {
    const id = idOf(await ask(async_));
    await store.files.put('acme', id, 'result-of-an-attempt-that-crashed', Buffer.from('x'));
    await store.files.putSealed('acme', id, 'records/0', Buffer.from('x'));
    await work(id);
    await settle(id);
    expect(await filesOfJob(id)).toEqual([(await store.get('acme', id))?.result?.file]);
  });

  it.each([
    ['fails', async (id: string) => await settle(id, { Error: 'Sandbox.Timedout' })],
    [
      'is cancelled',
      async (id: string) => {
        await store.settle('acme', id, 'cancelled');
        await store.removeWork('acme', id);
      },
    ],
    [
      'is deleted',
      async (id: string) => {
        const job = await store.get('acme', id);
        if (job !== null) await store.remove(job);
      },
    ],
  ])('are none if it %s while a step is in progress that writes its own after that', async (_, end) => {
    const id = idOf(await ask(async_));
    const produce = act;
    act = async () => {
      await end(id);
      return await produce();
    };
    await work(id);
    await settle(id);
    expect(await filesOfJob(id)).toEqual([]);
  });
});

describe('a job whose function died while it accepted it', () => {
  it('is started with the same input as if it had not, and a cancelled one is cleared', async () => {
    const id = idOf(await ask(async_, { callback_url: 'https://example.org/' }));
    const cancelled = idOf(await ask(async_));
    await store.settle('acme', cancelled, 'cancelled');
    const [asAccepted] = started;
    started = [];
    await catchUp(store, services.jobs.runner);
    expect(started.filter((job) => job.id === id)).toEqual([asAccepted]);
    expect(started.filter((job) => job.id === cancelled)).toEqual([]);
    expect(await store.files.request('acme', cancelled)).toBeNull();
  });

  it('before its request was stored completely fails, with the advice to send it again', async () => {
    const id = idOf(await ask(async_));
    await new ObjectStore(storage.bucket).delete([`jobs/acme/${id}/body`]);
    const error = await work(id).then(
      () => null,
      (thrown: unknown) => thrown as Error,
    );
    expect(error).toMatchObject({ name: 'storage_unavailable' });
    await settle(id, { Error: error?.name ?? '', Cause: JSON.stringify({ errorMessage: error?.message }) });
    expect(await store.get('acme', id)).toMatchObject({ state: 'failed', problem: { status: 503 } });
    expect((await store.get('acme', id))?.problem?.detail).toContain('Send it again');
  });
});

describe('a document that is too large for an answer', () => {
  const huge = async () => {
    const reply = document({
      body: Readable.from([Buffer.alloc(9)]),
      contentType: 'application/pdf',
      filename: 'a',
    });
    reply.headers['content-length'] = String(201 * 1024 * 1024);
    return reply;
  };

  it('is refused with the way out: a job', async () => {
    act = huge;
    const reply = await ask({});
    expect(reply.status).toBe(422);
    expect(JSON.parse(bodyText(reply))).toMatchObject({ code: 'answer_too_large' });
    expect(bodyText(reply)).toContain('Prefer: respond-async');
  });

  it('is, as the result of a job, downloaded from the storage itself', async () => {
    const id = idOf(await ask(async_));
    await work(id);
    await settle(id);
    const config = { jobsTable: storage.table, filesBucket: storage.bucket } as Parameters<
      typeof jobOperations
    >[0];
    const serve = createGroup('jobs', jobOperations(config, { store, runner: null }, 4));
    const event = gatewayEvent({ method: 'GET', path: `/v1/jobs/${id}/result` });
    const reply = await serve(event, CONTEXT);
    expect(reply.status).toBe(303);
    const response = await fetch(reply.headers['location'] ?? '');
    expect(await response.text()).toBe('%PDF-');
    expect(response.headers.get('content-type')).toBe('application/pdf');
  });

  it('is downloaded only on request, also if it is small', async () => {
    act = async () =>
      document({ body: Buffer.from('%PDF-'), contentType: 'application/pdf', filename: 'a.pdf' });
    const id = idOf(await ask(async_));
    await work(id);
    await settle(id);
    const config = { jobsTable: storage.table, filesBucket: storage.bucket } as JobsConfig;
    const serve = createGroup('jobs', jobOperations(config, { store, runner: null }));
    const path = `/v1/jobs/${id}/result`;
    const reply = async (query: string) =>
      await serve(gatewayEvent({ method: 'GET', path: path + query }), CONTEXT);
    expect((await reply('')).status).toBe(200);
    expect((await reply('?redirect=false')).status).toBe(200);
    const sent = await reply('?redirect=true');
    expect(sent.status).toBe(303);
    expect(await (await fetch(sent.headers['location'] ?? '')).text()).toBe('%PDF-');
  });
});

it('a job is reached by the tokens that could have made it, and by no others of its tenant (I-2)', async () => {
  const tenant = 'scoped';
  const id = idOf(await ask(async_, {}, tenant));
  const config = { jobsTable: storage.table, filesBucket: storage.bucket } as Parameters<
    typeof jobOperations
  >[0];
  const serve = createGroup('jobs', jobOperations(config, { store, runner: null }));
  const called = async (method: string, path: string, scopes: string) =>
    await serve(gatewayEvent({ method, path, tenant, scopes }), CONTEXT);
  for (const [method, path] of [
    ['GET', `/v1/jobs/${id}`],
    ['GET', `/v1/jobs/${id}/result`],
    ['DELETE', `/v1/jobs/${id}`],
  ] as const) {
    const refused = await called(method, path, 'pdf templates:read templates:write');
    expect([refused.status, JSON.parse(bodyText(refused))]).toMatchObject([
      403,
      { code: 'insufficient_scope', detail: 'This route requires a token with the scope render.' },
    ]);
  }
  expect(JSON.parse(bodyText(await called('GET', '/v1/jobs', 'pdf')))).toEqual([]);
  expect(JSON.parse(bodyText(await called('GET', '/v1/jobs', 'render')))).toMatchObject([{ id }]);
  expect((await called('GET', `/v1/jobs/${id}`, 'render')).status).toBe(200);
});

it('a key of a deleted job is refused with this reason', async () => {
  const headers = { ...async_, 'Idempotency-Key': randomUUID() };
  const id = idOf(await ask(headers));
  expect(idOf(await ask(headers))).toBe(id);
  const job = await store.get('acme', id);
  if (job) await store.remove(job);
  const reply = await ask(headers);
  expect(reply.status).toBe(404);
  expect(bodyText(reply)).toContain(id);
});
