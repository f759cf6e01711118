import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { ZipFile } from '../shared/archive.ts';
import type { PdfInput } from '../shared/pdf/engine.ts';
import { runTask, type CallOptions } from '../shared/pdf/thread.ts';
import type { Group } from './groups.ts';
import type { SplitTask } from './split-task.ts';
import { OPERATIONS } from './tasks.ts';

/**
 * Takes one group of pages out of a PDF (decision 28), with what belongs to them.
 * @param scratch A directory of the request.
 * @throws PlatenError `pages_invalid`; those of `shared/pdf`.
 */
export async function splitPdf(
  input: PdfInput,
  group: Group,
  output: string,
  scratch: string,
  options: CallOptions = {},
): Promise<void> {
  const folder = await split(input, [group], true, scratch, options);
  await rename(join(folder, '1.pdf'), output);
}

/**
 * Writes a ZIP with one PDF for each group: `<name>-<n>.pdf`, numbers zero-padded, in the order of the groups.
 * @param name Of the document, without its ending.
 * @throws PlatenError `pages_invalid`; those of `shared/pdf`.
 */
export async function splitPdfToZip(
  input: PdfInput,
  groups: readonly Group[],
  output: string,
  { name, scratch }: { name: string; scratch: string },
  options: CallOptions = {},
): Promise<void> {
  const folder = await split(input, groups, false, scratch, options);
  const zip = new ZipFile(output);
  const width = String(groups.length).length;
  for (let number = 1; number <= groups.length; number++) {
    const entry = `${name}-${String(number).padStart(width, '0')}.pdf`;
    await zip.addFile(entry, join(folder, `${number}.pdf`), true);
  }
  await zip.finish();
}

async function split(
  input: PdfInput,
  groups: readonly Group[],
  single: boolean,
  scratch: string,
  options: CallOptions,
): Promise<string> {
  const folder = join(scratch, 'parts');
  await mkdir(folder, { recursive: true });
  const task: SplitTask = { input, groups, folder, single };
  await runTask(OPERATIONS, 'splitMany', task, options);
  return folder;
}
