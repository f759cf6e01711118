/**
 * Runs the recipe of docs/integrations.md in n8n itself, which runs on this machine's own address: a document for each
 * item, and a batch as a job whose end calls n8n. With a folder as an argument, n8n is expected there; without one it
 * is installed in one of its own, which takes some 3 GB and a quarter of an hour.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buffer } from 'node:stream/consumers';
import { Platen } from '@platen/client';
import { ROOT, startService } from '../../bin/service.ts';
import { asFile, pdfText } from '../convert/support.ts';
import { freePort } from '../support/free-port.ts';
import { CREDENTIAL, HOOK, recipeOf, WORKFLOWS, workflowsOf } from './n8n-workflows.ts';

const N8N = 'n8n@2.40.7';
/** Of the packages that want to run something when they are installed: the database of n8n. */
const SCRIPTS = { sqlite3: true };
const START_SECONDS = 300;

const [given] = process.argv.slice(2);
const installed = path.resolve(given ?? path.join(ROOT, 'node_modules/.cache/platen/n8n'));
const folder = mkdtempSync(path.join(tmpdir(), 'platen-n8n-'));

function check(what: string, holds: boolean): void {
  console.log(`${holds ? 'ok  ' : 'FAIL'} ${what}`);
  if (!holds) process.exitCode = 1;
}

/** @throws when it fails */
async function run(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd: string,
): Promise<string> {
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${String(code)}\n${output}`);
  return output;
}

async function install(): Promise<string> {
  const program = path.join(installed, 'node_modules/.bin/n8n');
  if (!existsSync(program)) {
    mkdirSync(installed, { recursive: true });
    const manifest = { name: 'platen-n8n', private: true, allowScripts: SCRIPTS };
    writeFileSync(path.join(installed, 'package.json'), JSON.stringify(manifest));
    await run('npm', ['install', '--no-audit', '--no-fund', N8N], process.env, installed);
  }
  return program;
}

const program = await install();
const port = await freePort();
const environment = {
  PATH: process.env['PATH'],
  HOME: folder,
  N8N_USER_FOLDER: folder,
  N8N_LISTEN_ADDRESS: '127.0.0.1',
  N8N_HOST: '127.0.0.1',
  N8N_PORT: String(port),
  N8N_DIAGNOSTICS_ENABLED: 'false',
  N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
  N8N_TEMPLATES_ENABLED: 'false',
  N8N_RUNNERS_BROKER_PORT: String(await freePort()),
  N8N_DEFAULT_BINARY_DATA_MODE: 'default',
};
const n8n = (...args: readonly string[]) => run(program, args, environment, folder);

const received: Buffer[] = [];
async function keep(request: IncomingMessage, response: ServerResponse): Promise<void> {
  received.push(await buffer(request));
  response.setHeader('content-type', 'application/json').end('{}');
}
const sink = createServer((request, response) => void keep(request, response)).listen(0, '127.0.0.1');
await once(sink, 'listening');

const dataDir = path.join(folder, 'platen');
const service = await startService({ port: 0, dataDir, env: { PLATEN_CALLBACK_ADDRESSES: 'any' } });
let server: ReturnType<typeof spawn> | null = null;
try {
  const platen = new Platen({ url: service.url, token: service.token });
  const file = { content: '<p>Dear {{ name }}', name: 'letter.html' };
  const { id } = await platen.templates.add({ name: 'Letter', format: 'html' }, { file });
  const recipe = recipeOf(readFileSync(path.join(ROOT, 'docs/integrations.md'), 'utf8'));
  const { port: sinkPort } = sink.address() as AddressInfo;
  const flows = workflowsOf(recipe, service.url, id, `http://127.0.0.1:${sinkPort}/`);
  const credential = {
    ...CREDENTIAL,
    type: 'httpHeaderAuth',
    data: { name: 'Authorization', value: service.token },
  };
  writeFileSync(path.join(folder, 'credentials.json'), JSON.stringify([credential]));
  writeFileSync(path.join(folder, 'workflows.json'), JSON.stringify(flows));
  await n8n('import:credentials', '--input=credentials.json');
  await n8n('import:workflow', '--input=workflows.json');

  const output = await n8n('execute', `--id=${WORKFLOWS.single}`, '--rawOutput');
  writeFileSync(path.join(folder, 'executed.json'), output);
  const files = Array.from(output.matchAll(/"data":\s*"(JVBERi0[\w+/=]+)"/g), ([, data = '']) => data);
  const texts = [...new Set(files)].map((data) => pdfText(Buffer.from(data, 'base64')));
  const names = texts.map((text) => /Dear (\w+)/.exec(text)?.[1]).join(', ');
  check(`a document for each item: ${names}`, names === 'Ada, Grace');

  await n8n('publish:workflow', `--id=${WORKFLOWS.batch}`);
  server = spawn(program, ['start'], {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const hook = `http://127.0.0.1:${port}/webhook/${HOOK}`;
  let status = 0;
  for (let second = 0; second < START_SECONDS && status !== 200; second++) {
    await sleep(1_000);
    status = await fetch(hook, { method: 'POST' }).then(
      (answer) => answer.status,
      () => 0,
    );
  }
  check('the workflow of a batch is started', status === 200);
  for (let second = 0; second < START_SECONDS && received.length === 0; second++) await sleep(1_000);
  const [zip] = received;
  const listed = (file: string) => execFileSync('unzip', ['-Z1', file], { encoding: 'utf8' });
  const entries = zip === undefined ? [] : asFile(zip, listed).trim().split('\n');
  check(`a batch as a job, whose end n8n was told: ${entries.join(', ')}`, entries.length === 2);
} finally {
  if (server !== null && server.exitCode === null) {
    const ended = once(server, 'exit');
    server.kill('SIGTERM');
    await ended;
  }
  sink.close();
  await service.stop(0);
  rmSync(folder, { recursive: true, force: true });
}
