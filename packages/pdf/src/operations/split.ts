import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import type { PdfInput } from '../files/engine.ts';
import type { PdfNote } from '../notes.ts';
import { runTask, type CallOptions } from '../thread.ts';
import type { ChangeOptions } from '../forms/unsigned.ts';
import type { Group } from './groups.ts';
import type { SplitTask } from './split-task.ts';
import { OPERATIONS } from './tasks.ts';

/**
 * Extracts one group of pages from a PDF (I-28), with everything that belongs to them.
 *
 * @returns the notes about the result
 * @throws PlatenError `pages_invalid`, `pdf_signed`; the errors of the engine.
 */
export async function splitPdf(
  input: PdfInput,
  group: Group,
  output: string,
  options: ChangeOptions = {},
): Promise<PdfNote[]> {
  return await split({ input, groups: [group], outputs: [output], single: true }, options);
}

/**
 * Writes a ZIP with one PDF for each group: `<name>-<n>.pdf`, numbers zero-padded, in the order of the groups.
 *
 * @param place name of the document without its extension, and a scratch directory
 * @returns the notes about the results
 * @throws PlatenError `pages_invalid`, `pdf_signed`; those of the engine.
 */
export async function splitPdfToZip(
  input: PdfInput,
  groups: readonly Group[],
  output: string,
  { name, scratch }: { name: string; scratch: string },
  options: ChangeOptions = {},
): Promise<PdfNote[]> {
  const folder = await mkdtemp(join(scratch, 'parts-'));
  const outputs = groups.map((_, index) => join(folder, `${index + 1}.pdf`));
  const notes = await split({ input, groups, outputs, single: false }, options);
  const { ZipFile } = await import('@platen/core/archive');
  const zip = new ZipFile(output);
  const width = String(groups.length).length;
  for (const [index, path] of outputs.entries()) {
    options.signal?.throwIfAborted();
    const number = String(index + 1).padStart(width, '0');
    await zip.addFile(`${name}-${number}.pdf`, path, true);
  }
  await zip.finish();
  return notes;
}

/** Writes each of some pages as a separate document, named by page number. */
export async function splitPages(
  input: PdfInput,
  pages: readonly number[],
  folder: string,
  options: CallOptions = {},
): Promise<void> {
  const outputs = pages.map((page) => join(folder, String(page)));
  await split(
    { input, groups: pages.map((page) => [page]), outputs, single: false },
    { ...options, breakSignatures: true },
  );
}

async function split(
  task: Omit<SplitTask, 'breakSignatures'>,
  { breakSignatures, ...options }: ChangeOptions,
): Promise<PdfNote[]> {
  return (await runTask(OPERATIONS, 'splitMany', { ...task, breakSignatures }, options)) as PdfNote[];
}
