import { mkdtemp, rm } from 'node:fs/promises';
import { request, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger, type Logger } from '../../packages/aws-local/src/log.ts';
import { type LocalOptions, type LocalService, startLocal } from '../../packages/aws-local/src/service.ts';
import { fixtureAssembly } from './fixture/index.ts';

/** The fixture's stacks, served. */
export interface ServedFixture {
  url: string;
  service: LocalService;
  dataDir: string;
  assembly: string;
  /** What was logged as a warning or an error. */
  notes: string[];
  /** What functions wrote, each line with the function's label before it. */
  output: string[];
  stop(): Promise<void>;
}

export async function serveFixture(options: Partial<LocalOptions> = {}): Promise<ServedFixture> {
  const fixture = await fixtureAssembly();
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'platen-data-')));
  const notes: string[] = [];
  const output: string[] = [];
  const log: Logger = {
    ...silentLogger,
    warn: (message) => void notes.push(message),
    error: (message, error) => void notes.push(`${message} ${String(error)}`),
    lines: (label, source) =>
      void source.setEncoding('utf8').on('data', (text: string) => output.push(`${label}: ${text}`)),
  };
  const service = await startLocal({
    assembly: fixture.directory,
    dataDir,
    port: 0,
    strict: true,
    throttle: false,
    log,
    ...options,
  });
  return {
    url: service.url,
    service,
    dataDir,
    assembly: fixture.directory,
    notes,
    output,
    stop: async () => {
      await service.stop(0);
      await fixture.remove();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** The answer ended before it was complete. */
  cut: boolean;
}

/** One request, without the niceties of fetch: any header, any body, and what came of it even if it was cut off. */
export function call(
  url: string,
  {
    method = 'GET',
    headers = {},
    body,
  }: { method?: string; headers?: Record<string, string>; body?: Buffer } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers, agent: false }, (incoming) => {
      const chunks: Buffer[] = [];
      const done = (): void =>
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          body: Buffer.concat(chunks),
          cut: !incoming.complete,
        });
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', done).on('end', done);
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

export function json(answer: Answer): Record<string, unknown> {
  return JSON.parse(answer.body.toString()) as Record<string, unknown>;
}

/** Sends bytes as they are, and gives what comes back until the other side closes. */
export function raw(url: string, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    socket.on('error', reject).on('close', () => resolve(text));
    socket.write(bytes);
  });
}
