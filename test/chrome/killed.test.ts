import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ChromeConfig } from '../../packages/print/src/chrome/config.ts';
import type { HtmlPrinter } from '../../packages/print/src/print.ts';
import { document, PLAIN, printOnce, startEngine } from './engine.ts';
import { pdfText } from './pdf.ts';
import { engineProcesses, until } from './processes.ts';
import { killIfRunning } from '../support/process-tree.ts';

/** What documents get whose engine is killed: an innocent one is printed, or told that the engine is unavailable. */

let engine: Awaited<ReturnType<typeof startEngine>>;
let printer: HtmlPrinter;
let events: string[];

async function start(given: Partial<ChromeConfig> = {}): Promise<void> {
  events = [];
  engine = await startEngine({ log: (event) => void events.push(event), ...given });
  printer = engine.printer;
  await printer.warm();
}
beforeEach(() => start());
afterEach(() => engine.stop());

const pidsOf = (type: string): number[] =>
  engineProcesses(engine.config.workDir)
    .filter((found) => found.type === type)
    .map(({ pid }) => pid);
const kill = (type: string): void => pidsOf(type).forEach((pid) => killIfRunning(pid));
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const busyFor = (ms: number): string =>
  `<script>const end = Date.now() + ${ms}; while (Date.now() < end);</script>`;

/** The text of a document, or the code of its error. */
async function outcome(html: string, tenant = 'test'): Promise<string> {
  const session = printer.session(tenant);
  try {
    return pdfText(await session.print(document(html), PLAIN)).trim();
  } catch (error) {
    return String((error as { code?: unknown }).code);
  } finally {
    await session.close();
  }
}

describe('documents whose engine is killed', () => {
  it('idle and unused pages whose process has ended are not handed out', async () => {
    for (const tenant of ['a', 'b']) expect(await outcome('<p>first', tenant)).toBe('first');
    await until(
      () => pidsOf('renderer').length >= 2,
      () => 'no pages',
    );
    const before = pidsOf('renderer');
    kill('renderer');
    await until(
      () => !pidsOf('renderer').some((pid) => before.includes(pid)),
      () => 'not killed',
    );
    // The browser reports it a moment later.
    await pause(300);
    const tenants = ['a', 'b', 'c'];
    const found = await Promise.all(tenants.map((tenant) => outcome(`<p>of ${tenant}`, tenant)));
    expect(found).toEqual(tenants.map((tenant) => `of ${tenant}`));
    expect(events).not.toContain('chrome_retry');
  });

  it.each(['renderer', 'utility', 'gpu-process', 'browser'])(
    'are printed where the %s was killed before them or under them',
    async (type) => {
      expect(await outcome('<p>first')).toBe('first');
      kill(type);
      expect(await outcome('<p>before')).toBe('before');
      const printed = Promise.all(
        Array.from({ length: 3 }, (_, n) => outcome(`<p>under ${n}${busyFor(400)}`, String(n))),
      );
      await pause(200);
      kill(type);
      expect(await printed).toEqual(['under 0', 'under 1', 'under 2']);
    },
  );

  it('are printed, or refused because the engine is unavailable, however often pages are killed', async () => {
    const prints = Promise.all(
      Array.from({ length: 10 }, (_, n) => outcome(`<p>many ${n}${busyFor(120)}`, String(n % 3))),
    );
    for (let times = 0; times < 12; times += 1) {
      await pause(70);
      kill(times % 3 === 0 ? 'utility' : 'renderer');
    }
    const found = await prints;
    const wrong = found.filter((text, n) => text !== `many ${n}` && text !== 'engine_unavailable');
    expect(wrong).toEqual([]);
    expect(await outcome('<p>afterwards')).toBe('afterwards');
  });

  it('are refused as engine_unavailable where each page is killed, and not as faulty', async () => {
    const killer = setInterval(() => kill('renderer'), 20);
    expect(await outcome(`<p>x${busyFor(1_500)}`)).toBe('engine_unavailable');
    clearInterval(killer);
    expect(pdfText(await printOnce(printer, '<p>back again'))).toContain('back again');
  });

  it('are refused as print_failed if they make their page crash, and others are printed', async () => {
    await engine.stop();
    // The scripts of a document have half of its memory.
    await start({ documentMemory: 500 * 1024 * 1024 });
    const fills =
      '<script>const kept = []; for (;;) kept.push(new Array(1_000_000).fill(kept.length + 0.5))</script>';
    const [faulty, innocent] = await Promise.all([
      outcome(fills, 'a'),
      outcome(`<p>well${busyFor(300)}`, 'b'),
    ]);
    expect([faulty, innocent]).toEqual(['print_failed', 'well']);
  });
});
