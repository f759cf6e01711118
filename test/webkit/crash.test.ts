import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { WebKitOptions } from '../../functions/convert/webkit/engine.ts';
import { document, PLAIN, printOnce } from '../chrome/engine.ts';
import { pdfText } from '../chrome/pdf.ts';
import { until } from '../chrome/processes.ts';
import { startWebKit, type TestEngine } from './engine.ts';
import { killIfRunning } from '../support/process-tree.ts';

const ENDLESS = '<p>endless<script>for (;;);</script>';
const HOG =
  '<script>const kept = []; for (;;) kept.push(new Uint8Array(16 << 20).fill(kept.length));</script>';
const SLOW = '<script>const end = Date.now() + 1500; while (Date.now() < end);</script>';

/** Processes that work in a folder below `workDir`, by what they are; zombies of them count. */
function processesOf(workDir: string): { pid: number; name: string }[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
        const [, parent, , session] = stat
          .slice(stat.lastIndexOf(')') + 2)
          .split(' ')
          .map(Number);
        const environment = readFileSync(`/proc/${name}/environ`, 'latin1');
        const program = readFileSync(`/proc/${name}/comm`, 'latin1').trim();
        return [{ pid: Number(name), parent, session, program, ours: environment.includes(workDir) }];
      } catch {
        return [];
      }
    });
  const sessions = new Set(all.filter(({ ours }) => ours).map(({ session }) => session));
  return all
    .filter(({ session, ours }) => ours || sessions.has(session))
    .map(({ pid, program }) => ({ pid, name: program }));
}

describe('when WebKit', () => {
  let engine: TestEngine;
  const start = async (options: Partial<WebKitOptions> = {}): Promise<void> => {
    engine = await startWebKit(options);
  };
  const pids = (name: string): number[] =>
    processesOf(engine.workDir)
      .filter((found) => found.name.startsWith(name))
      .map(({ pid }) => pid);
  beforeEach(() => start());
  afterEach(async () => {
    await engine.stop();
    expect(processesOf(engine.workDir)).toEqual([]);
  });

  it.each(['WebKitWebProces', 'WebKitNetworkPr', 'broadwayd', 'python3'])(
    'loses its %s in the middle, the document is printed by another one',
    async (name) => {
      await printOnce(engine.printer, '<p>first');
      const print = printOnce(engine.printer, `${SLOW}<p>still here`);
      await new Promise((resolve) => setTimeout(resolve, 400));
      expect(pids(name)).not.toEqual([]);
      for (const pid of pids(name)) killIfRunning(pid);
      expect(pdfText(await print)).toContain('still here');
    },
  );

  it('is killed again and again, the answer is that it is not available, and the next document is printed', async () => {
    await printOnce(engine.printer, '<p>first');
    const killer = setInterval(() => pids('WebKitWebProces').forEach((pid) => killIfRunning(pid)), 20);
    await expect(printOnce(engine.printer, SLOW)).rejects.toMatchObject({ code: 'engine_unavailable' });
    clearInterval(killer);
    expect(pdfText(await printOnce(engine.printer, '<p>back again'))).toContain('back again');
  });

  it('does not end, it is killed at the deadline with all its processes, and the next document is printed', async () => {
    await printOnce(engine.printer, '<p>first');
    await expect(printOnce(engine.printerWithin(2_000), ENDLESS)).rejects.toMatchObject({
      code: 'deadline_exceeded',
    });
    expect(pdfText(await printOnce(engine.printer, '<p>next'))).toContain('next');
    expect(pids('broadwayd')).toHaveLength(1);
  });

  it('uses more memory than it may, the document is refused as too large, and the next is printed', async () => {
    await engine.stop();
    await start({ maxMemory: 500 * 2 ** 20 });
    await expect(printOnce(engine.printer, HOG)).rejects.toMatchObject({ code: 'document_too_large' });
    expect(pdfText(await printOnce(engine.printer, '<p>next'))).toContain('next');
  });

  it('prints for one tenant, it keeps the process of the documents; for another it takes a new one', async () => {
    const print = async (tenant: string): Promise<void> => {
      const session = engine.printer.session(tenant);
      await session.print(document('<p>x'), PLAIN);
      await session.close();
    };
    // The one of the documents, and one that is ready for the next tenant.
    await print('a');
    await until(
      () => pids('WebKitWebProces').length === 2,
      () => String(pids('WebKitWebProces')),
    );
    const both = pids('WebKitWebProces');
    await print('a');
    expect(pids('WebKitWebProces')).toEqual(both);
    await print('b');
    await print('c');
    await until(
      () => pids('WebKitWebProces').every((pid) => !both.includes(pid)),
      () => `${both.join()} and ${pids('WebKitWebProces').join()}`,
    );
  });

  it('has printed its share, another one takes its place', async () => {
    await engine.stop();
    await start({ documentsPerProcess: 2 });
    const session = engine.printer.session('t');
    const pdfs = await Promise.all(
      Array.from({ length: 5 }, (_, n) => session.print(document(`<p>no ${n}`), PLAIN)),
    );
    pdfs.forEach((pdf, n) => expect(pdfText(pdf)).toContain(`no ${n}`));
    await session.close();
    await until(
      () => pids('broadwayd').length === 1,
      () => JSON.stringify(processesOf(engine.workDir)),
    );
  });
});
