import type { PdfInput } from '../files/engine.ts';
import { metadataValues } from '../metadata-values.ts';
import type { PdfNote } from '../notes.ts';
import { processPdfs, type Step } from '../steps/index.ts';
import type { ChangeOptions } from '../forms/unsigned.ts';

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
  { breakSignatures = false, ...options }: ChangeOptions = {},
): Promise<PdfNote[]> {
  const steps: Step[] = [{ name: 'metadata', options: metadataValues(metadata) }];
  const task = { inputs: [input], output, steps, breakSignatures, place: null, fonts: null };
  return (await processPdfs(task, options)).notes;
}
