/**
 * One PDF of 10,000 invoices (or of as many as the argument says) as a job, against the local service: time, the memory of
 * each function at the most, and whether the file is sound and has an entry in its outline for every record.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startService } from '../bin/service.ts';
import { silentLogger } from '../packages/aws-local/src/log.ts';
import { processTree } from '../test/support/process-tree.ts';

const count = Number(process.argv[2] ?? 10_000);
const SAMPLE = 'samples/invoice';
const LOOK_MS = 1_000;
const MB = 2 ** 20;

/** Most memory of the processes of each function together, by its name. */
const most = new Map<string, number>();

/** What the functions and their browsers hold of their own, now. */
function lookAtMemory(): void {
  const now = new Map<string, number>();
  for (const { pid, anonymousBytes } of processTree(process.pid)) {
    const name = pid === process.pid ? 'the service' : functionOf(pid);
    now.set(name, (now.get(name) ?? 0) + anonymousBytes);
  }
  for (const [name, bytes] of now) most.set(name, Math.max(most.get(name) ?? 0, bytes));
}

function functionOf(pid: number): string {
  try {
    const environ = readFileSync(`/proc/${pid}/environ`, 'utf8');
    return /AWS_LAMBDA_FUNCTION_NAME=([^\0]*)/.exec(environ)?.[1] ?? 'others';
  } catch {
    // It has ended meanwhile.
    return 'others';
  }
}

const folder = await mkdtemp(path.join(tmpdir(), 'platen-combine-'));
const { url, token, stop } = await startService({
  port: 0,
  dataDir: path.join(folder, 'data'),
  throttle: false,
  env: { PLATEN_LOG_LEVEL: 'warn' },
  log: silentLogger,
});
const looking = setInterval(lookAtMemory, LOOK_MS);
try {
  const invoice = JSON.parse(await readFile(`${SAMPLE}/data.json`, 'utf8')) as object;
  const records = Array.from({ length: count }, (_, index) => ({ ...invoice, number: `I-${index + 1}` }));
  const body = new FormData();
  for (const [field, file] of [
    ['file_data', 'template.html'],
    ['css_style', 'style.css'],
    ['footer_data', 'footer.html'],
    ['img_logo', 'logo.svg'],
  ] as const)
    body.append(field, new Blob([await readFile(`${SAMPLE}/${file}`)]), file);
  body.append('template_data', await readFile(`${SAMPLE}/options.json`, 'utf8'));
  body.append(
    'render_data',
    new Blob([records.map((record) => JSON.stringify(record)).join('\n')]),
    'all.jsonl',
  );
  body.append('combine', 'pdf');
  const began = performance.now();
  const seconds = (): string => ((performance.now() - began) / 1000).toFixed(0);
  const answerOf = async (address: string, init: RequestInit = {}): Promise<Response> => {
    const response = await fetch(`${url}/v1/${address}`, {
      ...init,
      headers: { ...init.headers, authorization: token },
    });
    if (!response.ok) throw new Error(`${address}: ${response.status} ${await response.text()}`);
    return response;
  };
  const headers = { prefer: 'respond-async' };
  let job = (await (await answerOf('render/pdf/batch', { method: 'POST', body, headers })).json()) as {
    id: string;
    state: string;
    done: number;
    problem: unknown;
  };
  while (job.state === 'queued' || job.state === 'running') {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    job = (await (await answerOf(`jobs/${job.id}`)).json()) as typeof job;
    if (job.state === 'running' && Math.random() < 0.02) console.log(`${seconds()} s: ${job.done}`);
  }
  console.log(`${job.state} after ${seconds()} s, ${job.done} records`);
  if (job.state !== 'succeeded') throw new Error(JSON.stringify(job.problem));
  const file = path.join(folder, 'all.pdf');
  const pdf = Buffer.from(await (await answerOf(`jobs/${job.id}/result`)).arrayBuffer());
  await writeFile(file, pdf);
  execFileSync('qpdf', ['--check', file], { stdio: 'pipe' });
  const outline = execFileSync('qpdf', ['--json=2', '--json-key=outlines', file], {
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  });
  const { outlines } = JSON.parse(outline) as {
    outlines: { title: string; destpageposfrom1: number | null }[];
  };
  const wrong = outlines.findIndex(
    ({ title, destpageposfrom1 }, at) => title !== `Invoice I-${at + 1}` || destpageposfrom1 !== at + 1,
  );
  const isRight = outlines.length === count && wrong === -1;
  console.log(
    `${(pdf.length / MB).toFixed(1)} MB, sound, ${outlines.length} entries in the outline: ${isRight ? 'right' : 'WRONG'}`,
  );
  for (const [name, bytes] of most) console.log(`${name}: ${(bytes / MB).toFixed(0)} MB at the most`);
  process.exitCode = isRight ? 0 : 1;
} finally {
  clearInterval(looking);
  await stop(0);
  await rm(folder, { recursive: true, force: true });
}
