import { assemble } from '../assemble.ts';
import type { Engine, PdfInput } from '../engine.ts';

/** In its thread: puts documents one after the other, with all that belongs to each. */
export async function merge(engine: Engine, task: { inputs: PdfInput[]; output: string }): Promise<void> {
  await assemble(
    engine,
    task.inputs.map((input) => ({ input })),
    task.output,
  );
}
