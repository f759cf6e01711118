import { assembleWithClaims } from '../compose.ts';
import type { Engine, PdfInput } from '../engine.ts';
import type { PdfNote } from '../notes.ts';
import { allUnsigned } from '../unsigned.ts';

/**
 * Runs in its thread: merges documents, with everything that belongs to each.
 *
 * @returns the notes about the result
 */
export async function merge(
  engine: Engine,
  task: { inputs: PdfInput[]; output: string; breakSignatures?: boolean | undefined },
): Promise<PdfNote[]> {
  const { inputs, notes } = await allUnsigned(engine, task.inputs, task.breakSignatures);
  const claims = await assembleWithClaims(
    engine,
    inputs.map((input) => ({ input })),
    task.output,
  );
  return [...notes, ...claims];
}
