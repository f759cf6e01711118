import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { once } from 'node:events';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ChromeConfig } from '../../packages/print/src/chrome/config.ts';
import type { Fetched } from '../../packages/print/src/fetcher/index.ts';
import type { HtmlPrinter } from '../../packages/print/src/print.ts';
import { document, enginePlaces, newWorkDir, PLAIN, printOnce, startEngine } from './engine.ts';
import { pdfText } from './pdf.ts';
import { engineProcesses, until } from './processes.ts';
import { killIfRunning } from '../support/process-tree.ts';

const ENDLESS = '<p>endless<script>for (;;);</script>';
/** Fills memory that cannot be shared or left out: 16 MB at a time, outside the JavaScript heap. */
const HOG = `<script>const kept = []; for (;;) kept.push(new Uint8Array(16 << 20).fill(kept.length));</script>`;

let engine: Awaited<ReturnType<typeof startEngine>>;
let printer: HtmlPrinter;
let events: string[];

async function start(given: Partial<ChromeConfig> = {}): Promise<void> {
  events = [];
  engine = await startEngine({ log: (event) => void events.push(event), ...given });
  printer = engine.printer;
}

function pidsOf(type: string): number[] {
  return engineProcesses(engine.config.workDir)
    .filter((found) => found.type === type)
    .map(({ pid }) => pid);
}

afterEach(async () => {
  await engine.stop();
  const left = () => engineProcesses(engine.config.workDir);
  // What was killed is there until the kernel has come to it.
  await until(
    () => left().length === 0,
    () => `left running: ${JSON.stringify(left())}`,
    5_000,
  );
});

for (const mode of ['multi', 'single'] as const) {
  describe(`an engine in ${mode}-process mode`, () => {
    beforeEach(() => start({ mode, printTimeout: 120_000 }));

    it('prints all documents under way when its browser is killed, on a fresh one', async () => {
      await printer.warm();
      const session = printer.session('t');
      const slow = `<p>n<script>const end = Date.now() + 300; while (Date.now() < end);</script>`;
      const prints = Array.from({ length: 6 }, (_, n) =>
        session.print(document(`${slow}<p>record ${n} end`), PLAIN),
      );
      await new Promise((resolve) => setTimeout(resolve, 200));
      for (const pid of pidsOf('browser')) killIfRunning(pid);
      const pdfs = await Promise.all(prints);
      pdfs.forEach((pdf, n) => expect(pdfText(pdf)).toContain(`record ${n} end`));
      expect(events).toContain('chrome_retry');
    });

    it('answers engine_unavailable while browsers die at once, and prints when they no longer do', async () => {
      await printer.warm();
      const killer = setInterval(() => pidsOf('browser').forEach((pid) => killIfRunning(pid)), 5);
      // Long enough for the killer to come by, however busy the machine is.
      const slow = `<p>x<script>const end = Date.now() + 1000; while (Date.now() < end);</script>`;
      await expect(printOnce(printer, slow)).rejects.toMatchObject({ code: 'engine_unavailable' });
      clearInterval(killer);
      expect(pdfText(await printOnce(printer, '<p>back again'))).toContain('back again');
    });

    it('ends a script that never ends, with all of its processes', async () => {
      await engine.stop();
      await start({ mode, printTimeout: 5_000 });
      await expect(printOnce(printer, ENDLESS)).rejects.toMatchObject({ code: 'deadline_exceeded' });
      expect(pdfText(await printOnce(printer, '<p>next'))).toContain('next');
      const busy = (): number[] => pidsOf(mode === 'multi' ? 'renderer' : 'browser');
      // One idle page and one spare.
      await until(
        () => busy().length <= 2,
        () => `${busy().length} processes`,
      );
    });

    it('prints a document whose page had no memory left, in a new page', async () => {
      await engine.stop();
      let asked = 0;
      // The first page fills the memory, as if documents before it had left nothing of it.
      const fetched = (): Fetched => ({
        url: 'http://outside.example/a.js',
        status: 200,
        // The answer is for one document only, so that no session keeps it.
        headers: {
          'content-type': 'text/javascript',
          'access-control-allow-origin': 'https://other.example',
        },
        bytes: Buffer.from(asked++ === 0 ? HOG.replaceAll(/<.?script>/g, '') : 'document.title = "fits"'),
      });
      events = [];
      engine = await startEngine(
        { mode, documentMemory: 400 * 1024 * 1024, log: (event) => void events.push(event) },
        { fetch: () => Promise.resolve(fetched()) },
      );
      ({ printer } = engine);
      const html = '<p>text<script src="http://outside.example/a.js"></script>';
      expect(pdfText(await printOnce(printer, html))).toContain('text');
      expect([asked, events.filter((event) => event === 'chrome_retry')]).toEqual([2, ['chrome_retry']]);
    });

    it('ends a document that fills the memory, and prints the next', async () => {
      await engine.stop();
      await start({ mode, documentMemory: 400 * 1024 * 1024 });
      await expect(printOnce(printer, HOG)).rejects.toMatchObject({ code: 'document_too_large' });
      expect(pdfText(await printOnce(printer, '<p>next'))).toContain('next');
    });

    it('ends with its function, however the function or the browser ends', async () => {
      const { layerRoot, unpackDir } = await enginePlaces();
      const workDir = await newWorkDir();
      const child = spawn(process.execPath, [path.join(import.meta.dirname, 'victim.ts')], {
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      child.stdin.end(JSON.stringify({ config: { layerRoot, unpackDir, workDir, mode }, html: ENDLESS }));
      await once(child.stdout, 'data');
      await until(
        () => engineProcesses(workDir).length >= (mode === 'multi' ? 3 : 1),
        () => 'no browser',
      );
      child.kill('SIGKILL');
      await until(
        () => engineProcesses(workDir).length === 0,
        () => JSON.stringify(engineProcesses(workDir)),
      );
      // What it left on disk goes with the next start.
      expect(readdirSync(workDir)).not.toEqual([]);
      const next = await startEngine({ workDir, mode });
      await next.printer.warm();
      expect(readdirSync(workDir)).toHaveLength(1);
      await next.stop();
    });
  });
}
