/**
 * Compares a warm print of the engine with raw `page.pdf()` of puppeteer-core, on the same Chromium with the same flags
 * and options, in turns: the 60-row invoice. Then measures the engine with many documents, and the CPU time of one. Run
 * with `npm run bench:chrome`.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Environment } from '@platen/jinja';
import { createChromePrinter } from '../packages/print/src/chrome/printer.ts';
import { prepareDocument } from '../packages/print/src/page/document.ts';
import { PLAIN_PAGE } from '../packages/print/src/print.ts';
import { cpuSeconds, engineProcesses } from '../test/chrome/processes.ts';
import { INVOICE_TEMPLATE, invoiceData } from '../test/support/invoice.ts';
import { median, timed } from './figures.ts';
import { builtLayers, launchRawBrowser } from './raw-browser.ts';

const ROUNDS = 150;
const WARM_UP = 20;

const folder = await mkdtemp(join(tmpdir(), 'platen-bench-'));
const layerRoot = await builtLayers();
const raw = await launchRawBrowser(layerRoot, folder);
const printer = createChromePrinter(
  { layerRoot, unpackDir: folder, workDir: folder, documentsPerBrowser: Infinity },
  { fetch: () => Promise.reject(new Error('nothing is loaded here')) },
);
const html = new Environment().compile(INVOICE_TEMPLATE, 'template').render(invoiceData());

try {
  const page = await raw.browser.newPage();
  const session = printer.session('bench');
  const document = {
    ...prepareDocument({ html, styles: [], title: 'Invoice' }),
    resources: new Map(),
  };
  for (const tagged of [true, false]) {
    const ours = { ...PLAIN_PAGE, tagged };
    const margin = { top: '2cm', right: '1cm', bottom: '2cm', left: '1cm' };
    const printOurs = (): Promise<unknown> => session.print(document, ours);
    const printRaw = async (): Promise<void> => {
      await page.setContent(html);
      await page.pdf({ format: 'a4', margin, printBackground: true, tagged });
    };
    for (let n = 0; n < WARM_UP; n++) {
      await printOurs();
      await printRaw();
    }
    const times = { ours: [] as number[], raw: [] as number[] };
    for (let n = 0; n < ROUNDS; n++) {
      times.ours.push(await timed(printOurs));
      times.raw.push(await timed(printRaw));
    }
    const [own, other] = [median(times.ours), median(times.raw)];
    console.log(
      `one after the other, ${tagged ? 'tagged' : 'untagged'}: engine ${own.toFixed(1)} ms, page.pdf() ${other.toFixed(1)} ms, ratio ${(own / other).toFixed(2)}`,
    );

    const before = cpu();
    const elapsed = await timed(() => Promise.all(Array.from({ length: ROUNDS }, printOurs)));
    const used = cpu();
    console.log(
      `  ${ROUNDS} at once: ${(ROUNDS / (elapsed / 1000)).toFixed(1)} documents a second; CPU per document: ` +
        Object.keys(used)
          .map(
            (type) =>
              `${type} ${((1000 * ((used[type] ?? 0) - (before[type] ?? 0))) / ROUNDS).toFixed(1)} ms`,
          )
          .join(', '),
    );
  }
} finally {
  await printer.close();
  await raw.close();
  await rm(folder, { recursive: true, force: true });
}

/** Returns seconds of CPU so far, by the kind of process. */
function cpu(): Record<string, number> {
  const { user, system } = process.cpuUsage();
  const used: Record<string, number> = { node: (user + system) / 1e6 };
  for (const { pid, type } of engineProcesses(join(folder, 'platen-browser-'))) {
    used[type] = (used[type] ?? 0) + cpuSeconds(pid);
  }
  return used;
}
