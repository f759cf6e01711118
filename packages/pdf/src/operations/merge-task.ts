import { assembleWithClaims } from '../assemble.ts';
import type { Engine, PdfInput } from '../engine.ts';
import type { PdfNote } from '../notes.ts';

/**
 * Runs in its thread: merges documents, with everything that belongs to each.
 *
 * @returns the claims that differ
 */
export async function merge(
  engine: Engine,
  task: { inputs: PdfInput[]; output: string },
): Promise<PdfNote[]> {
  return await assembleWithClaims(
    engine,
    task.inputs.map((input) => ({ input })),
    task.output,
  );
}
