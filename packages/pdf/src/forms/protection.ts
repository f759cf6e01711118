import { isPlatenError } from '@platen/core/errors';
import type { Engine, PdfInput } from '../files/engine.ts';
import { signedFields } from './signed.ts';
import { openReadable } from '../files/open.ts';
import { openPdfFile } from '../model/index.ts';
import { namesIn } from '../files/page-tree.ts';

/** The protection of a file. */
export interface Protection {
  isLocked: boolean;
  isSigned: boolean;
}

/** @throws PlatenError those of the engine */
export async function protectionOf(engine: Engine, input: PdfInput): Promise<Protection> {
  // Most files have neither, and a check of the bytes takes a hundredth of the time of opening them.
  if ((await namesIn(input.path, /\/(?:Encrypt|AcroForm)\b/g)) === 0)
    return { isLocked: false, isSigned: false };
  try {
    // Only the objects of the form are read.
    return { isLocked: false, isSigned: signedFields(await openPdfFile(input.path)).length > 0 };
  } catch (error) {
    if (!isPlatenError(error)) throw error;
  }
  const isLocked = await engine.isEncrypted(input);
  return { isLocked, isSigned: signedFields(await openReadable(input, engine)).length > 0 };
}
