import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Backlog } from '../../packages/aws-local/src/gateway/backlog.ts';
import { HttpServer } from '../../packages/aws-local/src/server.ts';
import { readState } from '../../packages/aws-local/src/state.ts';
import { call, serveFixture, type ServedFixture } from './served-fixture.ts';

/** Clients that do not read their responses, or read slowly. */

const KB = 1024;
const MB = 1024 * KB;

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-slow-'));
});

afterAll(() => rm(folder, { recursive: true }));

function open(url: string, path: string): Socket {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => {});
  socket.pause();
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  return socket;
}

describe('clients that read nothing', () => {
  let fixture: ServedFixture;
  beforeAll(async () => {
    fixture = await serveFixture({ concurrency: 2, strict: false });
  });
  afterAll(() => fixture.stop());

  it('do not keep the environments of their function: others are answered, and the answers wait for them', async () => {
    const path = '/v1/streams/bytes?count=192';
    const sockets = [1, 2, 3, 4].map(() => open(fixture.url, path));
    // Twice as many as there are environments.
    const others = await Promise.all([1, 2, 3, 4].map(() => call(fixture.url + path)));
    expect(others.map(({ body }) => body.length)).toEqual([1, 2, 3, 4].map(() => 192 * 65_536));
    const state = await readState(fixture.dataDir);
    expect((await readdir(state?.runFolder ?? '')).filter((name) => name.startsWith('answer-'))).toEqual([]);
    for (const socket of sockets) {
      const chunks: Buffer[] = [];
      const ended = once(socket, 'close');
      socket.on('data', (chunk: Buffer) => chunks.push(chunk)).resume();
      await ended;
      const text = Buffer.concat(chunks);
      const body = text.subarray(text.indexOf('\r\n\r\n') + 4);
      expect(body.length).toBeGreaterThan(192 * 65_536);
      expect(body.subarray(-5).toString()).toBe('0\r\n\r\n');
    }
  });

  it('and leave early make no fault, and the function is free', async () => {
    const socket = open(fixture.url, '/v1/streams/bytes?count=192');
    await sleep(200);
    socket.destroy();
    expect((await call(`${fixture.url}/v1/streams/bytes`)).status).toBe(200);
    expect(fixture.notes).toEqual([]);
  });
});

describe('a response that nobody reads', () => {
  async function served(
    unreadMs: number,
  ): Promise<{ url: string; closed: Promise<number>; stop(): Promise<void> }> {
    const { promise: closed, resolve } = Promise.withResolvers<number>();
    const server = await HttpServer.listen({
      host: '127.0.0.1',
      port: 0,
      maxHeaderSize: 16_384,
      unreadMs,
      refuse: () => ({ status: 400, headers: {}, body: '' }),
      handler: async (_, response) => {
        response.once('close', () => resolve(response.socket?.bytesWritten ?? 0));
        response.end(Buffer.alloc(24 * MB));
      },
    });
    return { url: `http://127.0.0.1:${server.port}`, closed, stop: () => server.close(0, () => undefined) };
  }

  it('is dropped after a while', async () => {
    const { url, closed, stop } = await served(300);
    const socket = open(url, '/');
    await expect(closed).resolves.toBeGreaterThan(0);
    socket.destroy();
    await stop();
  });

  it('stays as long as its client reads, however slowly', async () => {
    const { url, stop } = await served(600);
    const outgoing = request(url).end();
    const [incoming] = (await once(outgoing, 'response')) as [AsyncIterable<Buffer>];
    let length = 0;
    let reads = 0;
    for await (const chunk of incoming) {
      length += chunk.length;
      // Slower than the system takes more, and for longer than nothing would be read.
      if (reads++ < 40) await sleep(50);
    }
    expect(length).toBe(24 * MB);
    await stop();
  });
});

describe('a backlog', () => {
  const collected = async (backlog: Backlog): Promise<Buffer> => {
    const pieces: Buffer[] = [];
    for await (const piece of backlog) pieces.push(piece);
    return Buffer.concat(pieces);
  };

  it('returns its pieces in their order, from memory and disk, whether they are taken soon or late', async () => {
    const backlog = new Backlog(folder);
    const pieces = Array.from({ length: 2_000 }, (_, index) => randomBytes(1 + ((index * 7919) % (64 * KB))));
    const taken: Buffer[] = [];
    const taking = (async () => {
      for await (const piece of backlog) {
        taken.push(piece);
        // Sometimes all of them are taken, and sometimes many wait.
        if (taken.length % 100 === 0) await sleep(20);
      }
    })();
    for (const piece of pieces) await backlog.add(piece);
    backlog.end();
    await taking;
    expect(Buffer.concat(taken).equals(Buffer.concat(pieces))).toBe(true);
    await backlog.close();
  });

  it('that is closed takes no more, and ends its reader', async () => {
    const backlog = new Backlog(folder);
    const reading = collected(backlog);
    await backlog.close();
    await backlog.add(Buffer.alloc(3 * MB));
    expect(await reading).toHaveLength(0);
  });
});
