/**
 * Sends mixed requests (html, office documents, PDFs, images) of 8 clients to the service as `npm start` runs it. Fails
 * when one is not answered with its document, when the memory of the process tree keeps growing, or when a process or
 * a file is left over after it was stopped.
 *
 *   npm run soak -- renderings --count 20000 [--strict]
 */
import { parseArgs } from 'node:util';
import { pdfText } from '../chrome/pdf.ts';
import { loadsOf, mixed } from '../support/loads.ts';
import { processTree } from '../support/process-tree.ts';
import { serveInProcess } from '../support/served.ts';
import { watchLeftovers } from './leftovers.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '2000' },
    clients: { type: 'string', default: '8' },
    strict: { type: 'boolean', default: false },
  },
});
const COUNT = Number(values.count);
const SAMPLES = 40;
/** One document of so many is read: reading takes longer than making it. */
const READ = 16;
/** Memory of the last quarter against that of the second; caches have filled by then. */
const MAX_GROWTH = 1.2;

const leftovers = watchLeftovers();
const service = await serveInProcess(values.strict ? ['--strict'] : []);
const load = mixed(await loadsOf(service));
const failures: string[] = [];
const memory: number[] = [];
const megabytes = () => processTree(service.pid).reduce((sum, one) => sum + one.anonymousBytes, 0) / 2 ** 20;

async function make(number: number): Promise<void> {
  try {
    const { pdf, mark } = await load(number);
    if (!pdf.subarray(0, 5).equals(Buffer.from('%PDF-')) || !pdf.includes('%%EOF'))
      failures.push(`${number}: no PDF`);
    if (mark !== null && number % READ < 4 && !pdfText(pdf).includes(mark))
      failures.push(`${number}: without ${mark}`);
  } catch (error) {
    failures.push(`${number}: ${String(error).slice(0, 300)}`);
  }
}

const started = performance.now();
let sent = 0;
await Promise.all(
  Array.from({ length: Number(values.clients) }, async () => {
    while (sent < COUNT) {
      const number = sent++;
      await make(number);
      if (number % Math.ceil(COUNT / SAMPLES) === 0) memory.push(megabytes());
    }
  }),
);
const seconds = (performance.now() - started) / 1000;
console.log(`${COUNT} documents, ${(COUNT / seconds).toFixed(1)} a second, ${failures.length} failed`);
console.log(`memory of the process tree, MB: ${memory.map((value) => value.toFixed(0)).join(' ')}`);

const { processes, files } = await leftovers(service.pid, service.stop);

const quarter = Math.floor(memory.length / 4);
const average = (some: readonly number[]) => some.reduce((sum, value) => sum + value, 0) / some.length;
const growth = average(memory.slice(-quarter)) / average(memory.slice(quarter, 2 * quarter));
console.log(`growth from the second quarter to the last: ${growth.toFixed(2)}`);
console.log(`processes left: ${processes.length}; files left: ${files.join(' ') || 'none'}`);
for (const failure of failures.slice(0, 10)) console.error(failure);
if (failures.length > 0 || processes.length > 0 || files.length > 0 || growth > MAX_GROWTH)
  process.exitCode = 1;
