import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, inject, test } from 'vitest';
import { ROOT } from '../../bin/service.ts';
import { readAssembly } from '../../packages/aws-local/src/assembly/index.ts';
import { bundleRuntime, invokeWithJson, Lambda } from '../../packages/aws-local/src/lambda/index.ts';
import { readState } from '../../packages/aws-local/src/state.ts';
import {
  addTemplate,
  call,
  checkPdf,
  expectStatus,
  form,
  jsonOf,
  pdfInfo,
  pdfText,
  renderNow,
  zipEntries,
} from '../api/client.ts';
import { docx } from '../convert/documents.ts';
import { sample } from '../formats/build.ts';
import { makeSandboxes } from '../support/lambda/sandbox.ts';

/**
 * Every function does its main job in surroundings like Lambda's (test/support/lambda): not root, everything read-only
 * but a /tmp of its size, no prctl, no new namespaces, its memory and its share of the CPU, no program or font of this
 * machine (but for the convert image), and it is stopped before, between and after its events.
 */

const { fault, functionLog } = inject('sandbox');
const EPS = '%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 100 50\n%%EndComments\n10 10 50 20 rectfill\n';
const SCRIPTS =
  '<!doctype html><title>T</title><h1>Dear {{ name }}</h1><p>你好 日本語 한국어 العربية हिन्दी Привет';

async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Processes of functions in sandboxes, as Lambda's user; only root may look at them. */
const inSandboxes = (): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && /^Uid:\s+993\s/m.test(ofProcess(pid, 'status')));

