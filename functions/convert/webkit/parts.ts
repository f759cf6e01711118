import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { PlatenError } from '@platen/core/errors';
import type { Bundle } from '@platen/print/bundle';
import type { PrintAnswer, PrintOrder } from './process.ts';

/** What goes to the engine as files, and what comes back of it. */

export type Part = Pick<PrintOrder, 'html' | 'output'>;

/** Puts a document where the engine finds it. */
export async function writePart(folder: string, name: string, text: string): Promise<Part> {
  const html = path.join(folder, `${name}.html`);
  await writeFile(html, text, { mode: 0o600 });
  return { html, output: path.join(folder, `${name}.pdf`) };
}

/** Puts the files a document may load where the engine finds them. */
export async function writeFiles(folder: string, files: Bundle['files']): Promise<PrintOrder['resources']> {
  await mkdir(folder);
  const resources: PrintOrder['resources'] = {};
  for (const [index, [address, { contentType, bytes }]] of [...files].entries()) {
    const file = path.join(folder, String(index));
    await writeFile(file, bytes, { mode: 0o600 });
    resources[address] = { file, type: contentType };
  }
  return resources;
}

/** The PDF of an order that is done. @throws PlatenError `print_failed` */
export async function finished(answer: PrintAnswer, { output }: Part): Promise<Buffer> {
  if (!answer.ok) {
    throw new PlatenError('print_failed', 'The document cannot be printed.', {
      cause: new Error(answer.message),
    });
  }
  return await readFile(output);
}

/** What was found in a loaded document. One may have spoiled what is asked for: it is printed as it is. */
export function foundBy(answer: PrintAnswer): z.infer<typeof foundSchema> {
  if (!answer.ok || answer.found === undefined) return NOTHING_FOUND;
  try {
    return foundSchema.parse(JSON.parse(answer.found));
  } catch (error) {
    if (error instanceof SyntaxError) return NOTHING_FOUND;
    throw error;
  }
}

const NOTHING_FOUND = {
  rules: null,
  boxes: null,
  heights: null,
  content: null,
  titles: null,
  references: null,
  direction: null,
};
const foundSchema = z
  .object({
    rules: z.unknown(),
    boxes: z.unknown(),
    heights: z.unknown(),
    content: z.unknown(),
    titles: z.unknown(),
    references: z.unknown(),
    direction: z.unknown(),
  })
  .catch(NOTHING_FOUND);
