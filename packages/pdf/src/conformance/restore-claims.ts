import type { KeepOptions, keepClaims as Keep } from './keep.ts';
import type { Engine } from '../files/engine.ts';
import { moveFile } from '../files/move-file.ts';
import type { PdfNote } from '../notes.ts';

/** Loads `keepClaims` of conformance/keep.ts on demand: few documents claim anything. */
export const keepClaims: typeof Keep = async (...call) =>
  await (await import('./keep.ts')).keepClaims(...call);

/**
 * Declares the claims of the source documents in their result, if it meets them; replaces the file if a source
 * claimed anything.
 *
 * @param path of the document
 * @returns the claims that differ from those of the sources
 * @throws PlatenError `pdf_damaged`, `pdf_too_complex`
 */
export async function restoreClaims(engine: Engine, path: string, options: KeepOptions): Promise<PdfNote[]> {
  if (options.claims.every((own) => own.length === 0)) return [];
  const settled = engine.temporary('pdf');
  const notes = await keepClaims(engine, path, settled, options);
  await moveFile(settled, path);
  return notes;
}
