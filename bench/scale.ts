/**
 * Measures how the service scales on this machine, compared with the same number of reused pages of the raw browser:
 * documents at 1, 2, 4 and 8 clients with their processor time, large documents, and a batch of many records compared
 * with one of 100. `--batch=10000` sets the records of the large batch, `--only=clients`, `large` or `batches`
 * measures only these. `--stages` also prints the processor time of large documents.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'puppeteer-core';
import { Environment } from '@platen/jinja';
import { INVOICE_TEMPLATE, invoiceData } from '../test/support/invoice.ts';
import { serveInProcess } from '../test/support/served.ts';
import { processorTime } from './field/contender.ts';
import { goal, median, timed } from './figures.ts';
import { builtLayers, launchRawBrowser } from './raw-browser.ts';
import { largeDocuments } from './scale-documents.ts';
import { memoryByKind, printProcesses } from './stages.ts';

const { values } = parseArgs({
  options: {
    batch: { type: 'string', default: '2000' },
    only: { type: 'string' },
    stages: { type: 'boolean' },
  },
});

const CLIENTS = [1, 2, 4, 8];
/** Milliseconds of load for each number of clients. */
const LOAD_MS = 8_000;
/** Records of the batch with which a large one is compared. */
const SMALL_BATCH = 100;
/** Records of a batch before both, after which every function that a batch uses is running. */
const WARM_UP_BATCH = 500;
const LARGE_ROUNDS = 7;
/** Milliseconds between two status requests and measurements of memory. */
const LOOK_MS = 250;
const OPTIONS = JSON.stringify({ display_header_footer: false });
const MARGIN = { top: '2cm', right: '1cm', bottom: '2cm', left: '1cm' };

/** Milliseconds of a document: clock time, and processor time. */
interface Cost {
  wall: number;
  cpu: number;
}

const service = await serveInProcess();
const directory = await mkdtemp(join(tmpdir(), 'platen-bench-'));
const raw = await launchRawBrowser(await builtLayers(), directory);
const rawPid = raw.browser.process()?.pid ?? 0;
const headers = { authorization: service.token };

try {
  const { only } = values;
  if (only === undefined || only === 'clients') await compareClients();
  if (only === undefined || only === 'large') await compareLargeDocuments();
  if (only === undefined || only === 'batches') await compareBatches(Number(values.batch));
} finally {
  await raw.close();
  await service.stop();
  await rm(directory, { recursive: true, force: true });
}

async function expectOk(response: Response): Promise<Response> {
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return response;
}

/** Stores a template of html. @returns its id */
async function stored(html: string): Promise<string> {
  const body = new FormData();
  body.append('file_data', new Blob([html]), 'invoice.html');
  body.append('template_data', '{"name":"Invoice","format":"html"}');
  const response = await expectOk(
    await fetch(`${service.url}/v1/template`, { method: 'POST', headers, body }),
  );
  return ((await response.json()) as { id: string }).id;
}

async function overHttp(id: string, data: object): Promise<void> {
  const body = new URLSearchParams({ render_data: JSON.stringify(data), render_options: OPTIONS });
  const response = await fetch(`${service.url}/v1/render/pdf/${id}`, { method: 'POST', headers, body });
  await (await expectOk(response)).arrayBuffer();
}

async function printRaw(page: Page, html: string): Promise<void> {
  await page.setContent(html);
  await page.pdf({ format: 'a4', margin: MARGIN, printBackground: true });
}

/** Returns the processor time of the service with its engines, without that of this program, which is its client. */
function ofService(): number {
  return processorTime([service.pid]);
}

/** Returns the processor time of the raw browser and of this program, which controls it as the render function does. */
function ofRawPages(): number {
  const { user, system } = process.cpuUsage();
  return processorTime([rawPid]) + (user + system) / 1000;
}

/**
 * Measures a document while each worker makes one after the other.
 *
 * @param spent milliseconds of processor time so far
 */
async function load(workers: readonly (() => Promise<void>)[], spent: () => number): Promise<Cost> {
  await Promise.all(workers.map((work) => work()));
  const before = spent();
  const end = performance.now() + LOAD_MS;
  let documents = 0;
  const elapsed = await timed(() =>
    Promise.all(
      workers.map(async (work) => {
        while (performance.now() < end) {
          await work();
          documents += 1;
        }
      }),
    ),
  );
  return { wall: elapsed / documents, cpu: (spent() - before) / documents };
}

