import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer as createHttpServer, type IncomingMessage, request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../bin/service.ts';
import { ensureAssembly } from '../../packages/aws-local/src/synth.ts';
import { until } from '../chrome/processes.ts';
import { processesWith } from './processes.ts';

/** The programs `npm start` and `npm run token` run, with the service's own stacks. */

const NODE = join(ROOT, 'node_modules/.bin/node');
const COMPILED = { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] };

/** A little more than the time within which signals belong together. */
const A_SECOND_MS = 1_100;

let scratch: string;
const running = new Set<Served>();

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'platen-serve-'));
  await ensureAssembly({ root: ROOT });
});

afterAll(async () => {
  for (const served of running) await served.end('SIGKILL');
  await rm(scratch, { recursive: true, force: true });
});

interface Served {
  url: string;
  token: string;
  pid: number;
  output: () => string;
  /** @returns the exit code; null for one that was killed */
  end: (signal: NodeJS.Signals) => Promise<number | null>;
}

interface Surroundings {
  dataDir: string;
  /** Takes the place of /tmp, so that it can be seen what is left there. */
  tmp: string;
  env: Record<string, string>;
}

async function surroundings(name: string, more: Record<string, string> = {}): Promise<Surroundings> {
  const dataDir = join(scratch, name, 'data');
  const tmp = join(scratch, name, 'tmp');
  await mkdir(tmp, { recursive: true });
  return { dataDir, tmp, env: { PLATEN_DATA_DIR: dataDir, TMPDIR: tmp, PLATEN_PORT: '0', ...more } };
}

function launch({ env }: Surroundings, args: string[] = []) {
  const child = spawn(NODE, ['bin/serve.ts', ...args], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...COMPILED, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const exited = once(child, 'exit') as Promise<[number | null]>;
  return { child, exited, output: () => output };
}

async function serve(where: Surroundings, args: string[] = []): Promise<Served> {
  const { child, exited, output } = launch(where, args);
  await until(() => child.exitCode !== null || output().includes('is ready'), output);
  const url = /http:\/\/[^\s]+/.exec(output())?.[0];
  const token = /token +(\S+)/.exec(output())?.[1];
  if (url === undefined || token === undefined) throw new Error(`The service did not start:\n${output()}`);
  const served: Served = {
    url,
    token,
    pid: child.pid ?? 0,
    output,
    end: async (signal) => {
      running.delete(served);
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      return (await exited)[0];
    },
  };
  running.add(served);
  return served;
}

const run = async (where: Surroundings, ...args: string[]) => {
  const { stdout, stderr } = await promisify(execFile)(NODE, ['bin/token.ts', ...args], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'] ?? '', ...COMPILED, ...where.env },
  });
  return { stdout, stderr, last: stdout.trim().split('\n').at(-1) ?? '' };
};

const get = (served: Served, path: string, token = served.token) =>
  fetch(served.url + path, { headers: { authorization: token } });

async function addTemplate(served: Served): Promise<string> {
  const body = new FormData();
  body.append('file_data', new Blob(['<p>Hello {{ name }}']), 'hello.html');
  body.append('template_data', '{"name":"Hello","format":"html"}');
  const answer = await fetch(`${served.url}/v1/template`, {
    method: 'POST',
    body,
    headers: { authorization: served.token },
  });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { id: string }).id;
}

