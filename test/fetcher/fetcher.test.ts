import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { cachingFetcher, createFetcher, type FetchPolicy } from '../../packages/print/src/fetcher/index.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A server on an address of its own; 127.0.0.2 stands for the public internet, 127.0.0.1 for what is private. */
async function serve(
  host: string,
  answer: Answer,
): Promise<{ url: string; port: number; requests: string[] }> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    answer(request, response);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, host, () => resolve()));
  const { port } = server.address() as AddressInfo;
  return { url: `http://${host}:${port}`, port, requests };
}

const hello: Answer = (_, response) => response.writeHead(200, { 'content-type': 'text/plain' }).end('hello');
const lenient = (given: Partial<FetchPolicy> = {}): ReturnType<typeof createFetcher> =>
  createFetcher({ outside: 'open', isAllowedAddress: (address) => address === '127.0.0.2', ...given });

describe('the guarded fetcher (I-22)', () => {
  it('loads from an allowed address, with status, headers and bytes', async () => {
    const { url } = await serve('127.0.0.2', hello);
    const answer = await lenient().fetch(`${url}/a?b=c`);
    expect(answer).toMatchObject({
      status: 200,
      url: `${url}/a?b=c`,
      headers: { 'content-type': 'text/plain' },
    });
    expect(Buffer.from(answer.bytes).toString()).toBe('hello');
  });

  it('refuses an address that is not, before anything is sent', async () => {
    const { url, port, requests } = await serve('127.0.0.1', hello);
    for (const address of [
      url,
      `http://localhost:${port}`,
      `http://0x7f.1:${port}`,
      `http://2130706433:${port}`,
      `http://[::ffff:127.0.0.1]:${port}`,
    ]) {
      await expect(createFetcher({ outside: 'open' }).fetch(address)).rejects.toMatchObject({
        code: 'url_not_allowed',
      });
    }
    expect(requests).toEqual([]);
  });

  it('refuses every scheme except http and https, and an invalid address', async () => {
    for (const address of [
      'file:///etc/passwd',
      'ftp://example.com/',
      'data:text/plain,x',
      'ws://example.com',
      'gopher://a',
      'nonsense',
      '//x',
      '',
    ]) {
      await expect(lenient().fetch(address)).rejects.toMatchObject({ code: 'url_not_allowed' });
    }
  });

  it('follows redirects, and checks each step as it checks the first', async () => {
    const inner = await serve('127.0.0.1', hello);
    const outer = await serve('127.0.0.2', (request, response) => {
      const target = {
        '/relative': '/end',
        '/private': `${inner.url}/secret`,
        '/file': 'file:///etc/passwd',
        '/loop': '/loop',
      }[request.url ?? ''];
      if (target === undefined) hello(request, response);
      else response.writeHead(302, { location: target }).end();
    });
    expect((await lenient().fetch(`${outer.url}/relative`)).url).toBe(`${outer.url}/end`);
    await expect(lenient().fetch(`${outer.url}/private`)).rejects.toMatchObject({ code: 'url_not_allowed' });
    await expect(lenient().fetch(`${outer.url}/file`)).rejects.toMatchObject({ code: 'url_not_allowed' });
    await expect(lenient().fetch(`${outer.url}/loop`)).rejects.toMatchObject({
      code: 'url_unreachable',
      message: expect.stringContaining('redirects'),
    });
    expect(inner.requests).toEqual([]);
  });

  it('bounds an answer by its decoded size, however small it travels', async () => {
    const bomb = gzipSync(Buffer.alloc(20_000_000));
    const { url } = await serve('127.0.0.2', (_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    );
    await expect(lenient({ maxBytes: 1_000_000 }).fetch(url)).rejects.toMatchObject({
      code: 'url_unreachable',
      message: expect.stringContaining('larger than 1000000'),
    });
    expect((await lenient().fetch(url)).bytes).toHaveLength(20_000_000);
    await expect(lenient().fetch(url, { maxBytes: 5 })).rejects.toMatchObject({ code: 'url_unreachable' });
  });

  it('aborts a request to a host that does not answer, or never ends its answer', async () => {
    const silent = await serve('127.0.0.2', () => {});
    const endless = await serve('127.0.0.2', (_, response) => {
      const timer = setInterval(() => response.write('x'), 20);
      response.on('close', () => clearInterval(timer));
    });
    for (const { url } of [silent, endless]) {
      await expect(lenient({ timeout: 300 }).fetch(url)).rejects.toMatchObject({
        code: 'url_unreachable',
        message: expect.stringContaining('within 0.3 seconds'),
      });
    }
  });

  it('names a host that cannot be reached, without a word about this machine', async () => {
    const { url, port } = await serve('127.0.0.2', hello);
    servers.pop()?.close();
    const refused = await lenient()
      .fetch(url)
      .catch((error: unknown) => error as Error);
    expect(refused).toMatchObject({ code: 'url_unreachable' });
    expect((refused as Error).message).toBe(
      `http://127.0.0.2:${port} cannot be loaded: the host does not answer.`,
    );
    await expect(lenient().fetch('http://no-such-name.invalid/')).rejects.toMatchObject({
      code: 'url_unreachable',
    });
  });

  it('ends with its signal, waiting or under way', async () => {
    const { url, requests } = await serve('127.0.0.2', () => {});
    const controller = new AbortController();
    const fetcher = lenient({ concurrency: 1 });
    const all = [
      fetcher.fetch(url, { signal: controller.signal }),
      fetcher.fetch(url, { signal: controller.signal }),
    ];
    const settled = Promise.allSettled(all);
    setTimeout(() => controller.abort(new Error('gone')), 50);
    for (const result of await settled)
      expect(result).toMatchObject({ status: 'rejected', reason: { message: 'gone' } });
    expect(requests.length).toBeLessThanOrEqual(1);
  });

  it('loads from listed hosts alone, when hosts are listed', async () => {
    const { url, port } = await serve('127.0.0.2', hello);
    const listed = lenient({ outside: ['cdn.example.com', '*.example.org', '127.0.0.2'] });
    expect((await listed.fetch(url)).status).toBe(200);
    for (const host of [
      'example.com',
      'cdn.example.com.evil.test',
      'evilexample.org',
      'example.org',
      'CDN2.example.com',
    ]) {
      await expect(listed.fetch(`http://${host}:${port}/`)).rejects.toMatchObject({
        code: 'url_not_allowed',
        message: expect.stringContaining('host'),
      });
    }
    // Allowed by its host, so that only the name is missing.
    await expect(listed.fetch('http://a.example.org:1/')).rejects.toMatchObject({ code: 'url_unreachable' });
    await expect(createFetcher({ outside: 'off' }).fetch(url)).rejects.toMatchObject({
      code: 'url_not_allowed',
    });
  });

  it('serves a hundred at once, a bounded number at a time', async () => {
    let now = 0;
    let most = 0;
    const { url } = await serve('127.0.0.2', (_, response) => {
      most = Math.max(most, ++now);
      setTimeout(() => {
        now -= 1;
        response.end('x');
      }, 5);
    });
    const fetcher = lenient({ concurrency: 4 });
    const answers = await Promise.all(Array.from({ length: 100 }, (_, n) => fetcher.fetch(`${url}/${n}`)));
    expect(answers).toHaveLength(100);
    expect(most).toBeLessThanOrEqual(4);
  });
});

describe('a fetcher that remembers', () => {
  it('loads an address once for concurrent and later requests of all origins', async () => {
    const { url, requests } = await serve('127.0.0.2', hello);
    const fetcher = cachingFetcher(lenient(), 1_000);
    const answers = await Promise.all(
      [1, 2, 3].map((n) => fetcher.fetch(url, { headers: { Origin: `https://${n}` } })),
    );
    await fetcher.fetch(url, { headers: { Origin: 'https://4' } });
    expect(answers.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual(['hello', 'hello', 'hello']);
    expect(requests).toHaveLength(1);
  });

  it('continues loading for others after the first request was aborted', async () => {
    const { url, requests } = await serve('127.0.0.2', (_, response) =>
      setTimeout(() => response.end('late'), 100),
    );
    const fetcher = cachingFetcher(lenient(), 1_000);
    const controller = new AbortController();
    const first = fetcher.fetch(url, { signal: controller.signal });
    const second = fetcher.fetch(url);
    controller.abort(new Error('gone'));
    await expect(first).rejects.toThrow('gone');
    expect(Buffer.from((await second).bytes).toString()).toBe('late');
    expect(requests).toHaveLength(1);
  });

  it('does not remember errors, answers for one origin alone, nor more than it may', async () => {
    const { url, requests } = await serve('127.0.0.2', (request, response) => {
      if (request.url === '/error') response.writeHead(500).end();
      else if (request.url === '/own')
        response.writeHead(200, { 'access-control-allow-origin': 'https://1' }).end();
      else if (request.url === '/cut') request.socket.destroy();
      else response.end('x'.repeat(600));
    });
    const fetcher = cachingFetcher(lenient(), 1_000);
    for (const path of ['/error', '/own', '/cut', '/large', '/larger', '/larger']) {
      await fetcher.fetch(url + path).catch(() => {});
      await fetcher.fetch(url + path).catch(() => {});
    }
    const counts = Object.fromEntries(
      [...new Set(requests)].map((path) => [path, requests.filter((other) => other === path).length]),
    );
    expect(counts).toEqual({ '/error': 2, '/own': 2, '/cut': 2, '/large': 1, '/larger': 4 });
  });

  it('limits a cached response to the remaining size of the caller', async () => {
    const { url } = await serve('127.0.0.2', hello);
    const fetcher = cachingFetcher(lenient(), 1_000);
    await fetcher.fetch(url);
    await expect(fetcher.fetch(url, { maxBytes: 4 })).rejects.toThrow('exceeds');
  });
});
