import { assemble } from './assemble.ts';
import type { Engine, PdfInput } from './engine.ts';

/** Takes pages out of a PDF, in the order given, with what belongs to them. */
export async function select(
  engine: Engine,
  { input, output, pages }: { input: PdfInput; output: string; pages: readonly number[] },
): Promise<void> {
  await assemble(engine, [{ input, pages }], output);
}
