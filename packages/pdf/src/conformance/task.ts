import { writeFile } from 'node:fs/promises';
import { conformDocument, type ConformOptions } from './index.ts';
import type { Engine, PdfInput } from '../engine.ts';
import { openReadable } from '../model/index.ts';
import type { PdfNote } from '../notes.ts';
import { unsigned } from '../unsigned.ts';
import type { Violation } from './violations.ts';

export interface ConformTask {
  input: PdfInput;
  output: string;
  options: Omit<ConformOptions, 'signal'>;
  /** Whether signatures are removed; otherwise a signed document is refused. */
  breakSignatures?: boolean | undefined;
}

/** The messages about a file that was made to conform. */
export interface FileConformity {
  /** Empty if the file claims the requested levels. */
  violations: Violation[];
  notes: PdfNote[];
}

/** Runs in its thread: makes a document conform to levels of PDF/A and PDF/UA, and declares them. */
export async function conformTask(
  engine: Engine,
  { input, output, options, breakSignatures }: ConformTask,
): Promise<FileConformity> {
  const { input: plain, notes: removed } = await unsigned(engine, input, breakSignatures);
  const file = await openReadable(plain, engine);
  const { pdf, violations, notes } = await conformDocument(file, options);
  await writeFile(output, pdf);
  return { violations, notes: [...removed, ...notes] };
}
