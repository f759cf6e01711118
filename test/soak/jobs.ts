/**
 * Sends 5,000 records as one job to the service as `npm start` runs it. A function that renders parts is killed in the
 * middle, then the service itself, without a chance to say goodbye, and started again over the same data. Every record
 * must be in the ZIP exactly once, in its place.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processTree } from '../support/process-tree.ts';

const RECORDS = Number(process.env['SOAK_COUNT'] ?? 5_000);
const FORMAT = process.env['SOAK_FORMAT'] ?? 'pdf';
const TOKEN = `soak-${process.pid}-${Date.now()}`;
const PORT = String(18_000 + (process.pid % 1_000));
const URL_ = `http://localhost:${PORT}`;
const headers = { authorization: TOKEN };

const dataDir = await mkdtemp(join(tmpdir(), 'platen-soak-'));
const failures: string[] = [];
let output = '';

async function start(): Promise<ChildProcess> {
  const child = spawn('node_modules/.bin/node', ['bin/serve.ts'], {
    env: { ...process.env, PLATEN_PORT: PORT, PLATEN_DATA_DIR: dataDir, PLATEN_TOKEN: TOKEN },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-20_000)));
  }
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the service ended before it was ready:\n${output}`);
    const ready = await fetch(`${URL_}/v1/token`, { headers }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (ready) return child;
    await sleep(200);
  }
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

interface Job {
  id: string;
  state: string;
  total: number | null;
  done: number;
  failed: number;
  problem: unknown;
}

async function json<T>(path: string, init: RequestInit = {}): Promise<T> {
  const response = await fetch(`${URL_}${path}`, { ...init, headers: { ...headers, ...init.headers } });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

/** The execution environments of the render function, by the folder they run in. */
function renderers(root: number): { pid: number; rss: number }[] {
  return processTree(root).flatMap(({ pid, anonymousBytes }) => {
    try {
      const env = readFileSync(`/proc/${pid}/environ`, 'utf8');
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      const isRender = /AWS_LAMBDA_FUNCTION_NAME=[^\0]*render/.test(env) && command.includes('runtime.mjs');
      return isRender ? [{ pid, rss: anonymousBytes / 2 ** 20 }] : [];
    } catch {
      // It has ended meanwhile.
      return [];
    }
  });
}

let service = await start();
try {
  const template = new FormData();
  const html = '<!doctype html><title>Letter</title><p>Dear {{ name }}, this is letter {{ number }}.</p>';
  template.append('file_data', new Blob([html]), 'letter.html');
  template.append('template_data', '{"name":"Letter","format":"html"}');
  const { id: templateId } = await json<{ id: string }>('/v1/template', { method: 'POST', body: template });

  const records = Array.from({ length: RECORDS }, (_, i) => `N${i + 1};${i + 1}`);
  const body = new FormData();
  body.append('render_data', new Blob([`name;number\n${records.join('\n')}`]), 'people.csv');
  const asked = performance.now();
  let job = await json<Job>(`/v1/render/${FORMAT}/batch/${templateId}`, {
    method: 'POST',
    body,
    headers: { prefer: 'respond-async' },
  });
  console.log(`accepted after ${(performance.now() - asked).toFixed(0)} ms`);

  const seen: string[] = [];
  const memory: number[] = [];
  let killed = 0;
  let restarted = false;
  let unavailable = 0;
  let last = -1;
  while (job.state === 'queued' || job.state === 'running') {
    await sleep(500);
    const response = await fetch(`${URL_}/v1/jobs/${job.id}`, { headers });
    // A busy storage may be late, and says so.
    if (response.status === 503) {
      unavailable += 1;
      continue;
    }
    job = (await response.json()) as Job;
    memory.push(Math.max(0, ...renderers(service.pid ?? 0).map(({ rss }) => rss)));
    if (job.done < last) failures.push(`progress went back from ${last} to ${job.done}`);
    if (job.done > (job.total ?? Infinity)) failures.push(`progress counts ${job.done} of ${job.total}`);
    last = job.done;
    seen.push(`${((performance.now() - asked) / 1000).toFixed(0)}s:${job.done}`);
    if (killed === 0 && job.done > RECORDS / 4) {
      const [victim] = renderers(service.pid ?? 0);
      if (victim) {
        process.kill(victim.pid, 'SIGKILL');
        killed = job.done;
        console.log(`killed a render function at ${job.done} of ${job.total}`);
      }
    }
    if (!restarted && job.done > RECORDS / 2) {
      restarted = true;
      console.log(`killed the service at ${job.done} of ${job.total}`);
      const gone = once(service, 'exit');
      service.kill('SIGKILL');
      await gone;
      service = await start();
    }
  }
  const seconds = (performance.now() - asked) / 1000;
  console.log(`progress: ${seen.filter((_, i) => i % Math.ceil(seen.length / 15) === 0).join(' ')}`);
  console.log(
    `${job.state} after ${seconds.toFixed(0)} s: ${job.done} of ${job.total}, ${job.failed} failed; ` +
      `${unavailable} requests for its state were answered 503`,
  );
  const middle = memory.slice(Math.floor(memory.length / 4));
  console.log(
    `memory of the largest render function, MB: at the most ${Math.max(...memory).toFixed(0)}, later ` +
      middle
        .filter((_, i) => i % Math.ceil(middle.length / 10) === 0)
        .map((mb) => mb.toFixed(0))
        .join(' '),
  );
  if (job.state !== 'succeeded') failures.push(`the job ${job.state}: ${JSON.stringify(job.problem)}`);
  if (killed === 0 || !restarted) failures.push('nothing was killed: too few records');

  const response = await fetch(`${URL_}/v1/jobs/${job.id}/result`, { headers });
  const zip = join(dataDir, 'result.zip');
  await writeFile(zip, Buffer.from(await response.arrayBuffer()));
  const folder = await mkdtemp(join(tmpdir(), 'platen-soak-zip-'));
  execFileSync('unzip', ['-q', zip, '-d', folder]);
  const names = execFileSync('unzip', ['-Z1', zip], { encoding: 'utf8', maxBuffer: 2 ** 26 })
    .trim()
    .split('\n');
  const digits = String(RECORDS).length;
  const expected = records.map((_, i) => `Letter-${String(i + 1).padStart(digits, '0')}.${FORMAT}`);
  if (names.join() !== expected.join())
    failures.push(`the ZIP holds ${names.length} entries, not those expected`);
  const step = FORMAT === 'html' ? 1 : Math.max(1, Math.floor(RECORDS / 200));
  for (let i = 0; i < RECORDS; i += step) {
    const path = join(folder, expected[i] ?? '');
    const text =
      FORMAT === 'html'
        ? readFileSync(path, 'utf8')
        : execFileSync('pdftotext', [path, '-'], { encoding: 'utf8' });
    if (!text.includes(`Dear N${i + 1}, this is letter ${i + 1}.`))
      failures.push(`${expected[i]} holds: ${text}`);
  }
  console.log(
    `ZIP: ${names.length} entries, ${new Set(names).size} names, ${Math.ceil(RECORDS / step)} looked into`,
  );
  await rm(folder, { recursive: true });
} finally {
  const gone = once(service, 'exit');
  service.kill('SIGTERM');
  if (service.exitCode === null) await gone;
  await rm(dataDir, { recursive: true, force: true });
}
for (const failure of failures.slice(0, 20)) console.error(failure);
if (failures.length > 0) console.error(output.slice(-3_000));
console.log(failures.length === 0 ? 'passed' : `FAILED: ${failures.length}`);
process.exitCode = failures.length === 0 ? 0 : 1;
