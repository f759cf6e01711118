/**
 * Runs the bundled render function in Lambda-like surroundings, through the Lambda protocol, in every process model, and
 * looks at what it prints. Fails loudly. Run with `npm run test:lambda`; needs bubblewrap and poppler.
 */
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { buildChromiumLayer } from '../../layers/chromium/build.ts';
import { buildFontsLayer } from '../../layers/fonts/build.ts';
import { buildNativeLayer } from '../../layers/native/build.ts';
import { bundleFunctions } from '../../lib/artifacts/bundle.ts';
import { FUNCTIONS } from '../../lib/functions.ts';
import { bundleRuntime } from '../../local/lambda/index.ts';
import { jsonPayload } from '../../local/lambda/payload.ts';
import { RuntimeApi, type StreamedAnswer } from '../../local/lambda/runtime-api.ts';
import { gatewayEvent, multipart } from '../support/gateway-event.ts';
import { spawnLikeLambda } from './lambda-like.ts';
import { pdfFonts, pdfInfo, pdfText } from './pdf.ts';

const root = path.resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(path.join(tmpdir(), 'platen-lambda-'));
// The function's user is another one.
chmodSync(folder, 0o755);

try {
  mkdirSync(path.join(folder, 'runtime'));
  const runtime = path.join(folder, 'runtime', 'runtime.mjs');
  const [chromium, fonts, native] = await Promise.all([
    buildChromiumLayer(),
    buildFontsLayer(),
    buildNativeLayer(),
  ]);
  await bundleFunctions(root, new Map([['render', FUNCTIONS.render]]), folder);
  await bundleRuntime(runtime);
  const mounts = {
    '/opt/chromium': path.join(chromium.dist, 'chromium'),
    '/opt/fonts': path.join(fonts.dist, 'fonts'),
    '/opt/nodejs': path.join(native.dist, 'nodejs'),
    '/var/task': path.join(folder, 'render'),
    '/var/runtime': path.dirname(runtime),
  };
  for (const mode of ['multi', 'single', 'auto'] as const) await runFunction(mode, mounts);
} finally {
  rmSync(folder, { recursive: true });
}

/** Starts the function in one process model and sends it a few requests of two tenants. */
async function runFunction(mode: 'multi' | 'single' | 'auto', mounts: Record<string, string>): Promise<void> {
  let ready = Promise.withResolvers<void>();
  const answers = new Map<string, PromiseWithResolvers<StreamedAnswer>>();
  const fail = (error: unknown): void => {
    ready.reject(error);
    for (const answer of answers.values()) answer.reject(error);
  };
  const api = await RuntimeApi.listen({
    ready: () => ready.resolve(),
    initError: fail,
    error: (_, error) => fail(error),
    result: (_, json) => fail(new Error(`a buffered answer: ${json.toString()}`)),
    stream: (id, answer) => answers.get(id)?.resolve(answer),
  });
  const started = performance.now();
  const child = spawnLikeLambda([process.execPath, '/var/runtime/runtime.mjs'], {
    mounts,
    // Lambda's network has an address of the Runtime API as this one has.
    network: true,
    env: {
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: 'none',
      AWS_SECRET_ACCESS_KEY: 'none',
      AWS_LAMBDA_FUNCTION_NAME: 'render',
      AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
      AWS_LAMBDA_LOG_GROUP_NAME: '/aws/lambda/render',
      AWS_LAMBDA_LOG_STREAM_NAME: 'stream',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(FUNCTIONS.render.memory),
      AWS_LAMBDA_RUNTIME_API: api.address,
      LAMBDA_TASK_ROOT: '/var/task',
      _HANDLER: 'index.handler',
      NODE_PATH: '/opt/nodejs/node_modules',
      LD_LIBRARY_PATH: '/opt/lib',
      PLATEN_TEMPLATES_TABLE: 'none',
      PLATEN_FILES_BUCKET: 'none',
      PLATEN_CHROME_MODE: mode,
    },
  });
  const ended = once(child, 'exit');
  ended.then(([code, signal]) => fail(new Error(`the function ended (${signal ?? code})`)), fail);
  const lines: string[] = [];
  if (child.stdout !== null) createInterface(child.stdout).on('line', (line) => lines.push(line));

  try {
    await ready.promise;
    console.log(`${mode}: initialised after ${since(started)} ms`);
    for (const [n, tenant] of ['a', 'a', 'b', 'a'].entries()) {
      ready = Promise.withResolvers();
      const sent = performance.now();
      const id = `request-${n}`;
      answers.set(id, Promise.withResolvers());
      api.deliver({
        requestId: id,
        deadline: Date.now() + 60_000,
        functionArn: 'arn:aws:lambda:eu-central-1:000000000000:function:render',
        traceId: 'none',
        payload: jsonPayload(renderEvent(tenant)),
      });
      const answer = await answers.get(id)?.promise;
      const bytes = await buffer(answer?.body ?? Readable.from([]));
      const failure = answer?.failure();
      if (failure !== undefined) throw new Error(`${failure.errorType}: ${failure.errorMessage}`);
      check(bytes, tenant);
      console.log(`  a document for tenant ${tenant} after ${since(sent)} ms`);
      await ready.promise;
    }
    const model = lines.find((line) => line.includes('chrome_process_model'));
    if (model === undefined) throw new Error('the process model was not logged');
    console.log(`  ${model}`);
  } catch (error) {
    console.error(lines.join('\n'));
    throw error;
  } finally {
    child.kill('SIGKILL');
    await ended;
    api.close();
  }
}

function renderEvent(tenant: string): object {
  const template = '<!doctype html><h1>Hello {{ name }}</h1><p>你好 日本語 한국어 العربية हिन्दी Привет 😀';
  const parts = [
    { name: 'file_data', filename: 'template.html', contentType: 'text/html', content: template },
    { name: 'template_data', content: JSON.stringify({ name: 'letter', format: 'html' }) },
    { name: 'render_data', content: JSON.stringify({ name: `tenant ${tenant}` }) },
  ];
  return gatewayEvent({ method: 'POST', path: '/v1/render/pdf', tenant, ...multipart(parts) });
}

/** The answer is a JSON head, eight zero bytes, and the body (Lambda, HttpResponseStream). */
function check(answer: Buffer, tenant: string): void {
  const end = answer.indexOf(Buffer.alloc(8));
  const head = JSON.parse(answer.toString('utf8', 0, end)) as { statusCode: number };
  const body = answer.subarray(end + 8);
  if (head.statusCode !== 200) throw new Error(`status ${head.statusCode}: ${body.toString('utf8')}`);
  const text = pdfText(body);
  for (const expected of [`Hello tenant ${tenant}`, '日本語', '한국어', 'letter']) {
    if (!text.includes(expected)) throw new Error(`"${expected}" is not in the document: ${text}`);
  }
  if (pdfInfo(body).pages !== 1 || !pdfFonts(body).every(({ embedded }) => embedded))
    throw new Error('not as it should be');
}

function since(start: number): string {
  return (performance.now() - start).toFixed(0);
}
