import { writeFile } from 'node:fs/promises';
import { conformDocument, type ConformOptions, type Conformity } from './index.ts';
import type { Engine, PdfInput } from '../engine.ts';
import { openReadable } from '../model/index.ts';

export interface ConformTask {
  input: PdfInput;
  output: string;
  options: Omit<ConformOptions, 'signal'>;
}

/** Runs in its thread: makes a document conform to levels of PDF/A and PDF/UA, and declares them. */
export async function conformTask(
  engine: Engine,
  { input, output, options }: ConformTask,
): Promise<Conformity> {
  const file = await openReadable(input, engine);
  const { pdf, violations, notes } = await conformDocument(file, options);
  await writeFile(output, pdf);
  return { violations, notes };
}