/** A file of proc(5); empty for a process that has ended. */
function ofProcess(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

/** Lines of a function's log about something. */
const logged = (label: string, about: string): string[] =>
  readFileSync(functionLog, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith(`${label} `) && line.includes(about));

/** Lines at the end of a request or of a step of a job that say how much there was of something. */
const measured = (label: string, measure: string): unknown[] =>
  logged(label, `"${measure}":`).map((line) => JSON.parse(line.slice(label.length + 1)) as unknown);

describe.skipIf(fault !== null)('in surroundings like Lambda’s', () => {
  test('authorizer and service: a token is accepted, another is not', async () => {
    expect(jsonOf(expectStatus(await call('GET', '/v1/token'), 200))).toMatchObject({ tenant: 'local' });
    expectStatus(
      await call('GET', '/v1/token', { headers: { authorization: 'somebody else’s'.replace('’', '') } }),
      401,
    );
  });

  test('render prints html, in fonts of its layer, again after it was stopped', async () => {
    for (const name of ['Ada', 'Grace']) {
      const { bytes } = expectStatus(await renderNow(SCRIPTS, { data: { name } }), 200);
      checkPdf(bytes);
      for (const text of [`Dear ${name}`, '日本語', '한국어', 'Привет'])
        expect(pdfText(bytes)).toContain(text);
      expect(pdfInfo(bytes)).toMatchObject({ Title: 'T', Pages: '1' });
    }
    // In several processes, as it is to be: a probe that was stopped in the middle must not lead to one.
    expect(logged('render', 'chrome_process_model').join()).toMatch(/"model":"multi"/);
    await expect
      .poll(() => measured('render', 'engine_ms')[0])
      .toMatchObject({ documents: 1, pages: 1, engine_ms: expect.any(Number) as number });
  });

  test('render fills an office template, and convert prints it with LibreOffice', async () => {
    const body = form({
      file_data: [await docx('Dear {{ name }}'), 'template.docx'],
      template_data: JSON.stringify({ name: 'Letter', format: 'docx' }),
      render_data: JSON.stringify({ name: 'Ünïcode' }),
    });
    const { bytes } = expectStatus(await call('POST', '/v1/render/pdf', { body }), 200);
    checkPdf(bytes);
    expect(pdfText(bytes)).toContain('Dear Ünïcode');
    // What Lambda refuses is said in the log.
    expect(logged('convert', 'LibreOffice is confined').join()).toMatch(/"no new privileges":"\[Errno 1\]/);
  });

  test('convert prints html with WebKit', async () => {
    const options = { rendering_engine: 'webkit', paper_format: 'A5' };
    const { bytes } = expectStatus(
      await renderNow('<p>Dear {{ name }}', { data: { name: 'Ada' }, options }),
      200,
    );
    checkPdf(bytes);
    expect(pdfText(bytes)).toContain('Dear Ada');
  });

  test('images draws a picture, and convert an EPS with Ghostscript', async () => {
    for (const [file, name] of [
      [sample('rgba.png'), 'rgba.png'],
      [sample('simple.svg'), 'simple.svg'],
      [Buffer.from(EPS), 'drawing.eps'],
    ] as const) {
      const answer = await call('POST', '/v1/render/img', { body: form({ image: [file, name] }) });
      checkPdf(expectStatus(answer, 200).bytes);
    }
  });

  test('templates keeps a template, and render takes it', async () => {
    const id = await addTemplate('<p>Dear {{ name }}');
    const body = new URLSearchParams({ render_data: JSON.stringify({ name: 'kept' }) });
    const { bytes } = expectStatus(await call('POST', `/v1/render/pdf/${id}`, { body }), 200);
    expect(pdfText(bytes)).toContain('Dear kept');
    expectStatus(await call('GET', `/v1/template/${id}`), 200);
    expectStatus(await call('DELETE', `/v1/template/${id}`), 204);
  });

  test.skipIf(process.getuid?.() !== 0)('engines write no core dumps, which would fill /tmp', () => {
    const limits = new Map<string, string[]>();
    for (const pid of inSandboxes()) {
      const name = /chromium|soffice\.bin|node/.exec(ofProcess(pid, 'cmdline'))?.[0] ?? '';
      const limit = /Max core file size\s+(\S+)/.exec(ofProcess(pid, 'limits'))?.[1] ?? '';
      limits.set(name, [...(limits.get(name) ?? []), limit]);
    }
    // The sandbox allows them, as Lambda does.
    expect(limits.get('node')).toContain('unlimited');
    expect(new Set(limits.get('chromium'))).toEqual(new Set(['0']));
    expect(new Set(limits.get('soffice.bin'))).toEqual(new Set(['0']));
  });

  test.skipIf(process.getuid?.() !== 0)(
    'an environment with a full disk answers, ends and is replaced',
    async () => {
      const list = () => call('GET', '/v1/template');
      expectStatus(await list(), 200);
      const isTemplates = (pid: number): boolean =>
        /AWS_LAMBDA_FUNCTION_NAME=[^\0]*templates/i.test(ofProcess(pid, 'environ'));
      const full = inSandboxes().filter(isTemplates);
      expect(full).not.toEqual([]);
      for (const pid of full) {
        // Root is no user of the sandbox and could write no file there.
        const write = `head -c 480M /dev/zero > /proc/${pid}/root/tmp/core.node.1`;
        execFileSync('setpriv', ['--reuid=993', '--regid=990', '--clear-groups', 'sh', '-c', write]);
      }
      // Every one of them answers once more.
      for (let left = full.length; left > 0; left--) expectStatus(await list(), 200);
      await expect.poll(() => logged('templates', 'the disk is full')).not.toEqual([]);
      await expect.poll(() => full.some(isTemplates)).toBe(false);
      expectStatus(await list(), 200);
    },
  );

  test('pdf merges', async () => {
    const page = expectStatus(await renderNow('<p>A page'), 200).bytes;
    const body = form({ file1: [page, 'a.pdf'], file2: [page, 'b.pdf'] });
    const { bytes } = expectStatus(await call('POST', '/v1/pdf/merge', { body }), 200);
    checkPdf(bytes);
    expect(pdfInfo(bytes)).toMatchObject({ Pages: '2' });
  });

  test('jobs takes a batch, render does it, and webhook calls at its end', async () => {
    const called = Promise.withResolvers<string>();
    const receiver = createServer((request, response) => {
      called.resolve(request.method ?? '');
      response.writeHead(204).end();
    }).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const id = await addTemplate('<p>Dear {{ name }}');
    const body = new URLSearchParams({
      render_data: JSON.stringify([{ name: 'Ada' }, { name: 'Grace' }]),
      callback_url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
    });
    const headers = { prefer: 'respond-async' };
    const asked = expectStatus(await call('POST', `/v1/render/html/batch/${id}`, { body, headers }), 202);
    const job = `/v1/jobs/${String(jsonOf(asked)['id'])}`;
    const ended = await until(async () => {
      const now = jsonOf(expectStatus(await call('GET', job), 200));
      return now['state'] === 'queued' || now['state'] === 'running' ? undefined : now;
    });
    expect(ended).toMatchObject({ state: 'succeeded', done: 2 });
    expect(zipEntries(expectStatus(await call('GET', `${job}/result`), 200).bytes)).toHaveLength(2);
    expect(await called.promise).toBe('POST');
    receiver.close();
    await expect
      .poll(() => measured('render', 'queue_ms')[0])
      .toMatchObject({ queue_ms: expect.any(Number) as number });
  });

  test('sweep reads the files of templates', async () => {
    const state = await readState(inject('service').dataDir);
    if (state === null) throw new Error('The service is not running.');
    const { functions } = await readAssembly(path.join(ROOT, '.platen/stacks'));
    const sweep = [...functions.values()].find(({ label }) => label === 'sweep');
    if (sweep === undefined) throw new Error('The stacks have no sweep.');
    const folder = mkdtempSync(path.join(tmpdir(), 'platen-sweep-'));
    const runtime = path.join(folder, 'runtime.mjs');
    await bundleRuntime(runtime);
    const lines: string[] = [];
    const sandboxes = makeSandboxes();
    const { s3, dynamodb } = state.storage.endpoints;
    const lambda = new Lambda(
      {
        runtime,
        tmpRoot: folder,
        layerRoot: () => undefined,
        credentials: () => state.storage.credentials,
        endpoints: { s3, dynamodb, lambda: '', sfn: '', sqs: '', secrets: '' },
        variables: {},
        launcher: sandboxes.launcher,
      },
      { concurrency: 1, waiting: 1, idleMs: 60_000 },
      (_spec, _stream, source) => createInterface({ input: source }).on('line', (line) => lines.push(line)),
    );
    try {
      await addTemplate('<p>with a file', {}, { style: ['p { color: red }', 'style.css'] });
      lambda.deploy(new Map([[sweep.name, sweep]]));
      await invokeWithJson(lambda, sweep.name, {}, AbortSignal.timeout(60_000));
      expect(lines.join()).toMatch(/"swept".*"files":[1-9].*"failed":0,"complete":true/);
    } finally {
      await lambda.stop();
      sandboxes.close();
      rmSync(folder, { recursive: true });
    }
  });
});
