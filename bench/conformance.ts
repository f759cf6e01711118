/**
 * Measures the cost of claiming PDF/A-3a and PDF/UA-1, of signing, and of embedding invoices.
 *
 *   npm run bench -- conformance [--records=1000] [--jobs-only]
 *
 * Conformance: `finishPdf` with claims is compared with `finishPdf` without, in turns, on Chromium's print of the
 * 60-row invoice and of longer documents. Signing: `signPdf` (B-B) is compared with the key's signature alone.
 * Invoices: a batch as a job with `factur_x` is compared with the same batch without, over HTTP; each invoice is
 * checked, and some are validated by Mustang. Medians of clock time and of processor time, which other load of the
 * machine affects less.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Environment } from '@platen/jinja';
import { validateInvoice } from '../packages/factur-x/src/index.ts';
import { documented } from '../packages/factur-x/test/invoices.ts';
import { extractInvoice } from '../packages/pdf/src/factur-x/index.ts';
import { type Claims, finishPdf } from '../packages/pdf/src/finish.ts';
import { openPdf } from '../packages/pdf/src/model/index.ts';
import { signPdf } from '../packages/signatures/src/index.ts';
import { type Client, documentOf, startClient } from '../test/conformance/client.ts';
import { judgeInvoices } from '../test/factur-x/mustang.ts';
import { INVOICE_TEMPLATE, invoiceData } from '../test/support/invoice.ts';
import { median } from './figures.ts';
import { selfSigned } from './pdf-operations.ts';
import { printedPdfs } from './printing.ts';

const { values } = parseArgs({
  options: { records: { type: 'string', default: '1000' }, 'jobs-only': { type: 'boolean', default: false } },
});
const RECORDS = Number(values.records);
/** Number of invoices that Mustang validates. */
const SAMPLES = 20;
const ROUNDS = 60;

interface Cost {
  wall: number;
  cpu: number;
}

/** Returns the medians of two functions, called in turns. */
async function compared(works: readonly (() => Promise<unknown>)[]): Promise<Cost[]> {
  const costs = works.map(() => ({ wall: [] as number[], cpu: [] as number[] }));
  for (let round = -20; round < ROUNDS; round++) {
    for (const [index, work] of works.entries()) {
      const cpu = process.cpuUsage();
      const started = performance.now();
      await work();
      const { user, system } = process.cpuUsage(cpu);
      if (round < 0) continue;
      costs[index]?.wall.push(performance.now() - started);
      costs[index]?.cpu.push((user + system) / 1000);
    }
  }
  return costs.map(({ wall, cpu }) => ({ wall: median(wall), cpu: median(cpu) }));
}

const shown = ({ wall, cpu }: Cost): string => `${wall.toFixed(1)} ms (cpu ${cpu.toFixed(1)})`;
const less = (one: Cost, other: Cost): Cost => ({ wall: one.wall - other.wall, cpu: one.cpu - other.cpu });

const CLAIMS: Claims = {
  levels: ['pdf/a-3a', 'pdf/ua-1'],
  title: null,
  language: null,
  onViolation: 'error',
  outline: true,
};

/** The scratch folder for files of larger documents, which are processed in a thread. */
const folder = mkdtempSync(join(tmpdir(), 'platen-bench-conformance-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

async function finished(pdf: Buffer, claims: Claims | null): Promise<Uint8Array> {
  const nothing = { steps: [], fonts: null, compress: false, encryptPassword: null };
  return await finishPdf(
    pdf,
    { ...nothing, claims },
    {
      scratch: () => Promise.resolve(folder),
      violated: () => undefined,
      noted: () => undefined,
      signal: new AbortController().signal,
    },
  );
}

/** Returns the invoice with the given number of rows. */
function invoiceHtml(rows: number): string {
  const data = invoiceData();
  const items = Array.from({ length: rows }, (_, at) => ({
    name: `Article ${at}`,
    quantity: at,
    price: 1.5 * at,
  }));
  return new Environment()
    .compile(INVOICE_TEMPLATE, 'template')
    .render(rows === 60 ? data : { ...data, items });
}

async function conformance(): Promise<void> {
  const pdfs = await printedPdfs([60, 600, 1500].map(invoiceHtml));
  const costs: { pages: number; cost: Cost }[] = [];
  for (const pdf of pdfs) {
    const pages = (await openPdf(pdf)).pages().length;
    const [without, claimed] = await compared([() => finished(pdf, null), () => finished(pdf, CLAIMS)]);
    if (without === undefined || claimed === undefined) return;
    const cost = less(claimed, without);
    costs.push({ pages, cost });
    console.log(
      `conformance, ${pages} pages: ${shown(cost)}; finishing without ${shown(without)}, with ${shown(claimed)}`,
    );
  }
  const [first, ...rest] = costs;
  for (const { pages, cost } of first === undefined ? [] : rest) {
    const beyond = less(cost, first?.cost ?? cost);
    const each = pages - (first?.pages ?? 0);
    console.log(
      `  each page beyond ${first?.pages}, of ${pages}: ${shown({ wall: beyond.wall / each, cpu: beyond.cpu / each })}`,
    );
  }
  const claimed = await finished(pdfs[0] ?? Buffer.alloc(0), CLAIMS);
  const signer = selfSigned();
  const [key, signed] = await compared([
    async () => await signer.sign(Buffer.alloc(200), 'sha256'),
    async () => await signPdf(claimed, signer),
  ]);
  if (key !== undefined && signed !== undefined) {
    console.log(`signing (B-B): ${shown(less(signed, key))} beyond the key's own ${shown(key)}`);
  }
}

/** Returns seconds of processor time of this process and of its child processes, including ended ones. */
function processorTime(): number {
  const parents = new Map<number, number>();
  const spent = new Map<number, number>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
      // The fields after the name of the program: state, parent, …, and from the 12th on times in hundredths of a
      // second.
      const fields = stat
        .slice(stat.lastIndexOf(')') + 2)
        .split(' ')
        .map(Number);
      parents.set(Number(name), fields[1] ?? 0);
      spent.set(
        Number(name),
        fields.slice(11, 15).reduce((sum, ticks) => sum + ticks, 0),
      );
    } catch {
      // The process has ended by now, and its parent's time includes its own.
    }
  }
  const isOurs = (pid: number): boolean => pid === process.pid || (pid > 1 && isOurs(parents.get(pid) ?? 0));
  let ticks = 0;
  for (const [pid, own] of spent) if (isOurs(pid)) ticks += own;
  return ticks / 100;
}

