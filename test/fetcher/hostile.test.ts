import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { isPublicAddress } from '../../packages/print/src/fetcher/addresses.ts';
import { createFetcher, type FetchPolicy } from '../../packages/print/src/fetcher/index.ts';

/**
 * Servers and resolvers that mean ill (I-22). 127.0.0.2 stands for the public internet; everything else on
 * loopback for what is private.
 */

const PUBLIC = '127.0.0.2';
const PRIVATE = '127.0.0.1';

const servers: (Server | TcpServer)[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    if ('closeAllConnections' in server) server.closeAllConnections();
    server.close();
  }
});

async function listen(server: Server | TcpServer, host: string, port = 0): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
  return (server.address() as AddressInfo).port;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

async function serve(host: string, answer: Answer, port = 0): Promise<{ port: number; requests: string[] }> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.headers.host} ${request.url}`);
    answer(request, response);
  });
  return { port: await listen(server, host, port), requests };
}

type Served = Awaited<ReturnType<typeof serve>>;

/** A public server, and a private one at the same port: another pair where another program has that one. */
async function serveBoth(answer: Answer): Promise<{ outer: Served; inner: Served }> {
  for (;;) {
    const outer = await serve(PUBLIC, answer);
    try {
      return { outer, inner: await serve(PRIVATE, hello, outer.port) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
}

const hello: Answer = (_, response) => void response.end('hello');
const redirectTo =
  (location: string, status = 302): Answer =>
  (_, response) =>
    void response.writeHead(status, { location }).end();

const fetcher = (policy: Partial<FetchPolicy> = {}) =>
  createFetcher({
    outside: 'open',
    isAllowedAddress: (address) => address === PUBLIC,
    timeout: 2_000,
    ...policy,
  });

/** Answers each name with the next of its lists of addresses, and the last one from then on. */
function resolver(names: Record<string, string[][]>) {
  const asked: string[] = [];
  return {
    asked,
    resolve: async (hostname: string) => {
      asked.push(hostname);
      const answers = names[hostname] ?? [];
      const addresses = answers.length > 1 ? answers.shift() : answers[0];
      if (!addresses) throw Object.assign(new Error('ENOTFOUND'), { code: 'ENOTFOUND' });
      return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    },
  };
}

const refused = { code: 'url_not_allowed' };

describe('rebinding', () => {
  it('a name is resolved once for a connection, and the connection uses the checked address', async () => {
    const { outer, inner } = await serveBoth(hello);
    const { resolve, asked } = resolver({ 'rebind.test': [[PUBLIC], [PRIVATE]] });
    const answer = await fetcher({ resolve }).fetch(`http://rebind.test:${outer.port}/`);
    expect(Buffer.from(answer.bytes).toString()).toBe('hello');
    expect(asked).toEqual(['rebind.test']);
    expect(outer.requests).toEqual([`rebind.test:${outer.port} /`]);
    expect(inner.requests).toEqual([]);
  });

  it('a name that resolves to a private address at the next connection is refused then', async () => {
    const { outer, inner } = await serveBoth(
      (_, response) => void response.setHeader('connection', 'close').end('x'),
    );
    const { resolve } = resolver({ 'rebind.test': [[PUBLIC], [PRIVATE]] });
    const one = fetcher({ resolve });
    await one.fetch(`http://rebind.test:${outer.port}/`);
    await expect(one.fetch(`http://rebind.test:${outer.port}/again`)).rejects.toMatchObject(refused);
    expect(inner.requests).toEqual([]);
  });

  it('a name with one address that is not public is refused, with any other addresses in any order', async () => {
    const { outer, inner } = await serveBoth(hello);
    const { port } = outer;
    for (const addresses of [
      [PUBLIC, PRIVATE],
      [PRIVATE, PUBLIC],
      [PUBLIC, '::1'],
      [PUBLIC, '::ffff:127.0.0.1'],
    ]) {
      const { resolve } = resolver({ 'mixed.test': [addresses] });
      await expect(fetcher({ resolve }).fetch(`http://mixed.test:${port}/`)).rejects.toMatchObject(refused);
    }
    expect(inner.requests).toEqual([]);
  });

  it('a name that changes within a chain of redirects is refused there', async () => {
    const { outer, inner } = await serveBoth((request, response) => {
      response.setHeader('connection', 'close');
      redirectTo('/next')(request, response);
    });
    const { resolve } = resolver({ 'rebind.test': [[PUBLIC], [PRIVATE]] });
    const fetched = fetcher({ resolve }).fetch(`http://rebind.test:${outer.port}/`);
    await expect(fetched).rejects.toMatchObject(refused);
    expect(inner.requests).toEqual([]);
  });
});

/** As it may stand in a header, which is ASCII; nothing else of it is changed. */
const inHeader = (address: string): string => address.replace(/[^\0-\x7f]/gu, encodeURIComponent);

