/**
 * Makes one PDF of 10,000 invoices (or the number given as an argument) as a job of the local service. Measures the
 * time and the memory of each function, its maximum and its mean in each fifth of the time, by programs, which shows
 * growth; and checks that the file is valid and has an entry in its outline for every record.
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

/** Memory in bytes of all processes of one program of a function, and their number. */
interface Look {
  bytes: number;
  processes: number;
}

/** The measurements of each second, by function and program. */
const looks: Map<string, Look>[] = [];

/** Measures the private memory of the functions and their browsers. */
function measureMemory(): void {
  const now = new Map<string, Look>();
  const tree = processTree(process.pid);
  const parents = new Map(tree.map(({ pid, parent }) => [pid, parent]));
  for (const { pid, name: program, anonymousBytes } of tree) {
    const name = pid === process.pid ? 'the service' : `${functionOf(pid, parents)}, ${program}`;
    const { bytes, processes } = now.get(name) ?? { bytes: 0, processes: 0 };
    now.set(name, { bytes: bytes + anonymousBytes, processes: processes + 1 });
  }
  looks.push(now);
}

/** Prints the maximum of each, and the mean in each fifth of the time. */
function printMemory(): void {
  const mean = (list: readonly number[]): number =>
    list.reduce((sum, value) => sum + value, 0) / Math.max(1, list.length);
  const tell = (name: string, of: (look: Map<string, Look>) => Look): void => {
    const seen = looks.map(of);
    const bytes = seen.map((look) => look.bytes);
    const fifths = Array.from({ length: 5 }, (_, index) => {
      const [from, to] = [index, index + 1].map((part) => Math.floor((part * bytes.length) / 5));
      return (mean(bytes.slice(from, to)) / MB).toFixed(0);
    });
    const processes = Math.max(...seen.map((look) => look.processes));
    const most = (Math.max(...bytes) / MB).toFixed(0);
    console.log(`${name}: ${most} MB at the most, ${fifths.join(', ')} by fifths, ${processes} processes`);
  };
  const names = new Set(looks.flatMap((look) => [...look.keys()]));
  for (const name of [...names].toSorted())
    tell(name, (look) => look.get(name) ?? { bytes: 0, processes: 0 });
  tell('all', (look) => {
    const all = [...look.values()];
    return {
      bytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
      processes: all.reduce((sum, { processes }) => sum + processes, 0),
    };
  });
}

/** Returns the function that a process works for. Browsers do not know it, so it is that of the parent process. */
function functionOf(pid: number, parents: ReadonlyMap<number, number>): string {
  try {
    const environ = readFileSync(`/proc/${pid}/environ`, 'utf8');
    const [, name] = /AWS_LAMBDA_FUNCTION_NAME=([^\0]*)/.exec(environ) ?? [];
    if (name !== undefined) return name;
  } catch {
    // The process has ended meanwhile.
    return 'others';
  }
  const parent = parents.get(pid);
  return parent === undefined || parent === process.pid ? 'others' : functionOf(parent, parents);
}

const folder = await mkdtemp(path.join(tmpdir(), 'platen-combine-'));
const { url, token, stop } = await startService({
  port: 0,
  dataDir: path.join(folder, 'data'),
  throttle: false,
  env: { PLATEN_LOG_LEVEL: 'warn' },
  log: silentLogger,
});
const measuring = setInterval(measureMemory, LOOK_MS);
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
  clearInterval(measuring);
  printMemory();
  process.exitCode = isRight ? 0 : 1;
} finally {
  clearInterval(measuring);
  await stop(0);
  await rm(folder, { recursive: true, force: true });
}