describe('npm start', () => {
  // Some side by side: two of them wait until the service has no more patience.

  it('answers with the token it prints, keeps token and data over a restart, and takes PLATEN_TOKEN instead', async () => {
    const where = await surroundings('restart');
    const endsOn = async (served: Served, signal: NodeJS.Signals) => {
      expect(processesWith(where.tmp).length).toBeGreaterThan(2);
      expect(await served.end(signal)).toBe(0);
      expect(processesWith(where.tmp)).toEqual([]);
      expect(readdirSync(where.tmp)).toEqual([]);
      expect(existsSync(join(where.dataDir, 'service.json'))).toBe(false);
    };
    const first = await serve(where);
    expect(first.token).toMatch(/^plt_[\w-]{43}$/);
    const who = (await (await get(first, '/v1/token')).json()) as { tenant: string };
    expect(who.tenant).toBe('local');
    const id = await addTemplate(first);
    expect(statSync(join(where.dataDir, 'token.json')).mode & 0o777).toBe(0o600);
    expect(statSync(join(where.dataDir, 'service.json')).mode & 0o777).toBe(0o600);
    await endsOn(first, 'SIGTERM');

    const second = await serve(where);
    expect(second.token).toBe(first.token);
    expect((await get(second, `/v1/template/${id}`)).status).toBe(200);
    expect(await (await get(second, `/v1/template/file/${id}`)).text()).toBe('<p>Hello {{ name }}');
    await endsOn(second, 'SIGINT');

    // Other variables that begin with PLATEN_ are handed to the functions.
    const more = { PLATEN_TOKEN: 'one-of-my-own', PLATEN_LOG_LEVEL: 'silent' };
    const chosen = await serve({ ...where, env: { ...where.env, ...more } });
    expect(chosen.token).toBe('one-of-my-own');
    expect((await get(chosen, '/v1/token')).status).toBe(200);
    expect((await get(chosen, '/v1/token', `Bearer one-of-my-own`)).status).toBe(200);
    expect((await get(chosen, '/v1/token', first.token)).status).toBe(401);
    await endsOn(chosen, 'SIGTERM');
    expect(chosen.output()).not.toContain('token refused');
    expect(readFileSync(join(where.dataDir, 'token.json'), 'utf8')).not.toContain('one-of-my-own');
  });

  it('calls receivers on this machine, and says so; with PLATEN_HOST for all clients, it does not (I-22)', async () => {
    const called: string[] = [];
    const receiver = createHttpServer((incoming, response) => {
      called.push(`${incoming.method} ${incoming.url}`);
      response.end();
    }).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const callback = `http://localhost:${(receiver.address() as AddressInfo).port}/hook`;
    const job = async (served: Served) => {
      const body = new FormData();
      body.append('file_data', new Blob(['<p>x']), 'x.html');
      body.append('callback_url', callback);
      const headers = { authorization: served.token, prefer: 'respond-async' };
      const { port } = new URL(served.url);
      return await fetch(`http://127.0.0.1:${port}/v1/render/html`, { method: 'POST', body, headers });
    };
    const own = await serve(await surroundings('own-receiver'));
    expect(own.output()).toMatch(/webhooks +call receivers on this machine/);
    expect((await job(own)).status).toBe(202);
    await until(() => called.length > 0, own.output);
    expect(called).toEqual(['POST /hook']);
    await own.end('SIGTERM');

    const open = await serve(await surroundings('foreign-receiver', { PLATEN_HOST: '0.0.0.0' }));
    expect(open.output()).toMatch(/webhooks +call receivers on the internet/);
    const refused = await job(open);
    expect([refused.status, await refused.text()]).toEqual([
      422,
      expect.stringContaining('PLATEN_CALLBACK_ADDRESSES=loopback'),
    ]);
    await open.end('SIGTERM');
    receiver.close();
  });

  it.concurrent.for([
    ['before it stops', ['SIGTERM']],
    ['although Ctrl-C reaches it twice, from the terminal and from npm', ['SIGINT', 'SIGINT']],
  ] as const)('lets a running request finish %s', async ([name, [signal, again]]) => {
    const where = await surroundings(`graceful-${name.length}`);
    const served = await serve(where);
    const form =
      '--x\r\nContent-Disposition: form-data; name="file_data"; filename="a.html"\r\n\r\n<p>x\r\n--x--\r\n';
    const outgoing = request(`${served.url}/v1/render/html`, {
      method: 'POST',
      headers: {
        authorization: served.token,
        expect: '100-continue',
        'content-type': 'multipart/form-data; boundary=x',
        'content-length': String(form.length),
      },
    });
    const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>;
    outgoing.flushHeaders();
    await once(outgoing, 'continue');
    const ended = served.end(signal);
    await until(() => served.output().includes('Stopping'), served.output);
    if (again !== undefined) process.kill(served.pid, again);
    outgoing.end(form);
    const [answer] = await answered;
    expect(answer.statusCode).toBe(200);
    answer.resume();
    expect(await ended).toBe(0);
  });

  /** A page that never comes to its end, with a body that is large enough to wait on disk. */
  const endless = (served: Served, size: number) => {
    const text = `<script>while (true);</script><!--${'x'.repeat(3_000_000)}-->`;
    const body = Buffer.from(
      `--x\r\nContent-Disposition: form-data; name="file_data"; filename="a.html"\r\n\r\n${text}\r\n--x--\r\n`,
    );
    const outgoing = request(`${served.url}/v1/render/pdf`, {
      method: 'POST',
      headers: {
        authorization: served.token,
        'content-type': 'multipart/form-data; boundary=x',
        'content-length': String(body.length),
      },
    });
    outgoing.on('error', () => undefined);
    outgoing.write(body.subarray(0, Math.min(size, body.length)));
    if (size >= body.length) outgoing.end();
  };
  const bodies = (tmp: string) =>
    readdirSync(tmp, { recursive: true }).filter((name) => String(name).includes('body-'));

  it.concurrent.for([
    ['while its work is under way', Infinity, ['SIGTERM']],
    ['while it is still sent', 2_000_000, ['SIGTERM']],
    ['when it is told again after a second', Infinity, ['SIGTERM', 'SIGTERM']],
    ['when it is told again while it is sent', 2_000_000, ['SIGINT', 'SIGTERM']],
  ] as const)('leaves no file of a request %s', async ([name, size, signals]) => {
    const where = await surroundings(`under-way-${name.replaceAll(' ', '-')}`);
    const served = await serve(where);
    expect((await get(served, '/v1/token')).status).toBe(200);
    endless(served, size);
    await until(() => bodies(where.tmp).length > 0, served.output);
    await until(() => processesWith(where.tmp).length > 2, served.output);
    const [first, second] = signals;
    const ended = served.end(first);
    if (second !== undefined) {
      await until(() => served.output().includes('Stopping'), served.output);
      await sleep(A_SECOND_MS);
      process.kill(served.pid, second);
    }
    expect(await ended).toBe(0);
    // The system takes killed processes away a moment after their signal.
    await until(() => processesWith(where.tmp).length === 0, served.output);
    expect(readdirSync(where.tmp, { recursive: true })).toEqual([]);
  });

  it.concurrent(
    'ends its functions if it is killed, and the next start clears up and has the data',
    async () => {
      const where = await surroundings('killed');
      const first = await serve(where);
      const id = await addTemplate(first);
      await first.end('SIGKILL');
      await until(() => processesWith(where.tmp).length === 0, first.output);
      expect(readdirSync(where.tmp)).not.toEqual([]);

      const second = await serve(where);
      expect((await get(second, `/v1/template/${id}`)).status).toBe(200);
      expect(await second.end('SIGTERM')).toBe(0);
      expect(readdirSync(where.tmp)).toEqual([]);
    },
  );

  it.concurrent('reports a port that is in use, and leaves nothing behind', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const where = await surroundings('port', { PLATEN_PORT: String(port) });
    const refused = launch(where);
    expect((await refused.exited)[0]).toBe(1);
    server.close();
    expect(refused.output()).toContain(`Port ${port} is in use by another program`);
    expect(refused.output()).not.toContain('    at ');
    expect(processesWith(where.tmp)).toEqual([]);
    expect(readdirSync(where.tmp)).toEqual([]);
  });

  it.concurrent.for([
    ['PLATEN_PORT', 'eighty', 'PLATEN_PORT'],
    ['PLATEN_TOKEN', 'two words', 'A token must be 1 to 512'],
    ['PLATEN_CONCURRENCY', '-1', 'PLATEN_CONCURRENCY'],
    ['PLATEN_REQUESTS_PER_ENVIRONMENT', '0', 'PLATEN_REQUESTS_PER_ENVIRONMENT'],
    ['PLATEN_IDLE_MINUTES', 'soon', 'PLATEN_IDLE_MINUTES'],
  ] as const)('stops with the reason when %s is "%s"', async ([name, value, reason]) => {
    const where = await surroundings(`wrong-${name}`, { [name]: value });
    const refused = launch(where);
    expect((await refused.exited)[0]).toBe(1);
    expect(refused.output()).toContain(reason);
    expect(refused.output()).not.toContain('    at ');
  });
});