/** What loopback and its like may be called. */
const DISGUISES = [
  '127.0.0.1',
  '127.1',
  '0177.0.0.1',
  '0x7f.0.0.1',
  '0x7f000001',
  '2130706433',
  '017700000001',
  '127.0.0.1.',
  '127.0.0.01',
  '%31%32%37.0.0.1',
  '１２７.0.0.1',
  '127。0。0。1',
  '0.0.0.0',
  '0',
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b:1::127.0.0.1]',
  '[2002:7f00:1::]',
  '[2001:0:7f00:1::]',
  '[fe80::1]',
  '[fc00::1]',
  '169.254.169.254',
  '[fd00:ec2::254]',
  '10.0.0.1',
  '100.64.0.1',
  '192.0.0.192',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '240.0.0.1',
];

describe('disguises', () => {
  it.each(DISGUISES)('http://%s/ is refused, at first and after a redirect', async (host) => {
    const isAllowedAddress = (address: string) => address === PUBLIC || isPublicAddress(address);
    const one = fetcher({ isAllowedAddress, resolve: resolver({ 'a.test': [[PUBLIC]] }).resolve });
    await expect(one.fetch(`http://${host}/`)).rejects.toMatchObject(refused);
    for (const location of [`http://${host}/`, `//${host}/`, `http:\\\\${host}\\`]) {
      const { port } = await serve(PUBLIC, redirectTo(inHeader(location)));
      await expect(one.fetch(`http://a.test:${port}/`), location).rejects.toMatchObject(refused);
    }
  });

  it.each(['localhost', 'localhost.', 'LOCALHOST', 'a.localhost'])('http://%s/ is refused', async (host) => {
    const { port, requests } = await serve(PRIVATE, hello);
    const code = expect.stringMatching(/^url_(not_allowed|unreachable)$/) as string;
    await expect(createFetcher({ outside: 'open' }).fetch(`http://${host}:${port}/`)).rejects.toMatchObject({
      code,
    });
    expect(requests).toEqual([]);
  });

  it('a user in front of a host is refused, and does not turn one host into another', async () => {
    const { port, requests } = await serve(PUBLIC, hello);
    for (const url of [`http://user:secret@${PUBLIC}:${port}/`, `http://${PUBLIC}@${PRIVATE}:${port}/`]) {
      const error = (await fetcher()
        .fetch(url)
        .catch((thrown: unknown) => thrown)) as Error;
      expect(error).toMatchObject(refused);
      expect(error.message).not.toContain('secret');
    }
    expect(requests).toEqual([]);
  });

  it('a list of hosts is not met by a trailing dot, a port, a user or another case of them', async () => {
    const { port, requests } = await serve(PUBLIC, hello);
    const { resolve } = resolver({
      'cdn.test': [[PUBLIC]],
      'cdn.test.': [[PUBLIC]],
      'evil.test': [[PUBLIC]],
    });
    const listed = fetcher({ outside: ['cdn.test'], resolve });
    for (const host of [
      'evil.test',
      'cdn.test.evil.test',
      'cdn.test@evil.test',
      'evil.test#cdn.test',
      'cdn.test.',
    ]) {
      await expect(listed.fetch(`http://${host}:${port}/`), host).rejects.toBeTruthy();
    }
    expect(requests).toEqual([]);
    expect((await listed.fetch(`http://CDN.test:${port}/`)).status).toBe(200);
  });
});

describe('redirects', () => {
  it.each([301, 302, 303, 307, 308])(
    'with status %i to a private address send nothing there',
    async (status) => {
      const inner = await serve(PRIVATE, hello);
      const outer = await serve(PUBLIC, redirectTo(`http://${PRIVATE}:${inner.port}/`, status));
      await expect(fetcher().fetch(`http://${PUBLIC}:${outer.port}/`)).rejects.toMatchObject(refused);
      expect(inner.requests).toEqual([]);
    },
  );

  it.each([
    'file:///etc/passwd',
    'gopher://x/',
    'data:text/plain,x',
    'javascript:1',
    'ftp://127.0.0.2/',
    'http://',
  ])('to %s are refused', async (location) => {
    const { port } = await serve(PUBLIC, redirectTo(location));
    await expect(fetcher().fetch(`http://${PUBLIC}:${port}/`)).rejects.toMatchObject(refused);
  });

  it('are not followed for a POST, which webhooks send', async () => {
    const inner = await serve(PRIVATE, hello);
    const outer = await serve(PUBLIC, redirectTo(`http://${PRIVATE}:${inner.port}/`, 307));
    const answer = await fetcher().fetch(`http://${PUBLIC}:${outer.port}/`, { body: Buffer.from('{}') });
    expect(answer.status).toBe(307);
    expect(inner.requests).toEqual([]);
    await expect(
      fetcher().fetch(`http://${PRIVATE}:${inner.port}/`, { body: Buffer.from('{}') }),
    ).rejects.toMatchObject(refused);
    const { resolve } = resolver({ 'hook.test': [[PRIVATE]] });
    const posted = fetcher({ resolve }).fetch(`http://hook.test:${inner.port}/`, { body: Buffer.from('{}') });
    await expect(posted).rejects.toMatchObject(refused);
    expect(inner.requests).toEqual([]);
  });
});

