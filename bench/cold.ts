/**
 * A cold start of the engine in its parts: from the start of the process to the first PDF, the 60-row invoice, with the
 * code bundled as for Lambda. Once with nothing there, as in a new environment, once with the executable unpacked.
 * Run with `npm run bench:cold`.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build, stop } from 'esbuild';
import { Environment } from '@platen/jinja';
import { ESBUILD_OPTIONS } from '../lib/artifacts/bundle.ts';
import { INVOICE_TEMPLATE, invoiceData } from '../test/support/invoice.ts';
import { goal, median } from './figures.ts';
import { builtLayers } from './raw-browser.ts';

const ROUNDS = 7;

const folder = await mkdtemp(join(tmpdir(), 'platen-bench-'));
try {
  const layerRoot = await builtLayers();
  const code = join(folder, 'code');
  const child = join(code, 'child.mjs');
  const entryPoints = [{ in: join(import.meta.dirname, 'cold-child.ts'), out: 'child' }];
  await build({ ...ESBUILD_OPTIONS, entryPoints, outdir: code });
  await stop();
  const html = new Environment().compile(INVOICE_TEMPLATE, 'template').render(invoiceData());
  const measure = async (unpackDir: string): Promise<Record<string, number>> => {
    const { stdout } = await promisify(execFile)(process.execPath, [child, layerRoot, unpackDir, html]);
    return JSON.parse(stdout) as Record<string, number>;
  };

  const fresh: Record<string, number>[] = [];
  const unpacked: Record<string, number>[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const unpackDir = await mkdtemp(join(folder, 'unpack-'));
    fresh.push(await measure(unpackDir));
    unpacked.push(await measure(unpackDir));
    await rm(unpackDir, { recursive: true });
  }
  report('nothing there', fresh);
  report('executable unpacked', unpacked);
  goal('cold, to the first PDF', median(fresh.map(({ all = NaN }) => all)) / 1000, 0.5, ' s');
  console.log(`left behind: ${(await readdir(folder)).filter((name) => name !== 'code').length} files`);
} finally {
  await rm(folder, { recursive: true, force: true });
}

function report(title: string, rounds: readonly Record<string, number>[]): void {
  const parts = Object.keys(rounds[0] ?? {});
  const figures = parts.map(
    (part) => `${part} ${median(rounds.map((round) => round[part] ?? NaN)).toFixed(0)} ms`,
  );
  console.log(`${title}: ${figures.join(', ')}`);
}
