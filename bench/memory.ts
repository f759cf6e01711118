/**
 * Measures the memory of the whole service, as `npm start` runs it: the most while clients send html, office documents, PDFs,
 * images and all of them mixed, and what is left when it has rested. Proportional set sizes (proc(5), `smaps_rollup`) of all
 * processes, so that shared memory counts once. `--clients=8`, `--seconds=10` for each load, `--rest=300` seconds.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { INVOICE_TEMPLATE, invoiceData } from '../test/support/invoice.ts';
import { processTree } from '../test/support/process-tree.ts';
import { serveInProcess } from '../test/support/served.ts';
import { memoryOf } from './field/contender.ts';
import { goal } from './figures.ts';
import { LETTER } from './office-templates.ts';

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
const headers = { authorization: service.token };

/** Sends files and fields, and returns the answer's body. @throws for any status but 200 */
async function post(route: string, fields: Record<string, string | [Uint8Array | string, string]>) {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') body.append(name, value);
    else
      body.append(
        name,
        new Blob([typeof value[0] === 'string' ? value[0] : Buffer.from(value[0])]),
        value[1],
      );
  }
  const response = await fetch(`${service.url}/v1/${route}`, { method: 'POST', headers, body });
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (response.status !== 200)
    throw new Error(`${route}: ${response.status} ${Buffer.from(bytes).toString()}`);
  return bytes;
}

const letter = await LETTER();
const letterData = JSON.stringify({ name: 'Ada', items: [{ name: 'Paper', count: 2, price: 4.5 }] });
const photo = await sharp({ create: { width: 1200, height: 800, channels: 3, background: '#48a' } })
  .jpeg()
  .toBuffer();
const invoice = (number: number) =>
  post('render/pdf', {
    file_data: [INVOICE_TEMPLATE, 'invoice.html'],
    render_data: JSON.stringify(invoiceData(number)),
  });
const printed = await invoice(1);

const LOADS: Readonly<Record<string, (number: number) => Promise<unknown>>> = {
  html: invoice,
  office: () => post('render/pdf', { file_data: [letter, 'letter.docx'], render_data: letterData }),
  PDF: () => post('pdf/compress', { file: [printed, 'invoice.pdf'] }),
  images: () => post('render/img', { image: [photo, 'photo.jpg'] }),
};
const kinds = Object.values(LOADS);
const mixed = async (number: number): Promise<unknown> => await kinds[number % kinds.length]?.(number);

/** Returns the most memory while clients send one request after the other, in MB. */
async function peak(
  load: (number: number) => Promise<unknown>,
): Promise<{ most: number; processes: number; perSecond: number }> {
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
  for (const [name, load] of Object.entries({ ...LOADS, mixed })) {
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
