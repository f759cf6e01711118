import { parentPort, workerData } from 'node:worker_threads';
import { DEFAULT_LIMITS } from '#jinja';
import { JinjaFiller } from './jinja.ts';
import type { LiquidFiller } from './liquid.ts';
import { FillError, READY } from './protocol.ts';
import type { FillAnswer, FillJob, FillRequest, WorkerSettings } from './protocol.ts';

/** The thread that fills templates: one job after the other, compiled templates kept between them. */

const { limits } = workerData as WorkerSettings;
const jinja = new JinjaFiller(limits);
let liquid: Promise<LiquidFiller> | undefined;

/** Liquid is loaded when it is first asked for: few templates are written in it. */
async function loadLiquid(): Promise<LiquidFiller> {
  const { LiquidFiller } = await import('./liquid.ts');
  const { string, time, memory, output } = { ...DEFAULT_LIMITS, ...limits };
  // liquidjs makes whole arrays of its ranges, and counts an element as one.
  return new LiquidFiller({ parse: string, time, memory: Math.ceil(memory / 20), output });
}

async function fill(job: FillJob): Promise<string[]> {
  if (job.engine !== 'liquid') return jinja.fill(job.engine, job);
  liquid ??= loadLiquid();
  return (await liquid).fill(job);
}

async function answer({ id, job }: FillRequest): Promise<FillAnswer> {
  try {
    return { id, texts: await fill(job) };
  } catch (error) {
    if (error instanceof FillError) return { id, fault: error.fault };
    return { id, bug: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

parentPort?.on('message', (request: FillRequest) => {
  void answer(request).then((result) => parentPort?.postMessage(result, []));
});
parentPort?.postMessage(READY, []);