describe('npm run token', () => {
  it('makes a token while the service runs, as the last line it prints; a second service cannot have its data', async () => {
    const where = await surroundings('token-running');
    const served = await serve(where);
    const { last } = await run(
      where,
      'create',
      '--tenant',
      'acme',
      '--scopes',
      'render,pdf',
      '--expires',
      '30d',
    );
    const who = (await (await get(served, '/v1/token', last)).json()) as Record<string, unknown>;
    expect(who).toMatchObject({ tenant: 'acme', scopes: ['render', 'pdf'] });
    const days = (Date.parse(String(who['expires_at'])) - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(30);
    expect((await get(served, '/v1/template', last)).status).toBe(403);

    const second = launch(where);
    expect((await second.exited)[0]).toBe(1);
    expect(second.output()).toMatch(/is in use by another service.*PLATEN_DATA_DIR/s);
    expect((await get(served, '/v1/token')).status).toBe(200);
  });

  it('makes, lists and revokes tokens while the service does not run', async () => {
    const where = await surroundings('token-still');
    const { last } = await run(where, 'create', '--tenant', 'acme');
    const listed = (await run(where, 'list', '--tenant', 'acme')).stdout;
    expect(listed).toMatch(/^[0-9a-f]{12} {2}acme {2}templates:read,templates:write,render,pdf/);
    expect(listed).not.toContain(last);

    const served = await serve(where);
    expect((await get(served, '/v1/token', last)).status).toBe(200);
    await served.end('SIGTERM');
    await run(where, 'revoke', listed.slice(0, 12));
    const again = await serve(where);
    expect((await get(again, '/v1/token', last)).status).toBe(401);
  });

  it.each([
    [['create'], '--tenant is missing'],
    [['create', '--tenant', '../x'], 'The tenant "../x" must be'],
    [['create', '--tenant', 'a', '--scopes', 'everything'], 'There is no scope "everything"'],
    [['create', '--tenant', 'a', '--expires', 'soon'], '"soon" is not a time'],
    [['create', '--tenant', 'a', '--expires', '2001-01-01'], 'would expire immediately'],
    [['revoke', '000000000000'], 'There is no token with the id'],
    [['steal'], 'Say create, list or revoke'],
    [['list', '--nonsense'], 'nonsense'],
  ])('%j fails with the reason', async (args, reason) => {
    const where = await surroundings('token-wrong');
    await expect(run(where, ...args)).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(reason) as string,
    });
  });
});
