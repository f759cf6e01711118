/**
 * Measures the memory of the whole service, as `npm start` runs it: the most while clients send html, office documents, PDFs,
 * images and all of them mixed, and what is left when it has rested. Proportional set sizes (proc(5), `smaps_rollup`) of all
 * processes, so that shared memory counts once. `--clients=8`, `--seconds=10` for each load, `--rest=300` seconds.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Load, loadsOf, mixed } from '../test/support/loads.ts';
import { processTree } from '../test/support/process-tree.ts';
import { serveInProcess } from '../test/support/served.ts';
import { memoryOf } from './field/contender.ts';
import { goal } from './figures.ts';

const { values } = parseArgs({
  options: {
    clients: { type: 'string', default: '8' },
    seconds: { type: 'string', default: '10' },
    rest: { type: 'string', default: '300' },
  },
});
const SAMPLE_MS = 250;
const MB = 1024 * 1024;

const service = await serveInProcess();
const loads = await loadsOf(service);

/** Returns the most memory while clients send one request after the other, in MB. */
async function peak(load: Load): Promise<{ most: number; processes: number; perSecond: number }> {
  const until = performance.now() + Number(values.seconds) * 1000;
  let [sent, most, processes] = [0, 0, 0];
  const clients = Array.from({ length: Number(values.clients) }, async () => {
    while (performance.now() < until) await load(sent++);
  });
  const began = performance.now();
  while (performance.now() < until) {
    most = Math.max(most, memoryOf([service.pid]) / MB);
    processes = Math.max(processes, processTree(service.pid).length);
    await pause(SAMPLE_MS);
  }
  await Promise.all(clients);
  return { most, processes, perSecond: sent / ((performance.now() - began) / 1000) };
}

const GOALS: Readonly<Record<string, number>> = { html: 700, mixed: 900 };

try {
  for (const [name, load] of Object.entries({ ...loads, mixed: mixed(loads) })) {
    const { most, processes, perSecond } = await peak(load);
    console.log(
      `${name}: ${most.toFixed(0)} MB at most in ${processes} processes, ${perSecond.toFixed(1)} requests per second`,
    );
    const limit = GOALS[name];
    if (limit !== undefined) goal(`memory with ${values.clients} clients, ${name}`, most, limit, ' MB');
  }
  await pause(Number(values.rest) * 1000);
  goal(`memory after ${values.rest} s without requests`, memoryOf([service.pid]) / MB, 300, ' MB');
} finally {
  await service.stop();
}
