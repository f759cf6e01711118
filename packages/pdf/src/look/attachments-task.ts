import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Engine, PdfInput } from '../files/engine.ts';
import { openReadable } from '../files/open.ts';
import { attachmentsOf } from './attachments.ts';

export interface AttachmentsTask {
  input: PdfInput;
  /** Directory of the files, which are named by their position in the result. */
  folder: string;
}

/** Maximum bytes of all files of a document, and of a single one. */
const MAX_TOGETHER = 1024 * 2 ** 20;
const MAX_ATTACHMENT = 256 * 2 ** 20;

/**
 * Runs in its thread: writes the files of a document to disk.
 *
 * @returns their names in the document
 */
export async function extractAttachments(
  engine: Engine,
  { input, folder }: AttachmentsTask,
): Promise<string[]> {
  const objects = await openReadable(input, engine);
  const names: string[] = [];
  let left = MAX_TOGETHER;
  for (const { name, stream } of attachmentsOf(objects)) {
    const data = objects.streamData(stream, Math.min(left, MAX_ATTACHMENT));
    if (data === undefined) continue;
    left -= data.data.length;
    await writeFile(join(folder, String(names.length)), data.data);
    names.push(name);
  }
  return names;
}
