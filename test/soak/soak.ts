/**
 * Renders 1,000 documents in a row, then 8 at once for two minutes, with the service as `npm start` runs it. Fails
 * when a rendering fails, when the memory of the process tree keeps growing, or when a process or a file is left over
 * after it was stopped.
 */
import { INVOICE_TEMPLATE, invoiceData } from '../support/invoice.ts';
import { processTree } from '../support/process-tree.ts';
import { serveInProcess } from '../support/served.ts';
import { watchLeftovers } from './leftovers.ts';

const IN_A_ROW = Number(process.env['SOAK_COUNT'] ?? 1_000);
const AT_ONCE = 8;
const SECONDS = Number(process.env['SOAK_SECONDS'] ?? 120);
/** Memory at the end against the middle; caches have filled by then. */
const MAX_GROWTH = 1.2;

const leftovers = watchLeftovers();
const service = await serveInProcess(['--strict']);
const megabytes = () => processTree(service.pid).reduce((sum, one) => sum + one.anonymousBytes, 0) / 2 ** 20;
const failures: string[] = [];
const memory: number[] = [];

const body = new FormData();
body.append('file_data', new Blob([INVOICE_TEMPLATE]), 'invoice.html');
body.append('template_data', '{"name":"Invoice","format":"html"}');
const headers = { authorization: service.token };
const added = await fetch(`${service.url}/v1/template`, { method: 'POST', headers, body });
const { id } = (await added.json()) as { id: string };

async function render(number: number): Promise<void> {
  const fields = new URLSearchParams({ render_data: JSON.stringify(invoiceData(number)) });
  const response = await fetch(`${service.url}/v1/render/pdf/${id}`, {
    method: 'POST',
    headers,
    body: fields,
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  if (
    response.status !== 200 ||
    !bytes.subarray(0, 5).equals(Buffer.from('%PDF-')) ||
    !bytes.includes('%%EOF')
  ) {
    failures.push(`${number}: ${response.status} ${bytes.toString('utf8', 0, 300)}`);
  }
}

const started = performance.now();
for (let i = 0; i < IN_A_ROW; i += 1) {
  await render(i);
  if (i % 50 === 49) memory.push(megabytes());
}
const row = performance.now() - started;
console.log(`${IN_A_ROW} in a row: ${(row / IN_A_ROW).toFixed(1)} ms each, ${failures.length} failed`);
console.log(`memory of the process tree, MB: ${memory.map((value) => value.toFixed(0)).join(' ')}`);

const until = performance.now() + SECONDS * 1_000;
const together: number[] = [];
let count = 0;
const sampler = setInterval(() => together.push(megabytes()), 5_000);
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    while (performance.now() < until) {
      count += 1;
      await render(count);
    }
  }),
);
clearInterval(sampler);
console.log(
  `${AT_ONCE} at once for ${SECONDS} s: ${count} documents, ${(count / SECONDS).toFixed(1)} a second`,
);
console.log(`memory of the process tree, MB: ${together.map((value) => value.toFixed(0)).join(' ')}`);

const { processes, files } = await leftovers(service.pid, service.stop);

const grew = [memory, together].map((values) => {
  const middle = values.slice(Math.floor(values.length / 2), Math.floor((3 * values.length) / 4));
  const end = values.slice(Math.floor((3 * values.length) / 4));
  return Math.max(...end) / Math.max(...middle, 1);
});
console.log(`growth from the third quarter to the last: ${grew.map((ratio) => ratio.toFixed(2)).join(', ')}`);
console.log(`processes left: ${processes.length}; files left: ${files.join(' ') || 'none'}`);
for (const failure of failures.slice(0, 10)) console.error(failure);
if (
  failures.length > 0 ||
  processes.length > 0 ||
  files.length > 0 ||
  grew.some((ratio) => ratio > MAX_GROWTH)
) {
  process.exitCode = 1;
}
