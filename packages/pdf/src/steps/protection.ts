import { inputArguments, type Engine, type PdfInput } from '../engine.ts';
import { signedFields } from '../forms/signed.ts';
import { namesIn } from '../page-tree.ts';

/** The protection of a file. */
export interface Protection {
  isLocked: boolean;
  isSigned: boolean;
}

/** @throws PlatenError those of the engine */
export async function protectionOf(engine: Engine, input: PdfInput): Promise<Protection> {
  // Most files have neither, and a check of the bytes takes a hundredth of the engine's start.
  if ((await namesIn(input.path, /\/(?:Encrypt|AcroForm)\b/g)) === 0)
    return { isLocked: false, isSigned: false };
  const text = await engine.work(input, ['--show-encryption', ...inputArguments(input)]);
  const isLocked = !text.startsWith('File is not encrypted');
  if (!/\/AcroForm\b/.test(await engine.catalogText(input))) return { isLocked, isSigned: false };
  const objects = await engine.objects(input);
  try {
    return { isLocked, isSigned: signedFields(objects).length > 0 };
  } finally {
    objects.close();
  }
}
