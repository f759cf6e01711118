import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { platen, type Surroundings } from './run.ts';

/** What the command line does with jobs, against a service that goes wrong as this page says. */

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** The answers of one request after the other; the last one is given again. */
async function service(answers: Record<string, Answer[]>) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const what = `${request.method} ${request.url}`;
    asked.push(what);
    request.resume().on('end', () => {
      const left = answers[what] ?? [];
      const answer = left.length > 1 ? left.shift() : left[0];
      if (answer) answer(request, response);
      else response.writeHead(404).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cwd = mkdtempSync(path.join(tmpdir(), 'platen-cli-'));
  writeFileSync(path.join(cwd, 'rows.json'), '[{}]');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
    rmSync(cwd, { recursive: true });
  });
  const env = { PLATEN_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, PLATEN_TOKEN: 't' };
  const run = (args: string[], more: Surroundings = {}) => platen(args, { env, cwd, ...more });
  return { asked, cwd, run };
}

const json =
  (value: object, status = 200): Answer =>
  (_, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
const zip: Answer = (_, response) =>
  response
    .writeHead(200, {
      'content-disposition': `attachment; filename="x.zip"; filename*=UTF-8''..%2Fl%C3%A4nder.zip`,
    })
    .end('zip');
const gone: Answer = (_, response) => response.destroy();

const job = (state: string, done: number, more: object = {}) => ({
  id: 'j1',
  state,
  created: '2026-11-21T12:00:00.000Z',
  finished: ['queued', 'running'].includes(state) ? null : '2026-11-21T12:00:09.000Z',
  total: 20,
  done,
  failed: 0,
  errors: [],
  problem: null,
  ...more,
});
const BATCH = 'POST /v1/render/pdf/batch/abc';
const JOB = 'GET /v1/jobs/j1';

describe('platen batch', () => {
  it('starts a job, waits for it through temporary errors, and saves its result', async () => {
    const busy = (request: IncomingMessage, response: ServerResponse) => json({}, 503)(request, response);
    const accept: Answer = (request, response) => {
      expect(request.headers).toMatchObject({ prefer: 'respond-async', authorization: 't' });
      json(job('queued', 0), 202)(request, response);
    };
    const { asked, cwd, run } = await service({
      [BATCH]: [busy, accept],
      [JOB]: [
        gone,
        json(job('running', 5)),
        json(job('succeeded', 20, { errors: [{ record: 3, message: 'no name' }] })),
      ],
      'GET /v1/jobs/j1/result': [zip],
    });
    const { code, stdout, stderr } = await run(['batch', 'abc', '--data', 'rows.json', '--on-error', 'skip']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    // How fast it went is left out: that is the machine's.
    expect(stderr.replace(/, [\d.]+\/s.*$/gm, '')).toBe(
      'running 5 of 20\nsucceeded 20 of 20\n  4th record: no name\nSaved länder.zip\n',
    );
    expect(readFileSync(path.join(cwd, 'länder.zip'), 'utf8')).toBe('zip');
    expect(asked.filter((what) => what === BATCH)).toHaveLength(2);
  });

  it('receives the ZIP immediately from a service without jobs, or reports that it has none', async () => {
    for (const answers of [[zip], [json({ code: 'not_implemented' }, 501), zip]]) {
      const { cwd, run } = await service({ [BATCH]: answers });
      expect((await run(['batch', 'abc', '-d', 'rows.json', '-o', 'out.zip'])).code).toBe(0);
      expect(readdirSync(cwd).sort()).toEqual(['out.zip', 'rows.json']);
    }
  });

  it('reports why a job failed, with exit code 1 and no file', async () => {
    const problem = { detail: 'Of 20 records these cannot be rendered: 3.' };
    const failed = job('failed', 3, { failed: 1, errors: [{ record: 3, message: 'no name' }], problem });
    const { cwd, run } = await service({ [BATCH]: [json(failed, 202)], [JOB]: [json(failed)] });
    const { code, stderr } = await run(['batch', 'abc', '--data', 'rows.json']);
    expect(code).toBe(1);
    expect(stderr).toContain(`platen: ${problem.detail}\n  4th record: no name\n`);
    expect(readdirSync(cwd)).toEqual(['rows.json']);
    const cancelled = await service({ [BATCH]: [json(failed, 202)], [JOB]: [json(job('cancelled', 3))] });
    expect((await cancelled.run(['batch', 'abc', '-d', 'rows.json'])).stderr).toContain(
      'The job j1 is cancelled.',
    );
  });

  it('prints how to continue with the job if it is interrupted or should not wait', async () => {
    const { run } = await service({
      [BATCH]: [json(job('queued', 0), 202)],
      [JOB]: [json(job('running', 1))],
    });
    const waiting = await run(['batch', 'abc', '--data', 'rows.json'], {
      watch: (stderr, interrupt) => {
        if (stderr.includes('running')) interrupt();
      },
    });
    expect(waiting.code).toBe(130);
    expect(waiting.stderr).toContain('platen jobs get j1');
    expect(await run(['batch', 'abc', '--data', 'rows.json', '--no-wait'])).toMatchObject({
      code: 0,
      stdout: 'j1\n',
    });
  });

  it('leaves no half of a result behind', async () => {
    const half: Answer = (_, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('half');
      setTimeout(() => response.destroy(), 50);
    };
    const { cwd, run } = await service({ [BATCH]: [half] });
    expect((await run(['batch', 'abc', '--data', 'rows.json', '--output', 'out.zip'])).code).toBe(1);
    expect(readdirSync(cwd)).toEqual(['rows.json']);
  });
});

describe('platen jobs', () => {
  it('lists, shows and cancels them, in lines or as JSON', async () => {
    const { asked, run } = await service({
      'GET /v1/jobs?limit=2': [json([job('running', 5), job('failed', 1, { id: 'j2', failed: 1 })])],
      [JOB]: [json(job('running', 5))],
      'DELETE /v1/jobs/j1': [(_, response) => response.writeHead(204).end()],
    });
    expect((await run(['jobs', '--limit', '2'])).stdout).toBe(
      'j1  running  2026-11-21T12:00:00.000Z  5 of 20 done\nj2  failed  2026-11-21T12:00:00.000Z  1 of 20 done, 1 failed\n',
    );
    expect(JSON.parse((await run(['jobs', 'get', 'j1', '--json'])).stdout)).toEqual(job('running', 5));
    expect(await run(['jobs', 'cancel', 'j1'])).toMatchObject({ code: 0, stdout: '' });
    expect(asked.at(-1)).toBe('DELETE /v1/jobs/j1');
  });
});
