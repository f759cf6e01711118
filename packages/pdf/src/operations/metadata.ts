import type { PdfInput } from '../engine.ts';
import { metadataValues } from '../metadata-values.ts';
import type { PdfNote } from '../notes.ts';
import { runTask } from '../thread.ts';
import type { ChangeOptions } from '../unsigned.ts';
import type { MetadataTask } from './metadata-task.ts';
import { OPERATIONS } from './tasks.ts';

/**
 * Sets properties such as title and author in the Info dictionary and in XMP (I-31).
 *
 * @param metadata by key, with or without a leading slash; null or an empty text removes a property
 * @returns the notes about the result
 * @throws PlatenError as `metadataValues`; `pdf_signed`; those of the engine.
 */
export async function editPdfMetadata(
  input: PdfInput,
  output: string,
  metadata: Readonly<Record<string, string | null>>,
  { breakSignatures, ...options }: ChangeOptions = {},
): Promise<PdfNote[]> {
  const values = metadataValues(metadata);
  const now = `${new Date().toISOString().slice(0, 19)}Z`;
  const task: MetadataTask = { input, output, values, now, breakSignatures };
  return (await runTask(OPERATIONS, 'setMetadata', task, options)) as PdfNote[];
}