const CHUNKED = 'Transfer-Encoding: chunked\r\n\r\n';

describe('answers without an end', () => {
  const within = { maxBytes: 200_000, timeout: 1_000 };
  const unreachable = { code: 'url_unreachable' };

  it.each([
    ['gzip', gzipSync(Buffer.alloc(50_000_000))],
    ['br', brotliCompressSync(Buffer.alloc(20_000_000))],
    ['deflate', deflateSync(Buffer.alloc(50_000_000))],
    ['gzip, gzip', gzipSync(gzipSync(Buffer.alloc(50_000_000)))],
    ['gzip, br', brotliCompressSync(gzipSync(Buffer.alloc(50_000_000)))],
  ])('a compression bomb in %s is bounded by its decoded size', async (encoding, bomb) => {
    const { port } = await serve(
      PUBLIC,
      (_, response) => void response.writeHead(200, { 'content-encoding': encoding }).end(bomb),
    );
    await expect(fetcher(within).fetch(`http://${PUBLIC}:${port}/`)).rejects.toMatchObject(unreachable);
  });

  it('a body that never ends, or is very slow, is cut', async () => {
    const fast = await serve(PUBLIC, (_, response) => {
      const piece = Buffer.alloc(65_536, 120);
      const more = (): void => {
        while (!response.destroyed && response.write(piece));
      };
      response.on('drain', more);
      more();
    });
    const slow = await serve(PUBLIC, (_, response) => {
      const timer = setInterval(() => response.write('x'), 20);
      response.on('close', () => clearInterval(timer));
    });
    for (const { port } of [fast, slow]) {
      await expect(fetcher(within).fetch(`http://${PUBLIC}:${port}/`)).rejects.toMatchObject(unreachable);
    }
  });

  it.each([
    ['no answer', ''],
    ['half a head', 'HTTP/1.1 200 OK\r\nContent-'],
    ['a head without an end', `HTTP/1.1 200 OK\r\n${'X-Long: 1\r\n'.repeat(20_000)}`],
    ['no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n\r\n'],
    ['a body shorter than it says', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort'],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
    ['a length below zero', 'HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nab'],
    ['a length beyond all numbers', `HTTP/1.1 200 OK\r\nContent-Length: 1${'0'.repeat(40)}\r\n\r\nab`],
    ['a length beside chunks', `HTTP/1.1 200 OK\r\nContent-Length: 1\r\n${CHUNKED}1\r\na\r\n0\r\n\r\n`],
    ['a size of a chunk without an end', `HTTP/1.1 200 OK\r\n${CHUNKED}${'0'.repeat(200_000)}`],
    ['an extension of a chunk without an end', `HTTP/1.1 200 OK\r\n${CHUNKED}1;${'a'.repeat(200_000)}`],
    ['trailers without an end', `HTTP/1.1 200 OK\r\n${CHUNKED}0\r\n${'X-Long: 1\r\n'.repeat(20_000)}`],
    ['nothing but interim answers', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(10_000)],
    ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'],
    ['a redirect to nothing', 'HTTP/1.1 302 Found\r\nLocation: http://[\r\n\r\n'],
  ])('%s is a reported error', async (_, text) => {
    const port = await listen(
      createTcpServer((socket) => {
        socket.on('error', () => undefined);
        socket.write(text);
        if (text.includes('short') || text.startsWith('SSH')) socket.end();
      }),
      PUBLIC,
    );
    const error = (await fetcher(within)
      .fetch(`http://${PUBLIC}:${port}/`)
      .catch((thrown: unknown) => thrown)) as Error;
    expect(error).toMatchObject({ code: expect.stringMatching(/^url_(unreachable|not_allowed)$/) as string });
    expect(error.message).not.toMatch(/ECONN|socket|node_modules/);
  });

  it('a resolver that never answers is a reported error, and so is one that answers with nothing', async () => {
    const never = () => new Promise<never>(() => {});
    for (const resolve of [never, () => Promise.resolve([])])
      await expect(fetcher({ ...within, resolve }).fetch('http://slow.test/')).rejects.toMatchObject(
        unreachable,
      );
  });

  it('a thousand of them end, and the next request is loaded', async () => {
    const { port } = await serve(PUBLIC, (request, response) => {
      if (request.url === '/next') response.end('x');
      else request.socket.destroy();
    });
    const one = fetcher({ concurrency: 8 });
    const all = await Promise.allSettled(
      Array.from({ length: 1_000 }, (_, n) => one.fetch(`http://${PUBLIC}:${port}/${n}`)),
    );
    expect(all.every(({ status }) => status === 'rejected')).toBe(true);
    expect((await one.fetch(`http://${PUBLIC}:${port}/next`)).status).toBe(200);
  });
});