/** Renders a batch as a job. @returns seconds of clock time and of processor time, and the archive */
async function job(
  client: Client,
  options: object,
): Promise<{ seconds: number; cpu: number; archive: Buffer }> {
  const records = Array.from({ length: RECORDS }, (_, index) => ({
    ...documented(),
    number: `2026-${index}`,
  }));
  const started = performance.now();
  const spent = processorTime();
  const accepted = await client.send(
    'POST',
    '/v1/render/pdf/batch',
    {
      file_data: [
        '<!doctype html><html lang="en"><title>Invoice {{ number }}</title><h1>Invoice {{ number }}</h1><p>{{ seller.name }}',
        'template.html',
      ],
      render_data: [JSON.stringify(records), 'records.json'],
      render_options: JSON.stringify(options),
    },
    { prefer: 'respond-async' },
  );
  const { id } = JSON.parse(accepted.bytes.toString()) as { id: string };
  for (;;) {
    const { state } = JSON.parse(documentOf(await client.get(`/v1/jobs/${id}`)).toString()) as {
      state: string;
    };
    if (state !== 'queued' && state !== 'running') break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const seconds = (performance.now() - started) / 1000;
  const cpu = processorTime() - spent;
  return { seconds, cpu, archive: documentOf(await client.get(`/v1/jobs/${id}/result`)) };
}

async function invoices(): Promise<void> {
  const client = await startClient(join(folder, 'data'));
  try {
    const factur_x = { profile: 'en16931', data: '.' };
    const times = { plain: [] as number[], invoices: [] as number[] };
    const cpu = { plain: [] as number[], invoices: [] as number[] };
    let archive: Buffer = Buffer.alloc(0);
    await job(client, {});
    for (let round = 0; round < 2; round++) {
      const without = await job(client, {});
      const made = await job(client, { factur_x });
      times.plain.push(without.seconds);
      times.invoices.push(made.seconds);
      cpu.plain.push(without.cpu);
      cpu.invoices.push(made.cpu);
      ({ archive } = made);
    }
    const [plain, own] = [median(times.plain), median(times.invoices)];
    const [plainCpu, ownCpu] = [median(cpu.plain), median(cpu.invoices)];
    console.log(
      `${RECORDS} invoices as a job: ${own.toFixed(1)} s, without factur_x ${plain.toFixed(1)} s, ratio ${(own / plain).toFixed(2)}` +
        ` (${times.invoices.map((one) => one.toFixed(1)).join(', ')}; ${times.plain.map((one) => one.toFixed(1)).join(', ')})`,
    );
    console.log(
      `  in the processor's time ${ownCpu.toFixed(1)} s, without ${plainCpu.toFixed(1)} s, ratio ${(ownCpu / plainCpu).toFixed(2)}`,
    );
    writeFileSync(join(folder, 'invoices.zip'), archive);
    execFileSync('unzip', ['-q', join(folder, 'invoices.zip'), '-d', join(folder, 'invoices')]);
    const names = execFileSync('unzip', ['-Z1', join(folder, 'invoices.zip')], { encoding: 'utf8' })
      .trim()
      .split('\n');
    const paths = names.filter((name) => name.endsWith('.pdf')).map((name) => join(folder, 'invoices', name));
    let valid = 0;
    for (const path of paths) {
      const { xml } = extractInvoice(await openPdf(readFileSync(path)));
      if ((await validateInvoice(xml)).faults.length === 0) valid++;
    }
    const sampled = paths.filter((_, index) => index % Math.ceil(paths.length / SAMPLES) === 0);
    const verdicts = judgeInvoices(sampled);
    const agreed = sampled.filter((path) => verdicts.get(path)?.isValid === true).length;
    console.log(
      `  ${valid} of ${paths.length} are valid; Mustang holds ${agreed} of ${sampled.length} for valid`,
    );
    if (valid !== RECORDS || agreed !== sampled.length) process.exitCode = 1;
  } finally {
    await client.stop();
  }
}

if (!values['jobs-only']) await conformance();
if (RECORDS > 0) await invoices();
