import { spawnSync } from 'node:child_process';
import { open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PdfCombiner } from '../packages/pdf/src/combine/index.ts';
import { document, PLAIN, startEngine } from '../test/chrome/engine.ts';

/**
 * Combines invoices in one PDF and measures time and memory: of 1,000 and of 4,000 (or of the numbers given as
 * arguments). Each count runs in a process of its own. Memory is measured after a garbage collection.
 */

const [mode, ...counts] = process.argv.slice(2);

async function invoices(): Promise<Buffer[]> {
  const { printer, stop } = await startEngine();
  const session = printer.session('bench');
  try {
    const rows = Array.from({ length: 20 }, (_, row) => `<tr><td>Item ${row}<td>${row * 7}.00</tr>`).join('');
    return await Promise.all(
      [1, 2, 3, 4].map(async (n) =>
        Buffer.from(
          await session.print(
            document(`<html lang=en><h1>Invoice ${n}</h1><table><tr><th>What<th>Price</tr>${rows}</table>`),
            PLAIN,
          ),
        ),
      ),
    );
  } finally {
    await session.close();
    await stop();
  }
}

async function combine(count: number): Promise<void> {
  const some = await invoices();
  const file = path.join(tmpdir(), `platen-combined-${process.pid}.pdf`);
  const output = await open(file, 'w');
  const started = performance.now();
  const before = process.cpuUsage();
  let most = 0;
  try {
    let bytes = 0;
    const combiner = new PdfCombiner(async (piece) => {
      bytes += piece.length;
      await output.appendFile(piece);
    });
    for (let index = 0; index < count; index++) {
      const pdf = some[index % some.length] ?? Buffer.alloc(0);
      await combiner.add(pdf, () => `Invoice ${index + 1}`);
      if (index % 100 !== 99) continue;
      globalThis.gc?.();
      const { heapUsed, arrayBuffers } = process.memoryUsage();
      most = Math.max(most, heapUsed + arrayBuffers);
    }
    await combiner.finish('Invoices');
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    const { user, system } = process.cpuUsage(before);
    const busy = ((user + system) / 1e6).toFixed(1);
    const check = spawnSync('qpdf', ['--check', file]).status === 0 ? 'sound' : 'NOT SOUND';
    const megabytes = (size: number): string => (size / 1024 / 1024).toFixed(1);
    console.log(
      `${count} invoices: ${seconds} s (${busy} s of CPU), ${megabytes(most)} MB of memory, ${megabytes(bytes)} MB, ${check}`,
    );
  } finally {
    await output.close();
    await rm(file, { force: true });
  }
}

if (mode === 'one') await combine(Number(counts[0]));
else {
  const all = mode === undefined ? ['1000', '4000'] : [mode, ...counts];
  for (const count of all) {
    const args = ['--expose-gc', import.meta.filename, 'one', count];
    const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
    if (status !== 0) process.exitCode = 1;
  }
}
