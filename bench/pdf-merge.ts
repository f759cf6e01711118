/**
 * Compares merging and splitting of tagged documents with native qpdf, which removes their tags: without the thread of
 * operations, and in it.
 *
 *   npm run bench -- merge FILE…   (each a PDF such as an invoice)
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { composeTo } from '../packages/pdf/src/graft/compose.ts';
import { openPdf } from '../packages/pdf/src/model/index.ts';
import { mergePdfs } from '../packages/pdf/src/operations/merge.ts';
import { splitPdf } from '../packages/pdf/src/operations/split.ts';
import { median, timed } from './figures.ts';

const ROUNDS = 7;
const folder = mkdtempSync(join(tmpdir(), 'platen-bench-'));
const output = join(folder, 'output.pdf');

async function of(work: () => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) times.push(await timed(work));
  return median(times);
}

function qpdf(args: string[]): () => Promise<void> {
  return () => {
    execFileSync('qpdf', [...args, output]);
    return Promise.resolve();
  };
}

function row(name: string, native: number, model: number, operation: number): void {
  const figures = [native, model, operation].map((value) => value.toFixed(0));
  const ratio = Math.max(0, operation - 15) / native;
  console.log([name, ...figures, ratio.toFixed(2)].join(' | '));
}

try {
  console.log('work | native qpdf ms | model ms | operation ms | ratio beyond 15 ms');
  for (const path of process.argv.slice(2)) {
    const open = async () => await openPdf(readFileSync(path));
    for (const count of [2, 10, 100]) {
      const paths = Array.from({ length: count }, () => path);
      const native = await of(qpdf(['--empty', '--object-streams=generate', '--pages', ...paths, '--']));
      const model = await of(async () => {
        const sources = await Promise.all(paths.map(open));
        await composeTo(
          sources.map((source) => ({ source })),
          output,
        );
      });
      const operation = await of(async () => {
        await mergePdfs(
          paths.map((each) => ({ path: each })),
          output,
        );
      });
      row(`merge ${count} × ${path}`, native, model, operation);
    }
    const native = await of(qpdf(['--object-streams=generate', path, '--pages', '.', '1', '--']));
    const model = await of(async () => {
      await composeTo([{ source: await open(), pages: [1] }], output);
    });
    const operation = await of(async () => {
      await splitPdf({ path }, [1], output);
    });
    row(`page 1 of ${path}`, native, model, operation);
  }
} finally {
  rmSync(folder, { recursive: true });
}
