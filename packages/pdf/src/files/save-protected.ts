import { type Engine, type PdfInput, protectionArguments } from './engine.ts';
import { isEncrypted } from './open.ts';
import type { PdfFile, SaveOptions } from '../model/index.ts';

interface Saving {
  /** The file whose protection the document gets: the same passwords and permissions, or none. */
  as: PdfInput;
  saving?: SaveOptions;
}

/**
 * Writes a document with the protection that another file has, in general the one that it was read from.
 *
 * @throws PlatenError those of the engine
 */
export async function saveProtected(
  engine: Engine,
  file: PdfFile,
  output: string,
  { as, saving }: Saving,
): Promise<void> {
  if (!(await isEncrypted(engine, as))) {
    await file.saveTo(output, saving);
    return;
  }
  const path = engine.temporary('pdf');
  await file.saveTo(path, saving);
  await engine.write({ path }, [
    { path },
    '--object-streams=preserve',
    ...protectionArguments(as),
    { path: output },
  ]);
}
