import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { promisify } from 'node:util';
import { INVOICE_TEMPLATE, invoiceData } from '../test/support/invoice.ts';
import { processorTimes, processTree } from '../test/support/process-tree.ts';
import { serveInProcess } from '../test/support/served.ts';
import { median, timed } from './figures.ts';

/** Measures renderings on this machine, for the prices in bench/cost.ts. */

/** Clock time, and processor time of all cores; both in milliseconds. */
export interface Taken {
  wall: number;
  cpu: number;
}

export interface Figures {
  /** One warm rendering of the 60-row invoice. */
  single: Taken;
  /** One record of a batch of that invoice. */
  record: Taken;
  /** Milliseconds from the start of the process to the first PDF. */
  cold: number;
  /** Most bytes of memory of the function's processes. */
  memory: number;
  /** Bytes of one PDF. */
  pdf: number;
  /** Bytes of one PDF in a ZIP of a batch. */
  zipped: number;
  /** The machine's load during the measurement. */
  load: [before: number, after: number];
}

const WARM_UP = 20;
const RENDERINGS = 60;
const RECORDS = 200;

export async function measure(): Promise<Figures> {
  const [before = 0] = loadavg();
  const service = await serveInProcess();
  try {
    const headers = { authorization: service.token };
    const call = async (path: string, body: FormData | URLSearchParams): Promise<ArrayBuffer> => {
      const response = await fetch(`${service.url}/v1${path}`, { method: 'POST', headers, body });
      if (response.status !== 200) throw new Error(await response.text());
      return await response.arrayBuffer();
    };
    const template = new FormData();
    template.append('file_data', new Blob([INVOICE_TEMPLATE]), 'invoice.html');
    template.append('template_data', '{"name":"Invoice","format":"html"}');
    const { id } = JSON.parse(new TextDecoder().decode(await call('/template', template))) as { id: string };

    const single = new URLSearchParams({ render_data: JSON.stringify(invoiceData()) });
    const render = (): Promise<ArrayBuffer> => call(`/render/pdf/${id}`, single);
    for (let i = 0; i < WARM_UP; i++) await render();

    const functions = renderFunction(service.pid);
    let memory = functions.memory();
    const watch = setInterval(() => (memory = Math.max(memory, functions.memory())), 200);
    const times: number[] = [];
    const cpuBefore = functions.cpu();
    for (let i = 0; i < RENDERINGS; i++) times.push(await timed(render));
    const cpuOfSingles = functions.cpu() - cpuBefore;

    const records = JSON.stringify(Array.from({ length: RECORDS }, () => invoiceData()));
    const batch = new FormData();
    batch.append('render_data', new Blob([records]), 'records.json');
    let zip = 0;
    const cpuBetween = functions.cpu();
    const batchTime = await timed(async () => {
      zip = (await call(`/render/pdf/batch/${id}`, batch)).byteLength;
    });
    const cpuOfBatch = functions.cpu() - cpuBetween;
    clearInterval(watch);
    const [after = 0] = loadavg();
    return {
      single: { wall: median(times), cpu: cpuOfSingles / RENDERINGS },
      record: { wall: batchTime / RECORDS, cpu: cpuOfBatch / RECORDS },
      cold: await coldStart(),
      memory,
      pdf: (await render()).byteLength,
      zipped: zip / RECORDS,
      load: [before, after],
    };
  } finally {
    await service.stop();
  }
}

/** Returns the processes of the execution environments that have a browser: on Lambda, all of them are billed. */
function renderFunction(service: number): { cpu(): number; memory(): number } {
  const processes = () => {
    const environments = processTree(service).filter(({ pid }) => commandOf(pid).includes('runtime.mjs'));
    const trees = environments.map(({ pid }) => processTree(pid));
    return trees.filter((tree) => tree.some(({ pid }) => commandOf(pid).includes('--user-data-dir'))).flat();
  };
  return {
    cpu: () =>
      processes()
        .map(({ pid }) => processorTimes(pid))
        .reduce((sum, { own, ended }) => sum + own + ended, 0),
    memory: () => processes().reduce((sum, { anonymousBytes }) => sum + anonymousBytes, 0),
  };
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    // The process has ended.
    return '';
  }
}

/** Returns the figures of `npm run bench -- cold` for a new environment. */
async function coldStart(): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, ['bench/cold.ts']);
  const [, line = ''] = /^nothing there: (.*)$/m.exec(stdout) ?? [];
  const parts = Array.from(line.matchAll(/(\d+) ms/g), ([, ms]) => Number(ms));
  if (parts.length === 0) throw new Error(`bench/cold.ts says nothing of a cold start:\n${stdout}`);
  return Math.max(...parts);
}
