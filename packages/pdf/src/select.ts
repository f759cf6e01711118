import { assembleTruly } from './assemble.ts';
import type { Engine, PdfInput } from './engine.ts';
import type { PdfNote } from './notes.ts';

/** Takes pages out of a PDF, in the order given, with what belongs to them. @returns what it claims otherwise than before */
export async function select(
  engine: Engine,
  { input, output, pages }: { input: PdfInput; output: string; pages: readonly number[] },
): Promise<PdfNote[]> {
  return await assembleTruly(engine, [{ input, pages }], output);
}
