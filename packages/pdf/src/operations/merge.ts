import { PlatenError } from '@platen/core/errors';
import type { PdfInput } from '../files/engine.ts';
import type { PdfNote } from '../notes.ts';
import { processPdfs } from '../steps/index.ts';
import type { ChangeOptions } from '../forms/unsigned.ts';

/**
 * Merges PDFs (I-29). Outlines, links, named destinations, form fields, layers, tags, page labels and attachments
 * of all of them are kept; description and viewer preferences are the first one's.
 *
 * @returns the notes about the result
 * @throws PlatenError `missing_field` for fewer than two; `pdf_signed`; the errors of the engine, naming the faulty input.
 */
export async function mergePdfs(
  inputs: readonly PdfInput[],
  output: string,
  { breakSignatures = false, ...options }: ChangeOptions = {},
): Promise<PdfNote[]> {
  checkMerge(inputs.length);
  const task = { inputs, output, steps: [], breakSignatures, place: null, fonts: null };
  return (await processPdfs(task, options)).notes;
}

/** @throws PlatenError `missing_field` for fewer than two PDFs */
export function checkMerge(count: number): void {
  if (count >= 2) return;
  const message = `at least two PDFs are needed, named \`file1\`, \`file2\` and so on, not ${count}`;
  throw new PlatenError('missing_field', `\`file\`: ${message}.`, { faults: [{ field: 'file', message }] });
}

/**
 * The order of the parts of a merge: by number if all are named `file<n>`, otherwise as sent.
 *
 * @param parts each with its field name
 */
export function inMergeOrder<T extends { field: string }>(parts: readonly T[]): T[] {
  const numbers = new Map(parts.map((part) => [part, /^file_?(\d+)$/i.exec(part.field)?.[1]]));
  if ([...numbers.values()].includes(undefined)) return [...parts];
  return [...parts].sort((a, b) => Number(numbers.get(a)) - Number(numbers.get(b)));
}
