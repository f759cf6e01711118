import { readdirSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { unpackChromium } from '../../packages/print/src/chrome/unpack.ts';
import { document, enginePlaces, newWorkDir, PLAIN, printOnce, startEngine } from './engine.ts';
import { pdfText } from './pdf.ts';
import { cpuSeconds, engineProcesses, until } from './processes.ts';
import { killIfRunning } from '../support/process-tree.ts';

/** What a document can find out about others: everything a browser shares somewhere. */
const SPY = `<p id="p"><script>
  const found = [document.cookie, name && 'name ' + name, localStorage.getItem('k'), sessionStorage.getItem('k'), history.length > 2 ? 'history' : ''];
  p.textContent = 'origin=' + location.origin + ' found=[' + found.filter(Boolean).join('|') + ']';
  document.cookie = 'k=SECRET; domain=platen.invalid; max-age=999'; document.cookie = 'l=SECRET';
  window.cookieStore?.set({ name: 'm', value: 'SECRET', domain: 'platen.invalid' });
  window.cookieStore?.getAll().then((all) => { for (const { value } of all) p.textContent += value });
  name = 'SECRET'; localStorage.setItem('k', 'SECRET'); sessionStorage.setItem('k', 'SECRET');
  navigator.serviceWorker?.register('/sw.js').catch(() => {});
  const channel = new BroadcastChannel('c');
  channel.onmessage = (event) => { p.textContent += event.data };
  channel.postMessage('SECRET');
</script>`;

for (const mode of ['multi', 'single'] as const) {
  describe(`pages of an engine in ${mode}-process mode`, () => {
    it('give every document its own origin, with no data of another document', async () => {
      const { printer, stop } = await startEngine({ mode });
      const texts: string[] = [];
      for (const tenant of ['a', 'a', 'b', 'a']) {
        const session = printer.session(tenant);
        const pdfs = await Promise.all([0, 1, 2].map(() => session.print(document(SPY), PLAIN)));
        texts.push(...pdfs.map((pdf) => pdfText(pdf)));
        await session.close();
      }
      const origins = texts.map((text) => /origin=(\S+)/.exec(text)?.[1]);
      expect(new Set(origins).size).toBe(12);
      for (const text of texts) expect(text).toContain('found=[]');
      for (const text of texts) expect(text).not.toContain('SECRET');
      await stop();
    });

    it('stop the scripts of a document that has been printed', async () => {
      const { printer, config, stop } = await startEngine({ mode });
      await printOnce(
        printer,
        '<script>setInterval(() => { const end = Date.now() + 20; while (Date.now() < end); }, 25)</script>',
      );
      // A page that goes on with it would be printed only when the script lets it.
      await new Promise((resolve) => setTimeout(resolve, 300));
      const before = cpuOf(config.workDir);
      await new Promise((resolve) => setTimeout(resolve, 500));
      expect(cpuOf(config.workDir) - before).toBeLessThan(0.25);
      await stop();
    });

    it('are replaced, with their browser, after a number of documents, and no rendering fails', async () => {
      const { printer, config, stop } = await startEngine({ mode, documentsPerBrowser: 10 });
      const seen = new Set<number>();
      const session = printer.session('t');
      // A browser prints until its successor is ready, which takes as long as the machine lets it.
      for (let round = 0; seen.size < 3; round++) {
        const pdfs = await Promise.all(
          [0, 1, 2, 3, 4].map((n) => session.print(document(`<p>text ${round} ${n} end`), PLAIN)),
        );
        pdfs.forEach((pdf, n) => expect(pdfText(pdf)).toContain(`text ${round} ${n} end`));
        for (const { pid, type } of engineProcesses(config.workDir)) if (type === 'browser') seen.add(pid);
      }
      const running = (): number =>
        engineProcesses(config.workDir).filter(({ type }) => type === 'browser').length;
      await until(
        () => running() <= (mode === 'multi' ? 1 : 4),
        () => `${running()} browsers`,
      );
      await stop();
    });

    it('leave neither processes nor files behind, after many documents and many tenants', async () => {
      const { printer, config, stop } = await startEngine({ mode, idlePages: 2 });
      const count = mode === 'multi' ? 48 : 24;
      await Promise.all(
        Array.from({ length: count }, async (_, n) => {
          const session = printer.session(`tenant ${n % 12}`);
          await session.print(document(`<p>${n}`), PLAIN);
          await session.close();
        }),
      );
      const processes = (): number => engineProcesses(config.workDir).length;
      // Browser, guard, GPU and network processes; two idle pages and a spare one. Or three browsers with their guards.
      await until(
        () => processes() <= (mode === 'multi' ? 4 + 3 : 2 * 3),
        () => JSON.stringify(engineProcesses(config.workDir)),
      );
      const folders = (): string[] => readdirSync(config.workDir);
      await until(
        () => folders().length <= (mode === 'multi' ? 1 : 3),
        () => folders().join(),
      );
      await printer.close();
      expect(processes()).toBe(0);
      expect(await readdir(config.workDir)).toEqual([]);
      await stop();
    });
  });
}

function cpuOf(workDir: string): number {
  return engineProcesses(workDir).reduce((sum, { pid }) => sum + cpuSeconds(pid), 0);
}

describe('a browser that has printed its number of documents', () => {
  it('prints until another one is ready, and goes on if none can be started', async () => {
    const unpackDir = await mkdtemp(path.join(tmpdir(), 'platen-unpack-'));
    const events: string[] = [];
    const { printer, config, stop } = await startEngine({
      mode: 'multi',
      unpackDir,
      documentsPerBrowser: 2,
      log: (event) => void events.push(event),
    });
    const session = printer.session('t');
    const print = async (text: string): Promise<void> => {
      expect(pdfText(await session.print(document(`<p>${text}`), PLAIN))).toContain(text);
    };
    const browsers = (): number[] =>
      engineProcesses(config.workDir).flatMap(({ pid, type }) => (type === 'browser' ? [pid] : []));
    await print('the first');
    const worn = browsers();
    expect(worn).toHaveLength(1);

    const folder = readdirSync(unpackDir).find((name) => name.startsWith('platen-chromium-')) ?? '';
    const executable = path.join(unpackDir, folder, 'chromium');
    await rename(executable, `${executable}-away`);
    for (const text of ['the second', 'the third', 'the fourth', 'the fifth']) await print(text);
    await until(
      () => events.includes('chrome_not_replaced'),
      () => events.join(),
    );
    expect(browsers()).toEqual(worn);

    await rename(`${executable}-away`, executable);
    // A document that comes while the last attempt fails makes none.
    while (browsers().some((pid) => worn.includes(pid))) await print('one more');
    expect(browsers()).not.toEqual([]);
    await print('the last');
    await session.close();
    await stop();
    await rm(unpackDir, { recursive: true });
  });
});

describe('the process model', () => {
  it('is several processes if they can print, and is logged', async () => {
    const events: [string, Record<string, unknown>][] = [];
    const { printer, config, stop } = await startEngine({
      log: (event, details) => void events.push([event, details]),
    });
    await printer.warm();
    expect(events).toContainEqual([
      'chrome_process_model',
      expect.objectContaining({ model: 'multi', forced: false }),
    ]);
    expect(engineProcesses(config.workDir).map(({ type }) => type)).toContain('renderer');
    await stop();
  });

  it('is one process if several cannot print, and a browser is then never shared by two tenants', async () => {
    const events: [string, Record<string, unknown>][] = [];
    const workDir = await newWorkDir();
    // A machine that ends every process but the first: renderers are killed as they appear.
    const killer = setInterval(() => {
      for (const { pid, type } of engineProcesses(workDir)) if (type === 'renderer') killIfRunning(pid);
    }, 2);
    const { printer, stop } = await startEngine({
      workDir,
      // The probe's page never comes: what waits for it is not to wait for long.
      probeTimeout: 2_000,
      log: (event, details) => void events.push([event, details]),
    });
    const sessions = ['a', 'b', 'c'].map((tenant) => printer.session(tenant));
    const pdfs = await Promise.all(
      sessions.map((session, n) => session.print(document(`<p>text ${n}`), PLAIN)),
    );
    clearInterval(killer);
    pdfs.forEach((pdf, n) => expect(pdfText(pdf)).toContain(`text ${n}`));
    expect(events).toContainEqual(['chrome_process_model', expect.objectContaining({ model: 'single' })]);
    expect(engineProcesses(workDir).filter(({ type }) => type === 'browser').length).toBeGreaterThanOrEqual(
      3,
    );
    await stop();
  });
});

describe('unpacking', () => {
  it('is done once and completely by several concurrent processes', async () => {
    const { layerRoot } = await enginePlaces();
    const folder = await mkdtemp(path.join(tmpdir(), 'platen-unpack-'));
    const all = await Promise.all([1, 2, 3].map(() => unpackChromium(layerRoot, folder)));
    const { executable } = all[0] ?? expect.unreachable();
    expect(new Set(all.map((files) => files.executable)).size).toBe(1);
    expect(await readdir(path.dirname(executable))).toEqual(['chromium']);
    expect((await stat(executable)).mode & 0o777).toBe(0o755);
    const { mtimeMs } = await stat(executable);
    await unpackChromium(layerRoot, folder);
    expect((await stat(executable)).mtimeMs).toBe(mtimeMs);
    await rm(folder, { recursive: true });
  });

  it('removes files of an ended process, and keeps files that a running process writes', async () => {
    const { layerRoot, unpackDir } = await enginePlaces();
    const { executable } = await unpackChromium(layerRoot, unpackDir);
    const folder = await mkdtemp(path.join(tmpdir(), 'platen-unpack-'));
    const target = path.join(folder, path.basename(path.dirname(executable)));
    await mkdir(target);
    await writeFile(path.join(target, 'chromium.999999999-x'), 'a part');
    await writeFile(path.join(target, `chromium.${process.pid}-y`), 'a part');
    await unpackChromium(layerRoot, folder);
    expect((await readdir(target)).sort()).toEqual(['chromium', `chromium.${process.pid}-y`]);
    await rm(folder, { recursive: true });
  });

  it('names the layer that is missing or cut short', async () => {
    const { layerRoot } = await enginePlaces();
    const folder = await mkdtemp(path.join(tmpdir(), 'platen-unpack-'));
    await expect(unpackChromium(folder, folder)).rejects.toThrow('the chromium layer is not in');
    const [chromium = '', fonts = ''] = layerRoot.split(path.delimiter);
    const broken = path.join(folder, 'broken');
    await cp(chromium, broken, { recursive: true });
    await writeFile(path.join(broken, 'chromium', 'chromium.zst'), 'short');
    await expect(unpackChromium(`${broken}${path.delimiter}${fonts}`, folder)).rejects.toThrow('cut short');
    const left = await readdir(folder, { recursive: true });
    expect(
      left.filter((name) => path.basename(name).startsWith('chromium.') && !name.includes('broken')),
    ).toEqual([]);
    await rm(folder, { recursive: true });
  });
});