/** Measures the 60-row invoice at each number of clients. */
async function compareClients(): Promise<void> {
  const id = await stored(INVOICE_TEMPLATE);
  const html = new Environment().compile(INVOICE_TEMPLATE, 'template').render(invoiceData());
  const pages: Page[] = [];
  while (pages.length < Math.max(...CLIENTS)) pages.push(await raw.browser.newPage());
  // Starts as many execution environments and pages as will be needed.
  await load(
    pages.map(() => () => overHttp(id, invoiceData())),
    ofService,
  );
  const walls = new Map<number, number>();
  for (const clients of CLIENTS) {
    const used = pages.slice(0, clients);
    const theirs = await load(
      used.map((page) => () => printRaw(page, html)),
      ofRawPages,
    );
    const ours = await load(
      used.map(() => () => overHttp(id, invoiceData())),
      ofService,
    );
    walls.set(clients, ours.wall);
    console.log(
      `${clients} clients: Platen ${shown(ours)}, raw pages ${shown(theirs)}, ${(1000 / ours.wall).toFixed(1)} and ${(1000 / theirs.wall).toFixed(1)} documents a second`,
    );
    goal(`warm html at ${clients} clients, times reused pages`, ours.wall / theirs.wall, 1.15);
    goal(`its processor time at ${clients} clients, times that of pages`, ours.cpu / theirs.cpu, 1.2);
  }
  goal('time of a document at the best number of clients', Math.min(...walls.values()), 40, ' ms');
  goal('at 8 clients, times that at 2', (walls.get(8) ?? NaN) / (walls.get(2) ?? NaN), 1);
  for (const page of pages) await page.close();
}

function shown({ wall, cpu }: Cost): string {
  return `${wall.toFixed(1)} ms (processor ${cpu.toFixed(1)} ms)`;
}

async function compareLargeDocuments(): Promise<void> {
  const page = await raw.browser.newPage();
  for (const [name, html] of Object.entries(await largeDocuments())) {
    const id = await stored(html);
    const times: Record<'ours' | 'theirs', number[]> = { ours: [], theirs: [] };
    for (let round = -1; round < LARGE_ROUNDS; round += 1) {
      const theirs = await timed(() => printRaw(page, html));
      const ours = await timed(() => overHttp(id, {}));
      if (round < 0) continue;
      times.ours.push(ours);
      times.theirs.push(theirs);
    }
    const [ours, theirs] = [median(times.ours), median(times.theirs)];
    console.log(`${name}: Platen ${ours.toFixed(0)} ms, raw page ${theirs.toFixed(0)} ms`);
    goal(`${name}, times the raw page`, ours / theirs, 1.15);
    if (values.stages) {
      await printProcesses(service.pid, LARGE_ROUNDS, () => overHttp(id, {}));
      await printProcesses(process.pid, LARGE_ROUNDS, () => printRaw(page, html));
    }
  }
  await page.close();
}

/** Measures a batch as a job, and the peak memory of the service and its engines. */
async function batch(
  id: string,
  records: number,
): Promise<Cost & { memory: number; held: Map<string, number> }> {
  const body = new FormData();
  const lines = Array.from({ length: records }, (_, n) => JSON.stringify(invoiceData(n + 1)));
  body.append('render_data', new Blob([lines.join('\n')]), 'records.jsonl');
  body.append('render_options', OPTIONS);
  const before = processorTime([service.pid]);
  let memory = 0;
  let held = new Map<string, number>();
  const elapsed = await timed(async () => {
    const started = await fetch(`${service.url}/v1/render/pdf/batch/${id}`, {
      method: 'POST',
      headers: { ...headers, prefer: 'respond-async' },
      body,
    });
    let job = (await (await expectOk(started)).json()) as { id: string; state: string; problem?: unknown };
    while (job.state === 'queued' || job.state === 'running') {
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      const now = memoryByKind(service.pid);
      const sum = [...now.values()].reduce((all, bytes) => all + bytes, 0);
      if (sum > memory) [memory, held] = [sum, now];
      const response = await expectOk(await fetch(`${service.url}/v1/jobs/${job.id}`, { headers }));
      job = (await response.json()) as typeof job;
    }
    if (job.state !== 'succeeded') throw new Error(JSON.stringify(job));
  });
  return { wall: elapsed / records, cpu: (processorTime([service.pid]) - before) / records, memory, held };
}

async function compareBatches(records: number): Promise<void> {
  const id = await stored(INVOICE_TEMPLATE);
  await batch(id, WARM_UP_BATCH);
  const [small, large] = [await batch(id, SMALL_BATCH), await batch(id, records)];
  for (const [count, cost] of [
    [SMALL_BATCH, small],
    [records, large],
  ] as const) {
    console.log(`batch of ${count}: ${shown(cost)} a document, ${(cost.memory / 2 ** 20).toFixed(0)} MB`);
    for (const [kind, bytes] of [...cost.held].sort(([, a], [, b]) => b - a))
      if (bytes >= 2 ** 22) console.log(`  ${(bytes / 2 ** 20).toFixed(0).padStart(5)} MB  ${kind}`);
  }
  goal(`a document of a batch of ${records}, times one of ${SMALL_BATCH}`, large.wall / small.wall, 1.05);
  goal(`its processor time, times one of ${SMALL_BATCH}`, large.cpu / small.cpu, 1.05);
  goal(`memory of a batch of ${records}, times one of ${SMALL_BATCH}`, large.memory / small.memory, 1.1);
}
