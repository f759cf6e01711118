import { randomUUID } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compressPdf, encryptPdf } from './index.ts';
import { packPdf } from './pack.ts';
import { processPdfs, type Step } from './steps/index.ts';

/** What is done to a PDF after it was made (I-21). */
export interface Finishing {
  /** Carried out first (I-46). */
  steps: readonly Step[];
  /** Folder of the fonts that steps set text in; null where the deployment has none. */
  fonts: string | null;
  compress: boolean;
  /** Encrypts with it where it is not null. */
  encryptPassword: string | null;
}

/**
 * Makes a PDF that an engine wrote as small as it can be for a millisecond or two, and compresses and encrypts it where
 * that was asked for.
 *
 * @param directory for files while it is worked on; nothing is left there
 * @throws PlatenError as `processPdfs`, `compressPdf` and `encryptPdf`
 */
export async function finishPdf(
  pdf: Uint8Array,
  { steps, fonts, compress, encryptPassword }: Finishing,
  directory: () => Promise<string>,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const packed = await packPdf(pdf, signal);
  if (steps.length === 0 && !compress && encryptPassword === null) return packed;
  const options = { signal, spent: { milliseconds: 0 } };
  const base = join(await directory(), randomUUID());
  const files = {
    made: `${base}.pdf`,
    stepped: `${base}.steps.pdf`,
    compressed: `${base}.small.pdf`,
    encrypted: `${base}.locked.pdf`,
  };
  try {
    await writeFile(files.made, packed);
    let finished = files.made;
    if (steps.length > 0) {
      const task = { inputs: [{ path: finished }], output: files.stepped, steps, fonts };
      await processPdfs({ ...task, breakSignatures: false, place: 'render_options.steps' }, options);
      finished = files.stepped;
    }
    if (compress) {
      await compressPdf(finished, files.compressed, {}, options);
      finished = files.compressed;
    }
    if (encryptPassword !== null) {
      await encryptPdf(finished, files.encrypted, { userPassword: encryptPassword }, options);
      finished = files.encrypted;
    }
    return await readFile(finished);
  } finally {
    await Promise.all(Object.values(files).map((file) => rm(file, { force: true })));
  }
}
