import { randomUUID } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Has a task for files change a PDF.
 *
 * @param scratch returns a folder for temporary files
 * @param change reads the file `input` and writes the file `output`; returns whether it has written one
 * @returns the changed PDF; the given one where nothing was written
 */
export async function throughFiles(
  pdf: Uint8Array,
  scratch: () => Promise<string>,
  change: (input: string, output: string) => Promise<boolean>,
): Promise<Uint8Array> {
  const base = join(await scratch(), randomUUID());
  const [input, output] = [`${base}.pdf`, `${base}.changed.pdf`];
  try {
    await writeFile(input, pdf);
    return (await change(input, output)) ? await readFile(output) : pdf;
  } finally {
    await Promise.all([input, output].map((file) => rm(file, { force: true })));
  }
}
