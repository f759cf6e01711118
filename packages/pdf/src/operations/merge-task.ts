import { assembleTruly } from '../assemble.ts';
import type { Engine, PdfInput } from '../engine.ts';
import type { PdfNote } from '../notes.ts';

/** In its thread: puts documents one after the other, with all that belongs to each. @returns what is claimed otherwise */
export async function merge(
  engine: Engine,
  task: { inputs: PdfInput[]; output: string },
): Promise<PdfNote[]> {
  return await assembleTruly(
    engine,
    task.inputs.map((input) => ({ input })),
    task.output,
  );
}
