import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildFontsLayer } from '../layers/fonts/build.ts';
import { type Figures, STEPS } from './pdf-chain-child.ts';
import { bigPdf } from './pdf-inputs.ts';

/**
 * Measures a chain of five steps on two documents of a hundred megabytes, and each of its steps alone on the joined
 * documents: time, and peak memory. An argument sets the megabytes of each document.
 */

const CHILD = join(import.meta.dirname, 'pdf-chain-child.ts');

function measure(
  places: readonly number[],
  fonts: string,
  output: string,
  inputs: readonly string[],
): Figures {
  const args = [CHILD, places.join(), fonts, output, ...inputs];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Figures;
}

async function main(megabytes: number): Promise<void> {
  // Built here, so that the time and memory for building are not counted.
  const fonts = join((await buildFontsLayer()).dist, 'fonts', 'files');
  const folder = mkdtempSync(join(tmpdir(), 'platen-bench-chain-'));
  try {
    const at = (name: string): string => join(folder, name);
    const inputs = [];
    for (const seed of [1, 2]) inputs.push(await bigPdf(at(`${seed}.pdf`), seed, megabytes * 1e6));
    const joined = at('joined.pdf');
    const row = (name: string, { milliseconds, peak, before }: Figures): void =>
      console.log(
        `${name}: ${Math.round(milliseconds)} ms, ${Math.round(peak)} MB, of which ${Math.round(before)} at rest`,
      );
    const alone = [measure([0], fonts, joined, inputs)];
    if (!existsSync(joined)) throw new Error('nothing was joined');
    for (const place of [1, 2, 3, 4]) alone.push(measure([place], fonts, at('one.pdf'), [joined]));
    for (const [place, figures] of alone.entries()) row(STEPS[place]?.name ?? '', figures);
    const chain = measure([0, 1, 2, 3, 4], fonts, at('all.pdf'), inputs);
    row('the chain', chain);
    const dearest = Math.max(...alone.map(({ milliseconds }) => milliseconds));
    console.log(`${(chain.milliseconds / dearest).toFixed(2)} times its dearest step`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

await main(Number(process.argv[2] ?? 100));
