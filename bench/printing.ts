import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createChromePrinter } from '../packages/print/src/chrome/printer.ts';
import { prepareDocument } from '../packages/print/src/page/document.ts';
import { PLAIN_PAGE } from '../packages/print/src/print.ts';
import { builtLayers } from './raw-browser.ts';

/** Prints html to tagged PDFs with the product's Chromium, for programs that need some as input. */
export async function printedPdfs(documents: readonly string[]): Promise<Buffer[]> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-printing-'));
  const layerRoot = await builtLayers();
  const printer = createChromePrinter(
    { layerRoot, unpackDir: folder, workDir: folder, documentsPerBrowser: Infinity },
    { fetch: () => Promise.reject(new Error('nothing is loaded here')) },
  );
  try {
    const session = printer.session('bench');
    const pdfs: Buffer[] = [];
    for (const html of documents) {
      const document = { ...prepareDocument({ html, styles: [], title: 'Printed' }), resources: new Map() };
      pdfs.push(Buffer.from(await session.print(document, { ...PLAIN_PAGE, tagged: true })));
    }
    return pdfs;
  } finally {
    await printer.close();
    await rm(folder, { recursive: true, force: true });
  }
}
