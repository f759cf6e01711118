import { randomUUID } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Writes a PDF to a file, for a task that reads files. @param scratch returns a folder for temporary files */
export async function withFile<T>(
  pdf: Uint8Array,
  scratch: () => Promise<string>,
  task: (path: string) => Promise<T>,
): Promise<T> {
  const path = join(await scratch(), `${randomUUID()}.pdf`);
  try {
    await writeFile(path, pdf);
    return await task(path);
  } finally {
    await rm(path, { force: true });
  }
}

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
  return await withFile(pdf, scratch, async (input) => {
    const output = `${input}.changed`;
    try {
      return (await change(input, output)) ? await readFile(output) : pdf;
    } finally {
      await rm(output, { force: true });
    }
  });
}
