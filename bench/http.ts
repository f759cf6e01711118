/**
 * Compares a warm rendering through the whole service (HTTP, gateway, authorizer, function, storage, filling,
 * printing) with raw `page.pdf()` of puppeteer-core, on the same Chromium with the same flags, header and footer, in
 * turns. `--stages` also prints the processor time of a document.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Environment } from '@platen/jinja';
import { furnitureHtml } from '../test/support/furniture.ts';
import { INVOICE_TEMPLATE, invoiceData } from '../test/support/invoice.ts';
import { serveInProcess } from '../test/support/served.ts';
import { goal, median, timedAfter } from './figures.ts';
import { builtLayers, launchRawBrowser } from './raw-browser.ts';
import { printProcesses, printStages } from './stages.ts';

const ROUNDS = 100;
const WARM_UP = 15;
const STAGE_ROUNDS = 40;
/** The stages in which the browser takes no part. */
const OWN_STAGES = ['fill', 'prepare', 'finish'];
/** Milliseconds between two runs. */
const PAUSE = 30;

const service = await serveInProcess();
const directory = await mkdtemp(join(tmpdir(), 'platen-bench-'));
const raw = await launchRawBrowser(await builtLayers(), directory);

try {
  const page = await raw.browser.newPage();
  const html = new Environment().compile(INVOICE_TEMPLATE, 'template').render(invoiceData());
  const { header, footer } = furnitureHtml({
    title: 'Invoice 1',
    locale: 'en_US',
    show: { title: true, date: true, pageNumber: true },
    header: null,
    footer: null,
    margins: { top: 2, right: 1, bottom: 2, left: 1 },
    scale: 1,
    text: { direction: 'ltr', mayNameFonts: true, bodyMargin: 0 },
    today: new Date(),
  });
  const print = async (): Promise<number> => {
    await page.setContent(html);
    const pdf = await page.pdf({
      format: 'a4',
      margin: { top: '2cm', right: '1cm', bottom: '2cm', left: '1cm' },
      printBackground: true,
      displayHeaderFooter: true,
      headerTemplate: header ?? '',
      footerTemplate: footer ?? '',
    });
    return pdf.length;
  };

  const headers = { authorization: service.token };
  const template = new FormData();
  template.append('file_data', new Blob([INVOICE_TEMPLATE]), 'invoice.html');
  template.append('template_data', '{"name":"Invoice","format":"html"}');
  const added = await fetch(`${service.url}/v1/template`, { method: 'POST', headers, body: template });
  const { id } = (await added.json()) as { id: string };
  const body = new URLSearchParams({ render_data: JSON.stringify(invoiceData()) });
  const overHttp = async (): Promise<number> => {
    const response = await fetch(`${service.url}/v1/render/pdf/${id}`, { method: 'POST', headers, body });
    if (response.status !== 200) throw new Error(await response.text());
    return (await response.arrayBuffer()).byteLength;
  };
  const report = async (): Promise<{ timings: Record<string, number> }> => {
    const response = await fetch(`${service.url}/v1/render/report/${id}`, { method: 'POST', headers, body });
    if (response.status !== 200) throw new Error(await response.text());
    return (await response.json()) as { timings: Record<string, number> };
  };

  const times: Record<'raw' | 'http', number[]> = { raw: [], http: [] };
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    for (const [name, run] of [
      ['raw', print],
      ['http', overHttp],
    ] as const) {
      const time = await timedAfter(PAUSE, run);
      if (round >= 0) times[name].push(time);
    }
  }
  const [rawMedian, httpMedian] = [median(times.raw), median(times.http)];
  console.log(`60-row invoice, ${ROUNDS} rounds in turns, medians`);
  console.log(`raw page.pdf()     ${rawMedian.toFixed(1)} ms  (${await print()} bytes)`);
  console.log(`Platen over HTTP   ${httpMedian.toFixed(1)} ms  (${await overHttp()} bytes)`);
  console.log(`ratio              ${(httpMedian / rawMedian).toFixed(2)}`);
  goal('warm html over HTTP, times a reused page of the raw browser', httpMedian / rawMedian, 1.15);
  if (process.argv.includes('--stages')) {
    await printProcesses(service.pid, ROUNDS, overHttp);
    await printProcesses(process.pid, ROUNDS, print);
  }
  const stages = await printStages(STAGE_ROUNDS, report);
  for (const stage of OWN_STAGES) goal(`stage ${stage} of the invoice`, stages.get(stage) ?? NaN, 2, ' ms');
} finally {
  await raw.close();
  await service.stop();
  await rm(directory, { recursive: true, force: true });
}
