import { randomUUID } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compressPdf, encryptPdf } from './index.ts';
import { packPdf } from './pack.ts';

/** What is done to a PDF after it was made (I-21). */
export interface Finishing {
  compress: boolean;
  /** Encrypts with it where it is not null. */
  encryptPassword: string | null;
  /** Signs it, as the last thing that is done to it. */
  sign?: ((pdf: Uint8Array) => Promise<Uint8Array>) | undefined;
}

/**
 * Makes a PDF that an engine wrote as small as it can be for a millisecond or two, and compresses and encrypts it where
 * that was asked for.
 *
 * @param directory for files while it is worked on; nothing is left there
 * @throws PlatenError as `compressPdf`, `encryptPdf` and `sign`
 */
export async function finishPdf(
  pdf: Uint8Array,
  { compress, encryptPassword, sign = same }: Finishing,
  directory: () => Promise<string>,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const packed = await packPdf(pdf, signal);
  if (!compress && encryptPassword === null) return await sign(packed);
  const options = { signal, spent: { milliseconds: 0 } };
  const base = join(await directory(), randomUUID());
  const files = { made: `${base}.pdf`, compressed: `${base}.small.pdf`, encrypted: `${base}.locked.pdf` };
  try {
    await writeFile(files.made, packed);
    let finished = files.made;
    if (compress) {
      await compressPdf(finished, files.compressed, {}, options);
      finished = files.compressed;
    }
    if (encryptPassword !== null) {
      await encryptPdf(finished, files.encrypted, { userPassword: encryptPassword }, options);
      finished = files.encrypted;
    }
    return await sign(await readFile(finished));
  } finally {
    await Promise.all(Object.values(files).map((file) => rm(file, { force: true })));
  }
}

const same = (pdf: Uint8Array): Promise<Uint8Array> => Promise.resolve(pdf);
