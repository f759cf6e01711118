import { type Engine, type PdfInput, protectionArguments } from './engine.ts';
import { isEncrypted, type PdfFile, type SaveOptions } from './model/index.ts';

interface Saving {
  /** The file whose protection the document gets: the same passwords and permissions, or none. */
  as: PdfInput;
  saving?: SaveOptions;
  /** Arranges the file so that the first page can be shown while the rest is loading. */
  linearize?: boolean | undefined;
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
  { as, saving, linearize = false }: Saving,
): Promise<void> {
  const isLocked = await isEncrypted(engine, as);
  if (!isLocked && !linearize) {
    await file.saveTo(output, saving);
    return;
  }
  const path = engine.temporary('pdf');
  await file.saveTo(path, saving);
  await engine.write({ path }, [
    { path },
    '--object-streams=preserve',
    // The streams stay as they are.
    '--decode-level=none',
    ...(linearize ? ['--linearize'] : []),
    ...(isLocked ? protectionArguments(as) : []),
    { path: output },
  ]);
}
