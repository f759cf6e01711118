import { inputArguments } from './engine.ts';
import type { Engine, PdfInput } from './engine.ts';

/** Takes pages out of a PDF, in the order given. */
export async function select(
  engine: Engine,
  { input, output, pages }: { input: PdfInput; output: string; pages: readonly number[] },
): Promise<void> {
  await engine.work(input, [
    '--empty',
    '--object-streams=generate',
    '--remove-unreferenced-resources=auto',
    '--pages',
    ...inputArguments(input),
    pages.join(','),
    '--',
    { path: output },
  ]);
}
