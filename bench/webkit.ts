/**
 * Compares a warm print of the 60-row invoice with WebKit and with Chromium, in turns, each with the default header
 * and footer, and without. `--stages` also prints the processor time.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Environment } from '@platen/jinja';
import { prepareDocument } from '../packages/print/src/page/document.ts';
import { createChromePrinter } from '../packages/print/src/chrome/printer.ts';
import { furnitureHtml } from '../test/support/furniture.ts';
import { type HtmlPrinter, PLAIN_PAGE, type PrintOptions } from '../packages/print/src/print.ts';
import { CLOSED } from '../test/chrome/engine.ts';
import { INVOICE_TEMPLATE, invoiceData } from '../test/support/invoice.ts';
import { startWebKit } from '../test/webkit/engine.ts';
import { goal, median, timedAfter } from './figures.ts';
import { builtLayers } from './raw-browser.ts';
import { printProcesses } from './stages.ts';

const ROUNDS = 30;
const WARM_UP = 3;
/** Milliseconds between two runs. */
const PAUSE = 50;

const { margins } = PLAIN_PAGE;
const plain = { ...PLAIN_PAGE, tagged: false };
const furnished = {
  ...plain,
  ...furnitureHtml({
    title: 'Invoice',
    locale: 'en_US',
    show: { title: true, date: true, pageNumber: true },
    header: null,
    footer: null,
    margins,
    scale: 1,
    text: { direction: 'ltr', mayNameFonts: true, bodyMargin: 0 },
    today: new Date(),
  }),
};
const html = new Environment().compile(INVOICE_TEMPLATE, 'template').render(invoiceData());
const document = {
  ...prepareDocument({ html, styles: [], title: 'Invoice' }),
  resources: new Map(),
};

const folder = await mkdtemp(join(tmpdir(), 'platen-bench-'));
const chrome = createChromePrinter(
  { layerRoot: await builtLayers(), unpackDir: folder, workDir: folder, documentsPerBrowser: Infinity },
  CLOSED,
);
const webkit = await startWebKit();

async function once(printer: HtmlPrinter, options: PrintOptions): Promise<Uint8Array> {
  const session = printer.session('bench');
  try {
    return await session.print(document, options);
  } finally {
    await session.close();
  }
}

try {
  console.log('milliseconds (median) and bytes        webkit    chrome   ratio');
  for (const [name, options] of [
    ['without header and footer', plain],
    ['with header and footer', furnished],
  ] as const) {
    const times = { webkit: [] as number[], chrome: [] as number[] };
    for (let round = -WARM_UP; round < ROUNDS; round++) {
      const theirs = await timedAfter(PAUSE, () => once(chrome, options));
      const ours = await timedAfter(PAUSE, () => once(webkit.printer, options));
      if (round < 0) continue;
      times.chrome.push(theirs);
      times.webkit.push(ours);
    }
    const [ours, theirs] = [median(times.webkit), median(times.chrome)];
    report(`${name}, time`, ours, theirs);
    goal(`WebKit ${name}, times Chromium`, ours / theirs, 2);
    if (process.argv.includes('--stages')) {
      await printProcesses(process.pid, ROUNDS, () => once(webkit.printer, options));
      await printProcesses(process.pid, ROUNDS, () => once(chrome, options));
    }
    const sizes = [await once(webkit.printer, options), await once(chrome, options)] as const;
    report(`${name}, bytes`, sizes[0].length, sizes[1].length);
  }
} finally {
  await chrome.close();
  await webkit.stop();
  await rm(folder, { recursive: true, force: true });
}

function report(name: string, ours: number, theirs: number): void {
  const columns = [
    ours.toFixed(0).padStart(8),
    theirs.toFixed(0).padStart(10),
    (ours / theirs).toFixed(2).padStart(8),
  ];
  console.log(`${name.padEnd(36)} ${columns.join('')}`);
}
