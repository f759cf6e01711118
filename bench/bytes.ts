/**
 * Compares the sizes of PDFs with those of raw `page.pdf()` of puppeteer-core on the same Chromium, and measures the
 * cost of compressing them: the 60-row invoice and others.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Environment } from '@platen/jinja';
import { packPdf } from '../packages/pdf/src/files/pack.ts';
import { INVOICE_TEMPLATE, invoiceData } from '../test/support/invoice.ts';
import { goal, median, timed } from './figures.ts';
import { builtLayers, launchRawBrowser } from './raw-browser.ts';

const ROUNDS = 30;
/** Warm-up rounds, as in the other benchmarks: a warm function has run its code before. */
const WARM_UP = 20;

const invoice = new Environment().compile(INVOICE_TEMPLATE, 'template').render(invoiceData());
const rows = /<tbody>([\s\S]*)<\/tbody>/.exec(invoice)?.[1] ?? '';
const DOCUMENTS: Readonly<Record<string, string>> = {
  'a line': '<p>One line.</p>',
  'invoice of 60 rows': invoice,
  'table of 960 rows': invoice.replace(rows, rows.repeat(16)),
};

const folder = await mkdtemp(join(tmpdir(), 'platen-bench-'));
const raw = await launchRawBrowser(await builtLayers(), folder);
try {
  const page = await raw.browser.newPage();
  console.log('document, tagged | page.pdf(): bytes | ms | packed: bytes | ratio | ms more | CPU ms');
  for (const [name, html] of Object.entries(DOCUMENTS)) {
    for (const tagged of [true, false]) {
      await page.setContent(html);
      const times = { print: [] as number[], pack: [] as number[], cpu: [] as number[] };
      let printed: Uint8Array = new Uint8Array();
      let packed = printed;
      for (let round = -WARM_UP; round < ROUNDS; round++) {
        const print = await timed(async () => {
          printed = await page.pdf({ format: 'a4', printBackground: true, tagged });
        });
        const before = process.cpuUsage();
        const pack = await timed(async () => {
          packed = await packPdf(printed);
        });
        const { user, system } = process.cpuUsage(before);
        if (round < 0) continue;
        times.print.push(print);
        times.pack.push(pack);
        times.cpu.push((user + system) / 1000);
      }
      const figures = [
        `${name}, ${tagged ? 'yes' : 'no'}`,
        printed.length,
        median(times.print).toFixed(1),
        packed.length,
        (packed.length / printed.length).toFixed(2),
        median(times.pack).toFixed(2),
        median(times.cpu).toFixed(2),
      ];
      console.log(figures.join(' | '));
      if (name !== 'invoice of 60 rows' || !tagged) continue;
      goal('tagged 60-row invoice', packed.length / 1024, 28, ' KB');
      goal('packing it', median(times.pack), 3, ' ms');
    }
  }
} finally {
  await raw.close();
  await rm(folder, { recursive: true, force: true });
}
